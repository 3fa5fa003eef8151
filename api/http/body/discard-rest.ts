import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 100 * 1024 * 1024;
const MAX_MS = 15_000;

/**
 * Reads and discards the rest of a refused request's body, within limits. Without this, a client that is
 * still sending gets a connection error instead of the response.
 */
export function discardRest(request: IncomingMessage): void {
  let bytes = 0;
  const timer = setTimeout(() => request.socket.destroy(), MAX_MS).unref();
  request.once('close', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) request.socket.destroy();
  });
  request.resume();
}
