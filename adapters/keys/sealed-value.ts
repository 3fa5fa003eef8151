import { createCipheriv, createDecipheriv } from 'node:crypto';
import { UndecryptableValue } from '../../core/errors/undecryptable-value.ts';
import { RandomPool } from '../../core/random-pool.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

const nonces = new RandomPool(NONCE_BYTES);

/**
 * Encrypts a value with AES-256-GCM. Returns a random nonce, the ciphertext and the tag.
 * @param context location at which the value is stored, such as `messages.content:<id>`; decryption fails
 *   with a different context
 */
export function sealValue(key: Buffer, value: string | Buffer, context: string): Buffer {
  const nonce = nonces.next();
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(Buffer.from(context));
  const body = typeof value === 'string' ? cipher.update(value, 'utf8') : cipher.update(value);
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts a value that `sealValue` encrypted.
 * @throws UndecryptableValue
 */
export function decryptValue(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new UndecryptableValue('A sealed value is too short.');
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const body = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch (cause) {
    throw new UndecryptableValue(
      'A sealed value was encrypted with another key or in another context, or was changed.',
      { cause },
    );
  }
}
