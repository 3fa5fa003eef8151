import assert from 'node:assert/strict';
import { readChosenRange, splitRange, readRange } from '../../console/analytics/overview/overview-range.ts';
import { toTimeRange } from '../../console/bookings/day-range.ts';
import { listLocalDays } from '../../core/analytics/analytics-range.ts';

const TODAY = '2026-03-31';

describe('the range of the analytics overview', () => {
  it('is the last thirty days if the URL contains no valid range', () => {
    assert.equal(readChosenRange({}), '30');
    for (const days of ['', '366', '-1', 'week', '__proto__'])
      assert.deepEqual(
        [readChosenRange({ days }), readRange({ days }, TODAY)],
        ['30', { from: '2026-03-02', until: TODAY }],
      );
  });

  it('has the chosen number of days, including today', () => {
    assert.deepEqual(readRange({ days: '7' }, TODAY), { from: '2026-03-25', until: TODAY });
    assert.deepEqual(readRange({ days: '365' }, TODAY), { from: '2025-04-01', until: TODAY });
  });

  it('is from day to day if both are dates, and the default if either is not a date', () => {
    const custom = { days: 'custom', from: '2026-01-01', until: '2026-01-31' };
    assert.deepEqual(readRange(custom, TODAY), { from: '2026-01-01', until: '2026-01-31' });
    assert.deepEqual(readRange({ ...custom, from: 'soon' }, TODAY), {
      from: '2026-03-02',
      until: '2026-01-31',
    });
  });

  it('is requested in parts with daily figures, even if a day has 26 hours', () => {
    const [zone, range] = ['Antarctica/Troll', { from: '2026-08-01', until: '2026-10-31' }];
    const daysIn = ({ from, to }: { from: string; to: string }) =>
      listLocalDays({ start: Date.parse(from), end: Date.parse(to) }, zone);
    assert.equal(daysIn(toTimeRange(range, zone)), null);
    const days = splitRange(range, zone).flatMap((part) => daysIn(part)!.map(({ date }) => date));
    assert.deepEqual(
      [days.length, days[0], days.at(-1), new Set(days).size],
      [92, range.from, range.until, 92],
    );
  });
});
