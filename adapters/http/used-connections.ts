import type { Socket } from 'node:net';
import { errors } from 'undici';

/** Errors of connections that failed after the server had already responded on them. */
const failures = new WeakSet<Error>();

/** Records the error if a connection fails on which the server had already responded. */
export function trackUse(socket: Socket): void {
  socket.on('error', (error) => {
    if (socket.bytesRead > 0) failures.add(error);
  });
}

/** Returns whether an error comes from a connection on which the server had already responded. */
export function isFromUsedConnection(error: unknown): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return error instanceof Error && failures.has(error);
}
