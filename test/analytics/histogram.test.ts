import assert from 'node:assert/strict';
import { BIN_BOUNDS, findBin, estimatePercentile } from '../../core/analytics/histogram.ts';
import { withAdmin } from '../support/database.ts';
import { computePercentile } from './recount.ts';
import { assertNear } from './support.ts';

function countByBin(values: readonly number[]) {
  return values.map((value) => ({ bin: findBin(value), count: 1 }));
}

describe('a histogram', () => {
  it('has bins that are at most a twentieth as wide as their values', () => {
    const wide = BIN_BOUNDS.slice(0, -1).filter((lowest, index) => {
      const highest = BIN_BOUNDS[index + 1]! - 1;
      return highest - lowest > lowest / 20;
    });
    assert.deepEqual(wide, []);
    assert.deepEqual(
      BIN_BOUNDS,
      [...new Set(BIN_BOUNDS)].toSorted((a, b) => a - b),
    );
    assert.equal(BIN_BOUNDS.at(-1), 2_097_152);
  });

  for (const [value, bin] of [
    [0, 0],
    [1, 1],
    [2, 2],
    [22, 22],
    [2_097_151, BIN_BOUNDS.length - 1],
    [2_097_152, BIN_BOUNDS.length],
    [2_147_483_647, BIN_BOUNDS.length],
  ] as const)
    it(`puts ${value} into bin ${bin}`, () => assert.equal(findBin(value), bin));

  it('puts every value into the bin that the database computes for it', async () => {
    const values = [0, 1, ...BIN_BOUNDS.flatMap((bound) => [bound - 1, bound, bound + 1])];
    const found = await withAdmin((client) =>
      client.query<{ bin: number }>(
        'SELECT width_bucket(value, $1::int[]) AS bin FROM unnest($2::int[]) AS given (value)',
        [BIN_BOUNDS, values],
      ),
    );
    assert.deepEqual(
      found.rows.map(({ bin }) => bin),
      values.map(findBin),
    );
  });

  it('has no percentile without values', () => {
    assert.equal(estimatePercentile([], 0.5), null);
    assert.equal(estimatePercentile([{ bin: 3, count: 0 }], 0.5), null);
  });

  it('returns a single value as each percentile', () => {
    for (const value of [0, 1, 13, 14, 99, 1000, 12_345, 1_999_999])
      for (const part of [0, 0.5, 0.9, 1]) assertNear(estimatePercentile(countByBin([value]), part), value);
  });

  it('returns percentiles by rank, in any order of bins, and spreads values over their bin', () => {
    const values = Array.from({ length: 1000 }, (_, index) => 2000 + index * 7);
    const counts = countByBin(values).toReversed();
    for (const part of [0.01, 0.1, 0.5, 0.9, 0.99, 1])
      assertNear(estimatePercentile(counts, part), computePercentile(values, part));
    assert.equal(
      estimatePercentile(
        [
          { bin: 5, count: 9 },
          { bin: 20, count: 1 },
        ],
        0.9,
      ),
      5,
    );
    assert.equal(
      estimatePercentile(
        [
          { bin: 5, count: 9 },
          { bin: 20, count: 1 },
        ],
        0.91,
      ),
      20,
    );
  });
});
