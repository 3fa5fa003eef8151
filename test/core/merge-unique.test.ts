import assert from 'node:assert/strict';
import { mergeUnique } from '../../core/merge-unique.ts';

describe('mergeUnique', () => {
  it('merges the entries of parts with different names', () => {
    assert.deepEqual(mergeUnique({ a: 1 }, {}, { b: 2, c: 3 }), { a: 1, b: 2, c: 3 });
  });

  it('throws an error that names an entry which two parts have', () => {
    assert.throws(() => mergeUnique({ a: 1 }, { a: 1 }), new Error('Two parts are called a; rename one.'));
  });
});
