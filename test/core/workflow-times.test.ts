import assert from 'node:assert/strict';
import { formatTimeAfter, limitTimerMs } from '../../core/workflows/format.ts';

const YEAR_MS = 366 * 86_400_000;

describe('times of workflows:', () => {
  it('limitTimerMs keeps a wait within 366 days', () => {
    assert.deepEqual([-1, 0, 5000, YEAR_MS].map(limitTimerMs), [0, 0, 5000, YEAR_MS]);
  });

  // Null is among the waits, because JSON turns Infinity into null.
  for (const waitMs of [1e300, Infinity, NaN, null as unknown as number])
    it(`limitTimerMs and formatTimeAfter cut a wait of ${waitMs} ms to 366 days`, () => {
      assert.equal(limitTimerMs(waitMs), YEAR_MS);
      assert.ok(Math.abs(Date.parse(formatTimeAfter(waitMs)) - Date.now() - YEAR_MS) < 60_000);
    });
});
