import assert from 'node:assert/strict';
import { splitText } from '../../core/concurrency/cooperative.ts';

describe('splitText', () => {
  for (const text of ['', 'a', '😀'.repeat(300_000), `a${'😀'.repeat(300_000)}`, 'a'.repeat(600_000)]) {
    it(`splits ${text.length} units without loss, and never within a character`, () => {
      const pieces = [...splitText(text)];
      assert.equal(pieces.join(''), text);
      for (const piece of pieces) assert.ok(piece.isWellFormed() && piece.length <= 256 * 1024 + 1);
    });
  }
});
