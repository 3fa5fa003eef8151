import { createHash } from 'node:crypto';

/** Returns a digest of 128 bits that identifies the content, as 22 characters of base64url. */
export function computeShortDigest(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
