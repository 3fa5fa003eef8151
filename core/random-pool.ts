import { randomFillSync } from 'node:crypto';

const PIECES = 256;

/**
 * Provides random bytes in pieces of one size, generated for many at once: a system call costs more than most uses of
 * them.
 */
export class RandomPool {
  readonly #bytes: Buffer;
  readonly #pieceBytes: number;
  #used: number;

  constructor(pieceBytes: number) {
    this.#bytes = Buffer.alloc(PIECES * pieceBytes);
    this.#pieceBytes = pieceBytes;
    this.#used = this.#bytes.length;
  }

  /** Returns an unused piece. It is a view of the pool, and must be used before more are taken. */
  next(): Buffer {
    if (this.#used === this.#bytes.length) {
      randomFillSync(this.#bytes);
      this.#used = 0;
    }
    return this.#bytes.subarray(this.#used, (this.#used += this.#pieceBytes));
  }
}
