import assert from 'node:assert/strict';
import { piecesOf } from '../../core/concurrency/in-steps.ts';

describe('the pieces of a long text', () => {
  for (const text of ['', 'a', '😀'.repeat(300_000), `a${'😀'.repeat(300_000)}`, 'a'.repeat(600_000)]) {
    it(`make up ${text.length} units again, and none ends within a character`, () => {
      const pieces = [...piecesOf(text)];
      assert.equal(pieces.join(''), text);
      for (const piece of pieces) assert.ok(piece.isWellFormed() && piece.length <= 256 * 1024 + 1);
    });
  }
});
