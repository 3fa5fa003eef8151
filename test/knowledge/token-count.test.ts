import assert from 'node:assert/strict';
import { countTextTokens } from '../../services/knowledge/ingestion/token-count.ts';
import { assertCpuBelow } from '../support/cost.ts';

describe('countTextTokens', () => {
  it('counts short white space as the tokenizer does', () => {
    assert.deepEqual(['a b', 'a\n\nb', 'a\u3000b'].map(countTextTokens), [2, 3, 3]);
  });

  for (const space of ['\u3000', '\u00a0', '\n', ' \u3000']) {
    it(`counts 20,000 times ${JSON.stringify(space)} in linear time`, () => {
      countTextTokens('');
      const text = `a${space.repeat(20_000)}b`;
      let tokens = 0;
      assertCpuBelow(1000, () => (tokens = countTextTokens(text)));
      assert.ok(tokens > 100);
    });
  }
});
