import type { Socket } from 'node:net';

/** Sends the start, and then a piece every now and then until the other side has had enough. */
export function drip(socket: Socket, start: string, piece: string | Buffer): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => clearInterval(timer));
}
