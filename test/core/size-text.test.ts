import assert from 'node:assert/strict';
import { formatSize } from '../../core/text/size-text.ts';

describe('formatSize', () => {
  for (const [bytes, text] of [
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1 KB'],
    [1_048_575, '1023.9 KB'],
    [1_572_864, '1.5 MB'],
    [26_214_400, '25 MB'],
  ] as const) {
    it(`formats ${bytes} as ${text}`, () => {
      assert.equal(formatSize(bytes), text);
    });
  }
});
