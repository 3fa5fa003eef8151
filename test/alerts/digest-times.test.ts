import assert from 'node:assert/strict';
import { findNextDigest, type DigestPlan } from '../../services/alerts/digests/digest-times.ts';

const daily: DigestPlan = { digest: 'daily', digestHour: 9, digestWeekday: 1, timezone: 'Europe/Berlin' };

/** Returns the times of the next `count` alert digests of a policy. */
function listDigestTimes(after: string, plan: Partial<DigestPlan>, count: number): string[] {
  const found: string[] = [];
  for (let at = new Date(after); found.length < count;) {
    const next = findNextDigest({ ...daily, ...plan }, at);
    at = next!.at;
    found.push(`${next!.date} ${at.toISOString().slice(0, 16)}`);
  }
  return found;
}

describe('findNextDigest', () => {
  it('returns the next time at which local clocks show the hour, across daylight saving changes', () => {
    assert.deepEqual(listDigestTimes('2026-03-27T12:00:00Z', {}, 3), [
      '2026-03-28 2026-03-28T08:00',
      '2026-03-29 2026-03-29T07:00',
      '2026-03-30 2026-03-30T07:00',
    ]);
    assert.deepEqual(listDigestTimes('2026-03-27T08:00:00Z', {}, 1), ['2026-03-28 2026-03-28T08:00']);
    assert.deepEqual(listDigestTimes('2026-03-27T07:59:59.999Z', {}, 1), ['2026-03-27 2026-03-27T08:00']);
  });

  it('returns the end of the gap on a day that skips the hour, and a single time on a day that has the hour twice', () => {
    assert.deepEqual(listDigestTimes('2026-03-28T12:00:00Z', { digestHour: 2 }, 2), [
      '2026-03-29 2026-03-29T01:00',
      '2026-03-30 2026-03-30T00:00',
    ]);
    assert.deepEqual(listDigestTimes('2026-10-24T12:00:00Z', { digestHour: 2 }, 2), [
      '2026-10-25 2026-10-25T00:00',
      '2026-10-26 2026-10-26T01:00',
    ]);
  });

  it('returns a time on the weekday of a weekly digest, in the plan’s time zone', () => {
    const sundays = {
      digest: 'weekly',
      digestWeekday: 0,
      digestHour: 1,
      timezone: 'Pacific/Auckland',
    } as const;
    assert.deepEqual(listDigestTimes('2026-11-20T00:00:00Z', sundays, 2), [
      '2026-11-22 2026-11-21T12:00',
      '2026-11-29 2026-11-28T12:00',
    ]);
  });

  it('returns no second time on the day of the last digest, even if the hour has changed', () => {
    const moved = { ...daily, digestHour: 15 };
    const sentAt = new Date('2026-11-23T08:00:30Z');
    assert.equal(findNextDigest(moved, sentAt, '2026-11-23')!.date, '2026-11-24');
    assert.equal(findNextDigest(moved, sentAt, '2026-11-22')!.date, '2026-11-23');
    assert.equal(findNextDigest({ ...moved, digest: 'weekly' }, sentAt, '2026-11-23')!.date, '2026-11-30');
  });

  it('returns null without digests', () => {
    assert.equal(findNextDigest({ ...daily, digest: 'none' }, new Date()), null);
  });
});
