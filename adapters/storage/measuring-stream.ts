import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { StoredObject } from './object-storage.ts';

/** Stream that passes bytes through, and computes their number and SHA-256 digest. */
export class MeasuringStream extends Transform {
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.length;
    done(null, chunk);
  }

  /** Returns number and digest of the bytes. Call this once, after the last byte. */
  getResult(): StoredObject {
    return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest('hex') };
  }
}
