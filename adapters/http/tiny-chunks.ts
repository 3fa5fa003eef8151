import type { Readable } from 'node:stream';
import { OutboundError } from './outbound-error.ts';

/** Chunks that may be as small as they like. */
const FREE_CHUNKS = 2000;
/** Of all further ones, on average. */
const MIN_AVERAGE_BYTES = 64;

/** Counts the chunks of one response body: each takes a call and a hundred times its own memory, however small it is. */
export class ChunkCount {
  #chunks = 0;
  #bytes = 0;

  /** Adds a chunk; returns whether there are too many tiny ones by now. */
  exceedsWith(chunk: Buffer): boolean {
    this.#chunks += 1;
    this.#bytes += chunk.length;
    return this.#chunks > FREE_CHUNKS + this.#bytes / MIN_AVERAGE_BYTES;
  }
}

/**
 * Ends a body that comes in very many tiny chunks, while they are parsed: the parser passes on all those of 64 KB before any reader
 * has its turn.
 */
export function endTinyChunks(body: Readable): void {
  const push = body.push.bind(body);
  const count = new ChunkCount();
  body.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null || !count.exceedsWith(chunk)) return push(chunk, encoding);
    body.destroy(tinyChunks());
    return false;
  };
}

export function tinyChunks(): OutboundError {
  return new OutboundError('too_large', 'The answer comes in too many tiny pieces.');
}
