import assert from 'node:assert/strict';
import { interleave } from '../../core/interleave.ts';

describe('interleave', () => {
  it('returns the first items of all lists, then the second ones, and skips lists that have ended', () => {
    assert.deepEqual(interleave<unknown>([[1, 2, 3], [], ['a'], ['x', 'y']]), [1, 'a', 'x', 2, 'y', 3]);
  });

  it('keeps items that are undefined or null, and returns nothing for no lists', () => {
    assert.deepEqual(interleave([[undefined, 1], [null]]), [undefined, null, 1]);
    assert.deepEqual(interleave([]), []);
  });
});
