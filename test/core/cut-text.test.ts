import assert from 'node:assert/strict';
import { cutText } from '../../core/text/cut-text.ts';

describe('cutText', () => {
  it('keeps a short text', () => {
    assert.equal(cutText('four', 4), 'four');
  });

  it('cuts a long text between characters', () => {
    assert.equal(cutText('a🚲🚲', 3), 'a🚲');
    assert.equal(cutText('a🚲🚲', 4), 'a🚲');
    assert.equal(cutText('🚲', 1), '');
  });
});
