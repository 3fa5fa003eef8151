import assert from 'node:assert/strict';
import { parseRetryAfter } from '../../adapters/http/retry-after.ts';
import { loadSettings } from '../../core/settings/settings.ts';
import {
  parseSchedule,
  computeRetryPause,
  computePostponement,
} from '../../services/webhooks/retry-schedule.ts';

const HOUR_MS = 3_600_000;
const schedule = parseSchedule(loadSettings({}).webhookRetrySchedule);

describe('the retry schedule', () => {
  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h by default', () => {
    assert.deepEqual(schedule, [
      5000,
      300_000,
      1_800_000,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      10 * HOUR_MS,
    ]);
  });

  it('can have a single pause or no pause', () => {
    assert.equal(computeRetryPause(parseSchedule('7'), 2), undefined);
    assert.ok(computeRetryPause(parseSchedule('7'), 1)! >= 7000);
    assert.equal(computeRetryPause(parseSchedule('none'), 1), undefined);
  });

  it('adds up to 10 % of jitter', () => {
    for (let round = 0; round < 200; round += 1) {
      const pauseMs = computeRetryPause(schedule, 1)!;
      assert.ok(pauseMs >= 5000 && pauseMs <= 5500, String(pauseMs));
    }
  });

  it('postpones a delivery that cannot be sent yet by half its age, between 5 s and 5 min, plus jitter', () => {
    for (const [ageMs, pauseMs] of [
      [0, 5000],
      [60_000, 30_000],
      [HOUR_MS, 300_000],
    ] as const) {
      const found = computePostponement(ageMs);
      assert.ok(found && found >= pauseMs && found <= pauseMs * 1.1, `${found} ms after ${ageMs} ms`);
    }
    assert.equal(computePostponement(30 * 24 * HOUR_MS + 1), undefined);
  });

  it('ends after the eighth attempt', () => {
    assert.ok(computeRetryPause(schedule, 7)! >= 10 * HOUR_MS);
    assert.equal(computeRetryPause(schedule, 8), undefined);
  });

  it('uses a Retry-After of up to 24 h if it is longer, but never a shorter Retry-After', () => {
    assert.equal(computeRetryPause(schedule, 1, 60_000), 60_000);
    assert.equal(computeRetryPause(schedule, 1, 100 * HOUR_MS), 24 * HOUR_MS);
    assert.ok(computeRetryPause(schedule, 2, 1000)! >= 300_000);
  });
});

describe('parseRetryAfter', () => {
  const nowMs = Date.parse('2026-09-03T10:00:00Z');
  const cases: [string | undefined, number | undefined][] = [
    [undefined, undefined],
    ['0', 0],
    ['120', 120_000],
    ['1.5', 1500],
    ['0.0001', 1],
    ['1.', undefined],
    ['.5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['-5', undefined],
    ['+5', undefined],
    ['5, 10', undefined],
    ['5 s', undefined],
    ['soon', undefined],
    ['', undefined],
    ['99999999999999', 24 * HOUR_MS],
    ['9'.repeat(400), 24 * HOUR_MS],
    ['Thu, 03 Sep 2099 10:00:00 GMT', 24 * HOUR_MS],
    ['Thu, 03 Sep 2026 10:01:00 GMT', 60_000],
    ['Thu, 03 Sep 2026 09:00:00 GMT', 0],
    ['Thursday, 03-Sep-26 10:01:00 GMT', 60_000],
    ['Thu Sep  3 10:01:00 2026', 60_000],
    ['Fri, 04 Sep 2026 10:00:00 GMT', 24 * HOUR_MS],
    ['Thu, 03 Sep 2026 25:01:00 GMT', undefined],
    ['Someday', undefined],
    ['Monday', undefined],
    ['Not before 2030', undefined],
    ['2026-09-03T10:01:00Z', undefined],
  ];
  for (const [header, expected] of cases) {
    it(`reads ${JSON.stringify(header)?.slice(0, 40)} as ${expected} ms`, () => {
      assert.equal(parseRetryAfter(header, nowMs), expected);
    });
  }
});
