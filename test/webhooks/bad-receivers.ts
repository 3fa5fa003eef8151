import type { Socket } from 'node:net';
import { drip } from '../support/drip.ts';

const GIGABYTE = 1024 ** 3;
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const HEAD_OF_A_GIGABYTE = `HTTP/1.1 200 OK\r\ncontent-length: ${GIGABYTE}\r\n\r\n`;

export type BadReceiver = [
  does: string,
  behave: (socket: Socket) => void,
  status: 'retrying' | 'delivered',
  reason: RegExp | null,
];

/** Servers that waste resources of the sender of a webhook, with the result of a delivery to each. */
export const BAD_RECEIVERS: readonly BadReceiver[] = [
  ['that hangs', () => {}, 'retrying', /^timeout: /],
  [
    'that drips its headers',
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-slow: ', '.'),
    'retrying',
    /^timeout: /,
  ],
  ['that drips its body', (socket) => drip(socket, HEAD_OF_A_GIGABYTE, '.'), 'retrying', /^timeout: /],
  ['that resets the connection', (socket) => socket.resetAndDestroy(), 'retrying', /^connection_reset: /],
  [
    'that responds before it has read the request',
    (socket) => {
      socket.pause();
      setTimeout(() => socket.end(ANSWER), 20);
    },
    'delivered',
    null,
  ],
  ['that responds with a gigabyte', answerGigabyte, 'delivered', null],
];

function answerGigabyte(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  socket.write(HEAD_OF_A_GIGABYTE);
  write();
}
