import assert from 'node:assert/strict';
import { addDays, firstInstantAt, lastInstantAt, localTimeAt, getWeekday } from '../../core/local-time.ts';

const first = (date: string, hours: number, zone: string) =>
  firstInstantAt(date, hours * 60, zone).toISOString();
const last = (date: string, hours: number, zone: string) =>
  lastInstantAt(date, hours * 60, zone).toISOString();

describe('LocalTime', () => {
  it('returns the local time in a zone', () => {
    const instant = new Date('2026-06-30T23:45:59.999Z');
    assert.deepEqual(localTimeAt(instant, 'UTC'), { date: '2026-06-30', minutes: 1425, weekday: 2 });
    assert.deepEqual(localTimeAt(instant, 'Asia/Kathmandu'), {
      date: '2026-07-01',
      minutes: 330,
      weekday: 3,
    });
    assert.deepEqual(localTimeAt(instant, 'America/New_York'), {
      date: '2026-06-30',
      minutes: 1185,
      weekday: 2,
    });
    assert.throws(() => localTimeAt(instant, 'Nowhere/Else'), RangeError);
  });

  it('counts calendar days', () => {
    assert.equal(addDays('2026-02-28', 1), '2026-03-01');
    assert.equal(addDays('2026-01-01', -1), '2025-12-31');
    assert.equal(getWeekday('2026-11-22'), 0);
  });

  it('finds the instant of a local time by the offset of its day', () => {
    assert.equal(first('2026-03-28', 9, 'Europe/Berlin'), '2026-03-28T08:00:00.000Z');
    assert.equal(first('2026-03-29', 9, 'Europe/Berlin'), '2026-03-29T07:00:00.000Z');
    assert.equal(first('2026-03-29', 24, 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
    assert.equal(first('2026-07-01', 9, 'Pacific/Kiritimati'), '2026-06-30T19:00:00.000Z');
    assert.equal(first('2026-07-01', 9, 'Pacific/Pago_Pago'), '2026-07-01T20:00:00.000Z');
  });

  it('returns the first instant after the gap for a time that clocks skip', () => {
    assert.equal(first('2026-03-29', 2, 'Europe/Berlin'), '2026-03-29T01:00:00.000Z');
    assert.equal(first('2026-03-29', 2.75, 'Europe/Berlin'), '2026-03-29T01:00:00.000Z');
    assert.equal(last('2026-03-29', 2.75, 'Europe/Berlin'), '2026-03-29T01:00:00.000Z');
    assert.equal(first('2026-10-04', 2.25, 'Australia/Lord_Howe'), '2026-10-03T15:30:00.000Z');
    // Clocks in Santiago go from 24:00 to 1:00 at the start of this day.
    assert.equal(first('2026-09-06', 0, 'America/Santiago'), '2026-09-06T04:00:00.000Z');
  });

  it('returns the first or the second instant of a time that occurs twice', () => {
    assert.equal(first('2026-10-25', 2, 'Europe/Berlin'), '2026-10-25T00:00:00.000Z');
    assert.equal(last('2026-10-25', 2, 'Europe/Berlin'), '2026-10-25T01:00:00.000Z');
    assert.equal(first('2026-04-05', 1.75, 'Australia/Lord_Howe'), '2026-04-04T14:45:00.000Z');
    assert.equal(last('2026-04-05', 1.75, 'Australia/Lord_Howe'), '2026-04-04T15:15:00.000Z');
    assert.equal(last('2026-10-25', 4, 'Europe/Berlin'), '2026-10-25T03:00:00.000Z');
  });

  it('returns the start of the next day for a day that a zone has skipped', () => {
    assert.equal(first('2011-12-30', 9, 'Pacific/Apia'), '2011-12-30T10:00:00.000Z');
  });
});
