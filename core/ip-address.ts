import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an IP address. Refuses IPv6 zones (`%eth0`), and converts IPv4 addresses mapped into IPv6
 * (`::ffff:a.b.c.d`) to IPv4.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // The URL parser writes IPv6 addresses without dots. ipaddr.js would take `::a.b.c.d` for an IPv4 address
  // mapped into IPv6.
  return ipaddr.process(new URL(`http://[${text}]`).hostname.slice(1, -1));
}

/** Returns whether an IP address belongs to this machine. */
export function isLoopback(address: string): boolean {
  return parseIpAddress(address)?.range() === 'loopback';
}
