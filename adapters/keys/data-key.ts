import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Transform } from 'node:stream';
import { FileOpener, FileSealer } from './sealed-file.ts';
import { decryptValue, sealValue } from './sealed-value.ts';

const KEY_BYTES = 32;

/** Generates a random 256-bit encryption key. */
export function generateKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/**
 * A decrypted data key, which encrypts content of a workspace. Each encrypted value is bound to its location
 * in the database, and can only be decrypted there.
 */
export class DataKey {
  readonly id: string;
  /**
   * Digest of the key that is stored with it, and that only this key produces. Without this digest, an
   * attacker with write access to the database could forge a value that two keys decrypt to different texts.
   */
  readonly commitment: string;
  readonly #values: Buffer;
  readonly #files: Buffer;
  readonly #words: Buffer;
  readonly #onRefused: () => void;

  /**
   * @param onRefused callback for each value or file that cannot be decrypted, because it was changed or
   * moved
   */
  constructor(id: string, key: Buffer, onRefused: () => void = () => undefined) {
    this.id = id;
    this.#onRefused = onRefused;
    this.#values = deriveContentKey(key, 'value');
    this.#files = deriveContentKey(key, 'file');
    this.#words = deriveContentKey(key, 'word');
    this.commitment = createHmac('sha256', deriveContentKey(key, 'commitment'))
      .update(id)
      .digest('base64url');
  }

  /** @throws Error if the stored commitment belongs to another key */
  assertCommitment(commitment: string): void {
    const [expected, actual] = [Buffer.from(this.commitment), Buffer.from(commitment)];
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual))
      throw new Error(`The data key ${this.id} is not the key with which its row was created.`);
  }

  /**
   * Encrypts a text with this data key.
   * @param context location at which the value is stored: `table.column:row`
   */
  seal(text: string, context: string): string {
    return sealValue(this.#values, text, context).toString('base64url');
  }

  /**
   * Decrypts a text that `seal` encrypted.
   * @throws Error if the value was encrypted in another context, or was changed
   */
  open(sealed: string, context: string): string {
    try {
      return decryptValue(this.#values, Buffer.from(sealed, 'base64url'), context).toString('utf8');
    } catch (error) {
      this.#onRefused();
      throw error;
    }
  }

  /** Creates a stream that encrypts a file with this data key. */
  sealFile(context: string): Transform {
    return new FileSealer(this.#files, context);
  }

  /** Creates a stream that decrypts a file. The stream fails if the file was changed, truncated or moved. */
  openFile(context: string): Transform {
    return new FileOpener(this.#files, context, this.#onRefused);
  }

  /**
   * Returns a keyed digest of a word in encrypted content. Equal words have equal digests, so that encrypted
   * text can be searched.
   */
  digestWord(word: string): string {
    return createHmac('sha256', this.#words).update(word).digest('base64url').slice(0, 22);
  }
}

function deriveContentKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `parley/content/${purpose}`, KEY_BYTES));
}
