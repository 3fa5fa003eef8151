import assert from 'node:assert/strict';
import { mergeUnique } from '../../core/merge-unique.ts';

describe('mergeUnique', () => {
  it('returns all entries of parts with different names', () => {
    assert.deepEqual(mergeUnique({ a: 1 }, {}, { b: 2, c: 3 }), { a: 1, b: 2, c: 3 });
  });

  it('throws an error that names a duplicate of two parts', () => {
    assert.throws(() => mergeUnique({ a: 1 }, { a: 1 }), new Error('Two parts are called a; rename one.'));
  });
});
