import type { Socket } from 'node:net';
import { isSliceOver } from '../../core/concurrency/loop-slices.ts';

/**
 * Shares the event loop fairly between an outbound connection and all other work. libuv offers all sockets
 * with data in one turn, and undici parses up to 64 KB of each at once. Many hostile responses that arrive
 * together would block the process. Connections that get no time in a turn are read in the next turn.
 */
export function shareTurns(socket: Socket): void {
  const originalRead = socket.read.bind(socket);
  let isWaiting = false;
  const readAgain = (): void => {
    isWaiting = false;
    if (!socket.destroyed) socket.emit('readable');
  };
  socket.read = (sizeBytes) => {
    if (!isSliceOver()) return originalRead(sizeBytes) as unknown;
    if (!isWaiting) setImmediate(readAgain);
    isWaiting = true;
    return null;
  };
}
