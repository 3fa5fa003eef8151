import type { Socket } from 'node:net';

/** Time in each turn of the event loop for the responses of all connections. */
const MAX_TURN_MS = 5;

/** When this turn of the event loop began to read responses; undefined before its first read. */
let startMs: number | undefined;

/**
 * Shares the event loop between connections and everything else: libuv offers all sockets with data in one
 * turn, and undici parses up to 64 KB of each at once. Many hostile responses that arrive together would hold
 * the process. Connections that get no time in a turn are read in the next turn.
 */
export function shareTurns(socket: Socket): void {
  const originalRead = socket.read.bind(socket);
  let isWaiting = false;
  const readAgain = (): void => {
    isWaiting = false;
    if (!socket.destroyed) socket.emit('readable');
  };
  socket.read = (sizeBytes) => {
    if (!isTurnOver()) return originalRead(sizeBytes) as unknown;
    if (!isWaiting) setImmediate(readAgain);
    isWaiting = true;
    return null;
  };
}

function isTurnOver(): boolean {
  const nowMs = performance.now();
  if (startMs !== undefined) return nowMs - startMs > MAX_TURN_MS;
  startMs = nowMs;
  setImmediate(() => (startMs = undefined));
  return false;
}
