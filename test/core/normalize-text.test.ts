import assert from 'node:assert/strict';
import { breakMarks, normalizeText } from '../../core/text/normalize-text.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const JOINER = '\u034f';
const ACUTE = '\u0301';

describe('breakMarks', () => {
  it('keeps up to 30 marks after a character', () => {
    const text = `a${ACUTE.repeat(30)}b${ACUTE.repeat(30)} ก็ที่ नमस्ते`;
    assert.equal(breakMarks(text), text);
  });

  it('inserts a joiner after each 30 marks, and loses none', () => {
    const broken = breakMarks(`a${ACUTE.repeat(65)}`);
    assert.equal(broken, `a${ACUTE.repeat(30)}${JOINER}${ACUTE.repeat(30)}${JOINER}${ACUTE.repeat(5)}`);
    assert.equal(breakMarks(broken), broken);
  });

  for (const [what, mark] of [
    ['marks beyond the first plane', '\u{1d165}'],
    ['half-width voicing marks, which NFKC turns into marks', '\uff9e'],
    ['marks that expand to two', '\u0344'],
  ] as const)
    itInSoak(`breaks runs of ${what}`, () =>
      assert.equal(breakMarks(`a${mark.repeat(31)}`), `a${mark.repeat(30)}${JOINER}${mark}`),
    );
});

describe('normalizeText', () => {
  it('returns the normalization form of the Unicode standard', () => {
    assert.equal(normalizeText('e\u0301\uff21\ufb01', 'NFC', 100), 'é\uff21\ufb01');
    assert.equal(normalizeText('e\u0301\uff21\ufb01', 'NFKC', 100), 'éAfi');
    assert.equal(normalizeText('é', 'NFD', 100), 'e\u0301');
  });

  it('truncates a text before and after it is normalized', () => {
    assert.equal(normalizeText('abcdef', 'NFC', 3), 'abc');
    assert.equal(normalizeText('\ufdfa'.repeat(10), 'NFKC', 10).length, 10);
    assert.equal(normalizeText('a😀', 'NFC', 2), 'a');
  });

  const runs = {
    'marks of two classes': `a${ACUTE.repeat(100_000)}${'\u0334'.repeat(100_000)}`,
    'marks in turns': `a${`${ACUTE}\u0334`.repeat(100_000)}`,
    'Tibetan vowels': 'ཀ' + '\u0f71\u0f72'.repeat(100_000),
    'half-width voicing marks': `ｶ${'\uff9e'.repeat(100_000)}${'\u0334'.repeat(100_000)}`,
    'marks beyond the first plane': `a${'\u{1d165}'.repeat(50_000)}${'\u{1d167}'.repeat(50_000)}`,
    'marks that expand to two': `a${'\u0344'.repeat(100_000)}${'\u0334'.repeat(100_000)}`,
    'joiners between marks': `a${`${ACUTE}${JOINER}\u0334`.repeat(66_666)}`,
  };
  for (const [what, text] of Object.entries(runs))
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
      it(`takes linear time for ${what} as ${form}`, () => {
        // An algorithm of quadratic time would take half a minute for this text.
        assertCpuBelow(1000, () => normalizeText(text, form, 200_001));
      });
});
