import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { TAG_BYTES } from './sealed-value.ts';

const CIPHER = 'aes-256-gcm';
/**
 * Number of plain bytes in each frame (part) of an encrypted file. An encrypted frame also has an
 * authentication tag.
 */
export const FRAME_BYTES = 64 * 1024;
const SALT_BYTES = 32;
const NONCE_PREFIX_BYTES = 7;
const HEADER_BYTES = SALT_BYTES + NONCE_PREFIX_BYTES;
const LAST = 1;

/** Thrown for an encrypted file that was changed, truncated or moved. */
export class SealedFileDamaged extends Error {
  constructor(options: { cause?: unknown } = {}) {
    super(
      'An encrypted file cannot be decrypted: it was changed or truncated, or Parley did not write it.',
      options,
    );
    this.name = 'SealedFileDamaged';
  }
}

/**
 * Encrypts and decrypts the frames of a file by the STREAM construction. Each frame's nonce contains a
 * counter and a flag for the last frame, so that frames cannot be removed, reordered or added.
 */
class FrameCipher {
  readonly #key: Buffer;
  readonly #prefix: Buffer;
  readonly #context: Buffer;
  #count = 0;

  constructor(key: Buffer, header: Buffer, context: string) {
    const salt = header.subarray(0, SALT_BYTES);
    this.#key = Buffer.from(hkdfSync('sha256', key, salt, `parley/file/${context}`, key.length));
    this.#prefix = header.subarray(SALT_BYTES);
    this.#context = Buffer.from(context);
  }

  seal(frame: Buffer, isLast: boolean): Buffer {
    const cipher = createCipheriv(CIPHER, this.#key, this.#nextNonce(isLast));
    cipher.setAAD(this.#context);
    return Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Decrypts one frame of the file.
   * @throws SealedFileDamaged
   */
  open(sealed: Buffer, isLast: boolean): Buffer {
    if (sealed.length < TAG_BYTES) throw new SealedFileDamaged();
    const decipher = createDecipheriv(CIPHER, this.#key, this.#nextNonce(isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(this.#context);
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const body = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
    try {
      return Buffer.concat([body, decipher.final()]);
    } catch (cause) {
      throw new SealedFileDamaged({ cause });
    }
  }

  #nextNonce(isLast: boolean): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#count);
    this.#count += 1;
    return Buffer.concat([this.#prefix, counter, Buffer.from([isLast ? LAST : 0])]);
  }
}

/**
 * Splits a file's stream into parts of equal size, of which the last may be shorter, and transforms each
 * part.
 */
abstract class FixedSizeParts extends Transform {
  #waiting: Buffer[] = [];
  #bytes = 0;

  protected abstract get partBytes(): number;
  protected abstract transformPart(part: Buffer, isLast: boolean): Buffer;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    this.#passErrors(done, () => {
      // Emit a full part only after more bytes have arrived, since it may be the last part.
      while (this.#bytes > this.partBytes) this.push(this.transformPart(this.#cut(this.partBytes), false));
    });
  }

  override _flush(done: TransformCallback): void {
    this.#passErrors(done, () => void this.push(this.transformPart(this.#cut(this.#bytes), true)));
  }

  #cut(bytes: number): Buffer {
    const all = this.#waiting.length === 1 ? this.#waiting[0]! : Buffer.concat(this.#waiting);
    this.#waiting = [all.subarray(bytes)];
    this.#bytes -= bytes;
    return all.subarray(0, bytes);
  }

  #passErrors(done: TransformCallback, work: () => void): void {
    try {
      work();
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Returns the size in bytes that an encrypted file had before its encryption. */
export function computePlainSize(sealedBytes: number): number {
  const frames = Math.max(1, Math.ceil((sealedBytes - HEADER_BYTES) / (FRAME_BYTES + TAG_BYTES)));
  return sealedBytes - HEADER_BYTES - frames * TAG_BYTES;
}

/** Encrypts a file of any size in frames, with a key derived for this file. */
export class FileSealer extends FixedSizeParts {
  readonly #frames: FrameCipher;

  constructor(key: Buffer, context: string) {
    super();
    const header = randomBytes(HEADER_BYTES);
    this.#frames = new FrameCipher(key, header, context);
    this.push(header);
  }

  protected get partBytes(): number {
    return FRAME_BYTES;
  }

  protected transformPart(part: Buffer, isLast: boolean): Buffer {
    return this.#frames.seal(part, isLast);
  }
}

/**
 * Decrypts a file that `FileSealer` encrypted in the same context. Emits a frame only after verifying its
 * tag.
 */
export class FileOpener extends FixedSizeParts {
  readonly #key: Buffer;
  readonly #context: string;
  readonly #onRefused: () => void;
  #frames: FrameCipher | undefined;

  /** @param onRefused callback for a frame that cannot be decrypted */
  constructor(key: Buffer, context: string, onRefused: () => void) {
    super();
    this.#key = key;
    this.#context = context;
    this.#onRefused = onRefused;
  }

  /**
   * Size in bytes of the next part to read from the encrypted file. The first part also contains the file's
   * header.
   */
  protected get partBytes(): number {
    return FRAME_BYTES + TAG_BYTES + (this.#frames ? 0 : HEADER_BYTES);
  }

  protected transformPart(part: Buffer, isLast: boolean): Buffer {
    try {
      return this.#openPart(part, isLast);
    } catch (error) {
      this.#onRefused();
      throw error;
    }
  }

  #openPart(part: Buffer, isLast: boolean): Buffer {
    if (this.#frames) return this.#frames.open(part, isLast);
    if (part.length < HEADER_BYTES) throw new SealedFileDamaged();
    this.#frames = new FrameCipher(this.#key, part.subarray(0, HEADER_BYTES), this.#context);
    return this.#frames.open(part.subarray(HEADER_BYTES), isLast);
  }
}
