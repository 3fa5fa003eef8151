import type { Socket } from 'node:net';
import { OutboundError } from './outbound-error.ts';
import { findResponseParser } from './response-parser.ts';
import { ChunkCount, createTinyChunksError } from './tiny-chunks.ts';

/**
 * Maximum number of bytes that a server sends before the headers of its final response: four times the
 * headers that undici accepts.
 */
const MAX_START_BYTES = 65_536;
/**
 * Maximum number of bytes that a server sends outside of the body, in addition to the body's own size.
 * Includes unread bytes in the socket's buffer.
 */
const MAX_FRAMING_BYTES = 262_144;

/**
 * Destroys a connection on which too many bytes are not part of a response body. undici would skip any number
 * of informational responses, blank lines and chunk extensions. Also destroys a connection that sends single bytes
 * without end, since each read costs a call. Each request resets the counts.
 */
export function limitFraming(socket: Socket, host: string): void {
  const originalRead = socket.read.bind(socket);
  let sentBytes = socket.bytesWritten;
  let bytesBefore = 0;
  let startBytes = 0;
  let reads = new ChunkCount();
  const destroy = (error: OutboundError): null => {
    socket.destroy(error);
    return null;
  };
  const destroyFor = (fault: string): null =>
    destroy(new OutboundError('invalid_response', `The response from ${host} has ${fault}.`));
  socket.read = (sizeBytes) => {
    const chunk: unknown = originalRead(sizeBytes);
    if (!(chunk instanceof Buffer)) return chunk;
    if (socket.bytesWritten !== sentBytes) {
      sentBytes = socket.bytesWritten;
      bytesBefore = socket.bytesRead - chunk.length;
      startBytes = 0;
      reads = new ChunkCount();
    }
    if (reads.exceedsWith(chunk)) return destroy(createTinyChunksError());
    const parser = findResponseParser(socket);
    if (parser && parser.statusCode >= 200) {
      const receivedBytes = socket.bytesRead - bytesBefore;
      const isExceeded = receivedBytes > MAX_FRAMING_BYTES + 2 * parser.bytesRead;
      return isExceeded ? destroyFor('too many bytes outside of its body') : chunk;
    }
    if (startBytes >= MAX_START_BYTES) return destroyFor('no headers within 64 KB');
    startBytes += chunk.length;
    return chunk;
  };
}
