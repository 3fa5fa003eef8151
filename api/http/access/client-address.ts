import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { countryOf } from '../../../core/contacts/countries.ts';
import type { Settings } from '../../../core/settings/settings.ts';

/**
 * The caller's address. Each of the trusted proxies has appended to X-Forwarded-For the address it saw, so the
 * caller's is that many entries from the right; what stands further left may be forged.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = peerAddress(request.socket);
  if (trustedProxies === 0) return direct;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => withoutPort(address.trim()))
    .filter(Boolean);
  return unmapped(forwarded.at(-trustedProxies) ?? forwarded[0] ?? direct);
}

/** ISO 3166-1 code of the country that the trusted proxies tell, or null. */
export function clientCountry(
  headers: IncomingHttpHeaders,
  { trustedProxies, countryHeader }: Pick<Settings, 'trustedProxies' | 'countryHeader'>,
): string | null {
  if (trustedProxies === 0 || countryHeader === undefined) return null;
  return countryOf(String(headers[countryHeader.toLowerCase()] ?? ''));
}

/** Who is at the other end of a connection. */
export function peerAddress({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  return unmapped(remoteAddress ?? 'unknown');
}

/** What budgets of addresses are counted by: an IPv6 caller can choose among all addresses of its /64 network. */
export function budgetAddress(address: string): string {
  const [withoutZone = ''] = address.split('%');
  if (!ipaddr.IPv6.isValid(withoutZone)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone}/64`).toString()}/64`;
}

/** Some proxies tell the port as well, which is another one with each connection. */
function withoutPort(address: string): string {
  const { six, four } = /^(?:\[(?<six>[^\]]+)\]|(?<four>[\d.]+))(?::\d+)?$/.exec(address)?.groups ?? {};
  return six ?? four ?? address;
}

function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
