import assert from 'node:assert/strict';
import { formatHours, formatTime } from '../../console/bookings/times.ts';

/** Half-hours before and after clocks go back from two to one: the clock shows both as 01:30. */
const FIRST = { start: '2026-10-25T00:30:00Z', end: '2026-10-25T01:00:00Z' };
const SECOND = { start: '2026-10-25T01:30:00Z', end: '2026-10-25T02:00:00Z' };
const LATER = { start: '2026-10-25T09:30:00Z', end: '2026-10-25T10:00:00Z' };
const ZONE = 'Europe/Lisbon';

/** Returns the offset from GMT in a text. Some versions of ICU write GMT+0 for GMT. */
const offsetIn = (text: string) => (/GMT.*/.exec(text)?.[0] ?? '').replace('+0', '');

describe('the time of a booking', () => {
  it('includes the offset in an hour that clocks show twice', () => {
    assert.deepEqual(
      [FIRST, SECOND, LATER].map(({ start }) => offsetIn(formatTime(start, ZONE))),
      ['GMT+1', 'GMT', ''],
    );
    assert.deepEqual(
      [FIRST, SECOND, LATER].map(({ start, end }) => formatHours(start, end, ZONE).includes('GMT')),
      [true, true, false],
    );
  });

  it('has an end date only if the booking takes a day or more', () => {
    const until = (end: string) => formatHours('2026-11-23T23:30:00Z', end, 'UTC');
    assert.equal(until('2026-11-24T00:30:00Z').includes('2026'), false);
    assert.equal(until('2026-11-25T00:30:00Z').includes('2026'), true);
  });
});
