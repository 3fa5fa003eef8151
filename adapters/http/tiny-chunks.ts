import type { Readable } from 'node:stream';
import { OutboundError } from './outbound-error.ts';

/** Number of chunks that may have any size. */
const FREE_CHUNKS = 2000;
/** Minimum average size of all further chunks. */
const MIN_AVERAGE_BYTES = 64;

/** Counts the chunks of one response body: each costs a call and some hundred bytes, however small it is. */
export class ChunkCount {
  #chunks = 0;
  #bytes = 0;

  /** Adds a chunk. Returns whether there are now too many tiny ones. */
  exceedsWith(chunk: Buffer): boolean {
    this.#chunks += 1;
    this.#bytes += chunk.length;
    return this.#chunks > FREE_CHUNKS + this.#bytes / MIN_AVERAGE_BYTES;
  }
}

/**
 * Destroys a body with too many tiny chunks while it is being parsed: the parser emits all chunks of 64 KB before any
 * reader runs.
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
  return new OutboundError('too_large', 'The answer comes in too many tiny pieces.');
}
