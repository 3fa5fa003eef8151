import assert from 'node:assert/strict';
import { timeAfter, timerMs } from '../../core/workflows/format.ts';

const YEAR_MS = 366 * 86_400_000;

describe('times of workflows', () => {
  it('timerMs keeps a wait within 366 days', () => {
    assert.deepEqual([-1, 0, 5000, YEAR_MS].map(timerMs), [0, 0, 5000, YEAR_MS]);
  });

  // JSON turns Infinity into null.
  for (const waitMs of [1e300, Infinity, NaN, null as unknown as number])
    it(`timerMs and timeAfter cut a wait of ${waitMs} ms to 366 days`, () => {
      assert.equal(timerMs(waitMs), YEAR_MS);
      assert.ok(Math.abs(Date.parse(timeAfter(waitMs)) - Date.now() - YEAR_MS) < 60_000);
    });
});
