import type { Socket } from 'node:net';
import { OutboundError } from './outbound-error.ts';
import { findResponseParser } from './response-parser.ts';

/** Four times the headers that undici accepts. */
const MAX_BYTES = 65_536;

/**
 * Destroys a connection that receives more than 64 KB, and one read, before the headers of the final response.
 * undici skips any number of informational responses and blank lines. Each request starts a new count.
 */
export function limitResponseStart(socket: Socket, host: string): void {
  const read = socket.read.bind(socket);
  let sentBytes = socket.bytesWritten;
  let receivedBytes = 0;
  socket.read = (sizeBytes) => {
    const chunk: unknown = read(sizeBytes);
    const isInBody = (findResponseParser(socket)?.statusCode ?? 0) >= 200;
    if (isInBody || !(chunk instanceof Buffer)) return chunk;
    if (socket.bytesWritten !== sentBytes) {
      sentBytes = socket.bytesWritten;
      receivedBytes = 0;
    }
    if (receivedBytes >= MAX_BYTES) {
      socket.destroy(
        new OutboundError('invalid_response', `The answer of ${host} has no headers within 64 KB.`),
      );
      return null;
    }
    receivedBytes += chunk.length;
    return chunk;
  };
}
