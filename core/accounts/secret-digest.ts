import { createHash } from 'node:crypto';

/** SHA-256 in hex: enough to keep a secret of 112 random bits or more, which nobody can guess. */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
