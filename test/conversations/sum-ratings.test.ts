import assert from 'node:assert/strict';
import { sumRatings } from '../../services/conversations/sum-ratings.ts';

describe('sumRatings', () => {
  it('adds up thumbs and reasons, and includes reasons that no visitor gave', () => {
    const { up, down, helpfulRate, reasons } = sumRatings([
      { thumb: 'up', reason: null, count: 6 },
      { thumb: 'down', reason: null, count: 1 },
      { thumb: 'down', reason: 'unclear', count: 1 },
    ]);
    assert.deepEqual([up, down, helpfulRate], [6, 2, 0.75]);
    assert.deepEqual(
      reasons.map(({ reason, count }) => `${reason} ${count}`),
      ['incorrect 0', 'incomplete 0', 'off_topic 0', 'unclear 1', 'other 0'],
    );
  });

  it('returns no rate without ratings', () => {
    assert.equal(sumRatings([]).helpfulRate, null);
  });
});
