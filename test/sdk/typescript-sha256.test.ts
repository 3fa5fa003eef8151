import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { computeHmacSha256 } from '../../sdk/typescript/src/sha256.ts';

describe('computeHmacSha256 of the TypeScript SDK', () => {
  const buildBytes = (length: number) =>
    Uint8Array.from({ length }, (_, index) => (index * 167 + length) % 256);

  it('returns the digest of node:crypto for keys and messages around the limits of a block', () => {
    for (const keyLength of [0, 1, 50, 63, 64, 65, 200])
      for (let length = 0; length < 200; length += 1) {
        const [key, message] = [buildBytes(keyLength), buildBytes(length)];
        const parts = [message.subarray(0, length / 3), message.subarray(length / 3)];
        const expected = createHmac('sha256', key).update(message).digest();
        assert.deepEqual(Buffer.from(computeHmacSha256(key, ...parts)), expected, `${keyLength} ${length}`);
      }
  });
});
