import assert from 'node:assert/strict';
import type { HandoffHours } from '../../core/conversations/handoff-config.ts';
import { computeAvailability } from '../../services/conversations/handoff-hours.ts';

const office: HandoffHours = {
  timezone: 'Europe/Berlin',
  periods: [
    { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], opens: '09:00', closes: '17:00' },
    { days: ['sunday'], opens: '20:00', closes: '24:00' },
  ],
};

describe('the hours of a handoff', () => {
  const cases: [what: string, now: string, opensAt: string | null][] = [
    ['are open from the minute that they begin', '2026-03-02T08:00:00Z', null],
    ['are closed the second before', '2026-03-02T07:59:59Z', '2026-03-02T08:00:00.000Z'],
    ['are open to the last second', '2026-03-02T15:59:59Z', null],
    ['are closed from the minute that they end', '2026-03-02T16:00:00Z', '2026-03-03T08:00:00.000Z'],
    ['last to midnight', '2026-03-01T22:59:59Z', null],
    ['skip days without hours', '2026-03-06T16:00:00Z', '2026-03-08T19:00:00.000Z'],
    ['follow the change to daylight saving time', '2026-03-29T22:30:00Z', '2026-03-30T07:00:00.000Z'],
    ['follow the change back to standard time', '2026-10-24T10:00:00Z', '2026-10-25T19:00:00.000Z'],
    ['are those of the time zone, not of UTC', '2026-07-06T06:59:00Z', '2026-07-06T07:00:00.000Z'],
  ];
  for (const [what, now, opensAt] of cases)
    it(what, () => {
      const opening = computeAvailability(office, new Date(now));
      assert.deepEqual(opening, {
        isOpen: opensAt === null,
        opensAt: opensAt === null ? null : new Date(opensAt),
      });
    });

  it('of a single weekday return after a week', () => {
    const hours: HandoffHours = {
      timezone: 'America/New_York',
      periods: [{ days: ['monday'], opens: '09:00', closes: '10:00' }],
    };
    const { opensAt } = computeAvailability(hours, new Date('2026-03-02T15:30:00Z'));
    assert.equal(opensAt?.toISOString(), '2026-03-09T13:00:00.000Z');
  });

  it('default to always open', () => {
    assert.deepEqual(computeAvailability(null, new Date()), { isOpen: true, opensAt: null });
  });
});
