import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { TAG_BYTES } from './sealed-value.ts';

const CIPHER = 'aes-256-gcm';
/** Plain bytes in a frame; a sealed frame is longer by its tag. */
export const FRAME_BYTES = 64 * 1024;
const SALT_BYTES = 32;
const NONCE_PREFIX_BYTES = 7;
const HEADER_BYTES = SALT_BYTES + NONCE_PREFIX_BYTES;
const LAST = 1;

/** A sealed file that was changed or cut off, or is another one's. */
export class SealedFileDamaged extends Error {
  constructor(options: { cause?: unknown } = {}) {
    super('A sealed file does not open: it was changed or cut off, or comes from elsewhere.', options);
    this.name = 'SealedFileDamaged';
  }
}

/** The construction STREAM: frames with nonces of a prefix, a counter, and whether it is the last, so that none can be left out, moved or added. */
class Frames {
  readonly #key: Buffer;
  readonly #prefix: Buffer;
  readonly #place: Buffer;
  #count = 0;

  constructor(key: Buffer, header: Buffer, place: string) {
    const salt = header.subarray(0, SALT_BYTES);
    this.#key = Buffer.from(hkdfSync('sha256', key, salt, `parley/file/${place}`, key.length));
    this.#prefix = header.subarray(SALT_BYTES);
    this.#place = Buffer.from(place);
  }

  seal(frame: Buffer, isLast: boolean): Buffer {
    const cipher = createCipheriv(CIPHER, this.#key, this.#nextNonce(isLast));
    cipher.setAAD(this.#place);
    return Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws SealedFileDamaged */
  open(sealed: Buffer, isLast: boolean): Buffer {
    if (sealed.length < TAG_BYTES) throw new SealedFileDamaged();
    const decipher = createDecipheriv(CIPHER, this.#key, this.#nextNonce(isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(this.#place);
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

/** Cuts what passes into parts of one size; the last is whatever is left. */
abstract class Parts extends Transform {
  #waiting: Buffer[] = [];
  #bytes = 0;

  protected abstract get partBytes(): number;
  protected abstract passed(part: Buffer, isLast: boolean): Buffer;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    this.#attempt(done, () => {
      // A full part may be the last one: it is known when more comes.
      while (this.#bytes > this.partBytes) this.push(this.passed(this.#cut(this.partBytes), false));
    });
  }

  override _flush(done: TransformCallback): void {
    this.#attempt(done, () => void this.push(this.passed(this.#cut(this.#bytes), true)));
  }

  #cut(bytes: number): Buffer {
    const all = this.#waiting.length === 1 ? this.#waiting[0]! : Buffer.concat(this.#waiting);
    this.#waiting = [all.subarray(bytes)];
    this.#bytes -= bytes;
    return all.subarray(0, bytes);
  }

  #attempt(done: TransformCallback, work: () => void): void {
    try {
      work();
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** How large a sealed file is once it is opened. */
export function openedBytes(sealedBytes: number): number {
  const frames = Math.max(1, Math.ceil((sealedBytes - HEADER_BYTES) / (FRAME_BYTES + TAG_BYTES)));
  return sealedBytes - HEADER_BYTES - frames * TAG_BYTES;
}

/** Seals a file of any size with a key of its own, in frames. */
export class FileSealer extends Parts {
  readonly #frames: Frames;

  constructor(key: Buffer, place: string) {
    super();
    const header = randomBytes(HEADER_BYTES);
    this.#frames = new Frames(key, header, place);
    this.push(header);
  }

  protected get partBytes(): number {
    return FRAME_BYTES;
  }

  protected passed(part: Buffer, isLast: boolean): Buffer {
    return this.#frames.seal(part, isLast);
  }
}

/** Opens what `FileSealer` has sealed at the same place; nothing of a frame passes before the frame is proven. */
export class FileOpener extends Parts {
  readonly #key: Buffer;
  readonly #place: string;
  readonly #refused: () => void;
  #frames: Frames | undefined;

  /** @param refused callback for a frame that does not decrypt */
  constructor(key: Buffer, place: string, refused: () => void) {
    super();
    this.#key = key;
    this.#place = place;
    this.#refused = refused;
  }

  /** The header comes with the first frame. */
  protected get partBytes(): number {
    return FRAME_BYTES + TAG_BYTES + (this.#frames ? 0 : HEADER_BYTES);
  }

  protected passed(part: Buffer, isLast: boolean): Buffer {
    try {
      return this.#opened(part, isLast);
    } catch (error) {
      this.#refused();
      throw error;
    }
  }

  #opened(part: Buffer, isLast: boolean): Buffer {
    if (this.#frames) return this.#frames.open(part, isLast);
    if (part.length < HEADER_BYTES) throw new SealedFileDamaged();
    this.#frames = new Frames(this.#key, part.subarray(0, HEADER_BYTES), this.#place);
    return this.#frames.open(part.subarray(HEADER_BYTES), isLast);
  }
}
