import { randomFillSync } from 'node:crypto';

const PIECES = 256;

/** Random bytes in pieces of one size, made for many at once: a call of the system costs more than what most need them for. */
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
