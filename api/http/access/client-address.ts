import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseCountryCode } from '../../../core/contacts/countries.ts';
import { parseIpAddress } from '../../../core/ip-address.ts';
import type { Settings } from '../../../core/settings/settings.ts';

/** Matches an entry of X-Forwarded-For. Some proxies append the port, which differs with each connection. */
const ENTRY = /^\s*(?:\[(?<six>[^\]]+)\](?::\d{1,5})?|(?<four>[\d.]+):\d{1,5}|(?<bare>\S+))\s*$/;

/**
 * Returns the caller's address. Each trusted proxy appends the address that it sees to X-Forwarded-For, so the caller's
 * is that many entries from the right. Entries further left may be forged. If this entry is missing or not an IP
 * address, the connection's address counts.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = peerAddress(request.socket);
  if (trustedProxies === 0) return direct;
  const entries = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const { six, four, bare = '' } = ENTRY.exec(entries.at(-trustedProxies) ?? '')?.groups ?? {};
  return canonicalAddress(six ?? four ?? bare) ?? direct;
}

/** Returns the ISO 3166-1 code of the country according to the trusted proxies, or null. */
export function clientCountry(
  headers: IncomingHttpHeaders,
  { trustedProxies, countryHeader }: Pick<Settings, 'trustedProxies' | 'countryHeader'>,
): string | null {
  if (trustedProxies === 0 || countryHeader === undefined) return null;
  return parseCountryCode(String(headers[countryHeader.toLowerCase()] ?? ''));
}

/** Returns the address of the connection's peer. */
export function peerAddress({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return canonicalAddress(remoteAddress) ?? 'unknown';
}

/**
 * Returns the key of an address's budgets. An IPv6 caller can choose among all addresses of its /64 network. Addresses
 * of 6to4 (RFC 3056) and NAT64 (RFC 6052) count as the IPv4 address in them.
 */
export function budgetAddress(address: string): string {
  const parsed = parseIpv6(address);
  if (!parsed) return address;
  return findEmbeddedIpv4(parsed) ?? toNetwork(parsed, 64);
}

/** Returns the key of the IPv6 site (/48) of an address; null for other addresses. */
export function siteAddress(address: string): string | null {
  const parsed = parseIpv6(address);
  return parsed && findEmbeddedIpv4(parsed) === undefined ? toNetwork(parsed, 48) : null;
}

function parseIpv6(address: string): ipaddr.IPv6 | undefined {
  const [withoutZone = ''] = address.split('%');
  return ipaddr.IPv6.isValid(withoutZone) ? ipaddr.IPv6.parse(withoutZone) : undefined;
}

function toNetwork(address: ipaddr.IPv6, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

function findEmbeddedIpv4(address: ipaddr.IPv6): string | undefined {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === '6to4') return bytes.slice(2, 6).join('.');
  return range === 'rfc6052' ? bytes.slice(12).join('.') : undefined;
}

/** Returns the canonical spelling of an IP address, without a zone; undefined for other text. */
function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  return parseIpAddress(text.replace(/%.*$/, ''))?.toString();
}
