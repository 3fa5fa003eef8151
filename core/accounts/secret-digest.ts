import { createHash } from 'node:crypto';

/** SHA-256 in hex: a fast hash suffices for secrets of 112 random bits or more, which cannot be guessed. */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
