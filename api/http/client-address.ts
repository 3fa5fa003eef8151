import type { IncomingMessage } from 'node:http';

/**
 * The caller's address. Each of the trusted proxies has appended to X-Forwarded-For the address it saw, so the
 * caller's is that many entries from the right; what stands further left may be forged.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = request.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return unmapped(direct);
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return unmapped(forwarded.at(-trustedProxies) ?? forwarded[0] ?? direct);
}

function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
