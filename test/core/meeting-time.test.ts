import assert from 'node:assert/strict';
import { formatMeetingTime } from '../../core/bookings/meeting-time.ts';

describe('formatMeetingTime', () => {
  const start = new Date('2026-11-23T09:00:00Z');
  const end = new Date('2026-11-23T09:30:00Z');

  for (const [timeZone, shown] of [
    ['Europe/Berlin', 'Monday, 23 November 2026, 10:00–10:30 (Europe/Berlin, GMT+1)'],
    ['Asia/Calcutta', 'Monday, 23 November 2026, 14:30–15:00 (Asia/Kolkata, GMT+5:30)'],
    ['Asia/Kolkata', 'Monday, 23 November 2026, 14:30–15:00 (Asia/Kolkata, GMT+5:30)'],
    ['Europe/Kiev', 'Monday, 23 November 2026, 11:00–11:30 (Europe/Kyiv, GMT+2)'],
    ['UTC', 'Monday, 23 November 2026, 09:00–09:30 (UTC)'],
  ] as const)
    it(`shows the current name of ${timeZone}`, () => {
      assert.equal(formatMeetingTime({ start, end, timeZone }, 'en').replaceAll(' ', ' '), shown);
    });
});
