import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of a secret in hex. A fast hash is safe for random secrets of at least 112 bits, which
 * no one can guess.
 */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
