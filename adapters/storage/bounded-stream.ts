import { Transform, type TransformCallback } from 'node:stream';

/** Stream that passes bytes through up to a limit, and then fails. */
export class BoundedStream extends Transform {
  readonly #createError: () => Error;
  #leftBytes: number;

  constructor(maxBytes: number, createError: () => Error) {
    super();
    this.#leftBytes = maxBytes;
    this.#createError = createError;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#leftBytes -= chunk.length;
    if (this.#leftBytes < 0) done(this.#createError());
    else done(null, chunk);
  }
}
