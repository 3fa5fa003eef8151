import type { Socket } from 'node:net';
import { errors } from 'undici';

/** Failures of connections on which the server had already responded. */
const failures = new WeakSet<Error>();

/** Remembers the failure of a connection on which the server had already responded. */
export function trackUse(socket: Socket): void {
  socket.on('error', (error) => {
    if (socket.bytesRead > 0) failures.add(error);
  });
}

/** Returns whether an error is the failure of a connection on which the server had already responded. */
export function isFromUsedConnection(error: unknown): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return error instanceof Error && failures.has(error);
}
