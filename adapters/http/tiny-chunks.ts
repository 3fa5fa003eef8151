import type { Readable } from 'node:stream';
import { OutboundError } from './outbound-error.ts';

/** Maximum number of chunks that a response body may have regardless of their size. */
const FREE_CHUNKS = 2000;
/** Minimum average size in bytes of a response body's chunks beyond `FREE_CHUNKS`. */
const MIN_AVERAGE_BYTES = 64;

/**
 * Counts the chunks of one response: reads of its connection, or chunks of its body. Even a chunk of one byte
 * costs a call and some hundred bytes of memory.
 */
export class ChunkCount {
  #chunks = 0;
  #bytes = 0;

  /** Adds a chunk to the count. Returns whether the response body now has too many tiny chunks. */
  exceedsWith(chunk: Buffer): boolean {
    this.#chunks += 1;
    this.#bytes += chunk.length;
    return this.#chunks > FREE_CHUNKS + this.#bytes / MIN_AVERAGE_BYTES;
  }
}

/**
 * Destroys a response body with too many tiny chunks during parsing. A reader would be too late: undici emits
 * all chunks of a 64 KB read before any reader runs.
 */
export function endTinyChunks(body: Readable): void {
  const push = body.push.bind(body);
  const count = new ChunkCount();
  body.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null || !count.exceedsWith(chunk)) return push(chunk, encoding);
    body.destroy(createTinyChunksError());
    return false;
  };
}

export function createTinyChunksError(): OutboundError {
  return new OutboundError('too_large', 'The response arrives in too many tiny chunks.');
}
