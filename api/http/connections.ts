import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from '../../core/ip-address.ts';
import { peerAddress } from './access/client-address.ts';
import { limitByAddress } from './limits/address-limits.ts';
import type { ClientErrorHandler } from './problems/client-error.ts';

/** A socket with the undocumented property in which Node stores the current response. */
type Connection = Socket & { _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null };

/** Maximum connections per IP address, enough for the open pages of an office behind one address. */
const MAX_CONNECTIONS_PER_ADDRESS = 1000;

/** Returns the maximum number of open connections of an IP address. */
export type ConnectionLimit = (address: string) => number;

/**
 * Creates the limit on connections per IP address. The limit does not apply behind trusted proxies and on
 * loopback, where one IP address stands for many callers.
 */
export function connectionLimit({ trustedProxies }: { trustedProxies: number }): ConnectionLimit {
  if (trustedProxies > 0) return () => Infinity;
  return (address) => (isLoopback(address) ? Infinity : MAX_CONNECTIONS_PER_ADDRESS);
}

/** Closes new connections beyond the limit of their IP address or IPv6 site. */
export function limitConnections(server: Server, getLimits: ConnectionLimit): void {
  const openCounts = new Map<string, number>();
  server.on('connection', (connection: Socket) => {
    const address = peerAddress(connection);
    const limit = getLimits(address);
    if (limit === Infinity) return;
    const limits = limitByAddress(address, { key: 'connections', limit });
    if (limits.some(({ key, limit: max }) => (openCounts.get(key) ?? 0) >= max)) {
      connection.destroy();
      return;
    }
    for (const { key } of limits) openCounts.set(key, (openCounts.get(key) ?? 0) + 1);
    connection.once('close', () => {
      for (const { key } of limits) {
        const remaining = openCounts.get(key)! - 1;
        if (remaining === 0) openCounts.delete(key);
        else openCounts.set(key, remaining);
      }
    });
  });
}

/**
 * Closes connections without traffic for `idleMs` milliseconds, unless a handler is running. The client of
 * such a connection does not read the response, does not complete the request, or sends no request.
 */
export function closeIdleConnections(
  server: Server,
  idleMs: number,
  onClientError: ClientErrorHandler,
): void {
  server.setTimeout(idleMs, (connection: Connection) => {
    const response = connection._httpMessage;
    if (!response || connection.writableLength > 0) connection.destroy();
    else if (!response.req.complete) onClientError(requestTimeout(), connection);
  });
}

function requestTimeout(): NodeJS.ErrnoException {
  return Object.assign(new Error('No byte of the request arrived.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
