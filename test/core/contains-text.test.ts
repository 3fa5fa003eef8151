import assert from 'node:assert/strict';
import { containsText } from '../../core/text/contains-text.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('containsText', () => {
  it('finds what String.prototype.includes finds', () => {
    const words = Array.from({ length: 2 ** 9 }, (_, at) =>
      at.toString(2).padStart(9, '0').replaceAll('0', 'a').replaceAll('1', 'b'),
    );
    const texts = ['aabaabaaabaabbabaab', 'ababababababab', 'bbbbbbbbbabbbbbbbb', 'aaaaaaaaa', ''];
    for (const text of texts)
      for (const word of words)
        assert.equal(containsText(text, word), text.includes(word), `${text} ${word}`);
    assert.equal(containsText('a', ''), true);
  });

  itInSoak('takes linear time for a text that almost contains the part at every position', () => {
    const text = 'a'.repeat(200_000);
    const part = `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`;
    // An algorithm of quadratic time would take minutes for this text.
    assertCpuBelow(1000, () => assert.equal(containsText(text, part), false));
  });
});
