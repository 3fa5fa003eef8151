import assert from 'node:assert/strict';
import { Fitting, MAX_CHARACTERS } from '../../api/mcp/fitting.ts';

describe('fitting items into a result', () => {
  for (const [what, text, maxLength, expected] of [
    ['a short text is whole', 'Hello "you"', 13, 'Hello "you"'],
    ['a long text is cut', 'abcdef', 4, 'abc…'],
    ['a text with quotes is cut by what they take', '""""', 7, '"""…'],
    ['a text of control characters is cut by what they take', '\u0001'.repeat(5), 20, '\u0001\u0001\u0001…'],
    ['no character is cut in halves', '😀'.repeat(3), 4, '😀…'],
    ['of a text that has no room there is the ellipsis', '\u0001\u0001', 5, '…'],
  ] as const) {
    it(what, () => {
      const fit = new Fitting();
      const found = fit.text(text, maxLength);
      assert.deepEqual([found, fit.isCut], [expected, found !== text]);
      assert.ok(JSON.stringify(found).length - 2 <= maxLength);
    });
  }

  it('returns the first items that fit together, and always at least one', () => {
    const fit = new Fitting();
    const large = 'x'.repeat(10_000);
    assert.deepEqual(fit.items([large, large, large]), [large, large]);
    assert.equal(fit.isCut, true);
    assert.deepEqual(new Fitting().items(['x'.repeat(MAX_CHARACTERS), 'y']).length, 1);
    assert.deepEqual(new Fitting().items([]), []);
  });
});
