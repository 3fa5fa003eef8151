import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseCountryCode } from '../../../core/contacts/countries.ts';
import { parseIpAddress } from '../../../core/ip-address.ts';
import type { Settings } from '../../../core/settings/settings.ts';

/** Matches an entry of the header X-Forwarded-For: an IP address, to which some proxies append the port. */
const ENTRY = /^\s*(?:\[(?<six>[^\]]+)\](?::\d{1,5})?|(?<four>[\d.]+):\d{1,5}|(?<bare>\S+))\s*$/;

/**
 * Returns the caller's IP address. Each trusted proxy appends to X-Forwarded-For the address from which it
 * gets the request. With n trusted proxies, the nth entry from the right is the caller; entries further left
 * may be forged. Falls back to the connection's address if that entry is missing or invalid.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = peerAddress(request.socket);
  if (trustedProxies === 0) return direct;
  const entries = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const { six, four, bare = '' } = ENTRY.exec(entries.at(-trustedProxies) ?? '')?.groups ?? {};
  return canonicalAddress(six ?? four ?? bare) ?? direct;
}

/** Returns the caller's country (ISO 3166-1) from the header of a trusted proxy; null if unknown. */
export function clientCountry(
  headers: IncomingHttpHeaders,
  { trustedProxies, countryHeader }: Pick<Settings, 'trustedProxies' | 'countryHeader'>,
): string | null {
  if (trustedProxies === 0 || countryHeader === undefined) return null;
  return parseCountryCode(String(headers[countryHeader.toLowerCase()] ?? ''));
}

/** Returns the IP address at the other end of a connection. */
export function peerAddress({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return canonicalAddress(remoteAddress) ?? 'unknown';
}

/**
 * Returns the key under which the requests of an IP address are limited. For IPv6, the key is the /64
 * network, since callers can choose any address in their network. 6to4 (RFC 3056) and NAT64 addresses (RFC
 * 6052) count as the IPv4 address that they contain.
 */
export function budgetAddress(address: string): string {
  const parsed = parseIpv6(address);
  if (!parsed) return address;
  return findEmbeddedIpv4(parsed) ?? toNetwork(parsed, 64);
}

/** Returns the key for limits per IPv6 site, which is the /48 network of an address. Null for IPv4. */
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

/** Returns the canonical form of an IP address, without a zone index. Undefined for other text. */
function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  return parseIpAddress(text.replace(/%.*$/, ''))?.toString();
}
