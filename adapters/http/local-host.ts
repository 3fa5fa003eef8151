import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../core/ip-address.ts';

/**
 * Matches `Host` headers that name this machine. In a DNS rebinding attack, a page's own host name leads to
 * 127.0.0.1, but the browser sends that name as `Host`.
 */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

export const LOCAL_HOSTS_ONLY = 'This server responds only to localhost, 127.0.0.1 and [::1].';

/** Returns whether an HTTP request has exactly one `Host` header, and this header names this machine. */
export function isForThisMachine({ url, headersDistinct }: IncomingMessage): boolean {
  const hosts = headersDistinct['host'] ?? [];
  // Reject absolute URLs in the request line, because they would override the `Host` header.
  return hosts.length === 1 && LOCAL_HOST.test(hosts[0]!) && url?.startsWith('/') === true;
}

/** Returns whether only programs of this machine reach a server that listens at the address `host`. */
export function isLocalListener(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopback(host);
}

/**
 * Returns a random loopback address for a server behind a host gate. Web pages can scan the ports of one
 * address, but cannot guess this address. Systems other than Linux only have 127.0.0.1.
 */
export function chooseSecretLoopback(): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return `127.${[256, 256, 254].map((count) => randomInt(1, count)).join('.')}`;
}
