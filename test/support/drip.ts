import type { Socket } from 'node:net';

/** Sends the start of a text over a socket, then a piece every 20 ms until the peer closes the connection. */
export function drip(socket: Socket, start: string, piece: string | Buffer): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => clearInterval(timer));
}
