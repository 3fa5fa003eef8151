import { randomFillSync } from 'node:crypto';

const PIECES = 256;

/**
 * Provides random bytes in pieces of one size. Generates many pieces at once, because each system call costs
 * more than a piece.
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

  /**
   * Returns the next unused piece of random bytes, as a view of the pool's buffer. The view is valid until the
   * pool is refilled.
   */
  next(): Buffer {
    if (this.#used === this.#bytes.length) {
      randomFillSync(this.#bytes);
      this.#used = 0;
    }
    return this.#bytes.subarray(this.#used, (this.#used += this.#pieceBytes));
  }
}
