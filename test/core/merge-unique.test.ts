import assert from 'node:assert/strict';
import { mergeUnique } from '../../core/merge-unique.ts';

describe('mergeUnique', () => {
  it('of parts with names of their own returns all of them', () => {
    assert.deepEqual(mergeUnique({ a: 1 }, {}, { b: 2, c: 3 }), { a: 1, b: 2, c: 3 });
  });

  it('of two parts with one name throws an error that says it', () => {
    assert.throws(() => mergeUnique({ a: 1 }, { a: 1 }), new Error('Two parts are called a; rename one.'));
  });
});
