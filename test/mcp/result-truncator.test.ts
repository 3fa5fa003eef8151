import assert from 'node:assert/strict';
import { ResultTruncator, MAX_CHARACTERS } from '../../api/mcp/result-truncator.ts';

describe('fitting items into a result', () => {
  for (const [what, text, maxLength, expected] of [
    ['keeps a short text whole', 'Hello "you"', 13, 'Hello "you"'],
    ['truncates a long text', 'abcdef', 4, 'abc…'],
    ['truncates a text with quotes by its escaped length', '""""', 7, '"""…'],
    [
      'truncates a text of control characters by its escaped length',
      '\u0001'.repeat(5),
      20,
      '\u0001\u0001\u0001…',
    ],
    ['truncates no character in two', '😀'.repeat(3), 4, '😀…'],
    ['returns an ellipsis for a text without space', '\u0001\u0001', 5, '…'],
  ] as const) {
    it(what, () => {
      const fit = new ResultTruncator();
      const found = fit.truncateText(text, maxLength);
      assert.deepEqual([found, fit.isTruncated], [expected, found !== text]);
      assert.ok(JSON.stringify(found).length - 2 <= maxLength);
    });
  }

  it('returns the first items that fit together, and always at least one item', () => {
    const fit = new ResultTruncator();
    const large = 'x'.repeat(10_000);
    assert.deepEqual(fit.truncateItems([large, large, large]), [large, large]);
    assert.equal(fit.isTruncated, true);
    assert.deepEqual(new ResultTruncator().truncateItems(['x'.repeat(MAX_CHARACTERS), 'y']).length, 1);
    assert.deepEqual(new ResultTruncator().truncateItems([]), []);
  });
});
