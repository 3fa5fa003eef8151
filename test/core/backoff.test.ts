import assert from 'node:assert/strict';
import { backoffMs, limitWaitMs } from '../../core/concurrency/backoff.ts';

describe('backoffMs', () => {
  const pauses = { firstMs: 250, maxMs: 5000 };

  it('doubles the pause after each failure, up to the maximum', () => {
    const failures = [0, 1, 2, 3, 4, 5, 5000];
    assert.deepEqual(
      failures.map((count) => backoffMs(count, pauses)),
      [250, 500, 1000, 2000, 4000, 5000, 5000],
    );
  });

  it('treats a negative number of failures as zero', () => {
    assert.equal(backoffMs(-1, pauses), 250);
  });

  it('multiplies the pause by a given factor', () => {
    assert.equal(backoffMs(2, { ...pauses, factor: 3 }), 2250);
  });

  it('varies the pause by its jitter in both directions, and no further', () => {
    const varied = Array.from({ length: 2000 }, () => backoffMs(2, { ...pauses, jitter: 0.5 }));
    assert.ok(varied.every((pauseMs) => pauseMs >= 500 && pauseMs <= 1500));
    assert.ok(Math.min(...varied) < 600 && Math.max(...varied) > 1400);
  });
});

describe('limitWaitMs', () => {
  const cases: [waitMs: unknown, expectedMs: number][] = [
    [0, 0],
    [250.5, 250.5],
    [1000, 1000],
    [1001, 1000],
    [1e300, 1000],
    [-1, 0],
    [Infinity, 1000],
    [-Infinity, 1000],
    [NaN, 1000],
    [null, 1000],
    [undefined, 1000],
    ['5', 1000],
  ];
  for (const [waitMs, expectedMs] of cases)
    it(`limits ${String(waitMs)} ms to ${expectedMs} ms if the maximum is 1000 ms`, () => {
      assert.equal(limitWaitMs(waitMs as number, 1000), expectedMs);
    });
});
