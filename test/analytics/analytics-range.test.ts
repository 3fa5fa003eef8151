import assert from 'node:assert/strict';
import {
  toAnalyticsRange,
  listLocalDays,
  splitIntoSeriesSpans,
  splitIntoSpans,
} from '../../core/analytics/analytics-range.ts';

const NOW = new Date('2026-11-21T11:09:01.279Z');

function rangeFrom(from: string, to: string) {
  return { start: Date.parse(from), end: Date.parse(to) };
}

function formatMinute(instant: number): string {
  return new Date(instant).toISOString().slice(0, 16);
}

describe('the range of an overview', () => {
  for (const { asked, is } of [
    { asked: {}, is: ['2026-10-22T11:15', '2026-11-21T11:15'] },
    {
      asked: { from: '2026-11-01T10:14:59.999Z', to: '2026-11-02T00:29:00Z' },
      is: ['2026-11-01T10:00', '2026-11-02T00:15'],
    },
    { asked: { from: '2026-11-21T11:00:00Z' }, is: ['2026-11-21T11:00', '2026-11-21T11:15'] },
    { asked: { to: '2000-01-03T00:00:00Z' }, is: ['2000-01-01T00:00', '2000-01-03T00:00'] },
    { asked: { to: '2026-11-01T00:00:00+05:45' }, is: ['2026-10-01T18:15', '2026-10-31T18:15'] },
  ])
    it(`is ${is.join(' to ')} for ${JSON.stringify(asked)}`, () => {
      const { start, end } = toAnalyticsRange(asked, NOW);
      assert.deepEqual([formatMinute(start), formatMinute(end)], is);
    });

  for (const { from, to, is } of [
    {
      from: '2026-11-01T22:45:00Z',
      to: '2026-11-04T01:15:00Z',
      is: [
        'quarter_hour 2026-11-01T22:45 2026-11-02T00:00',
        'day 2026-11-02T00:00 2026-11-04T00:00',
        'quarter_hour 2026-11-04T00:00 2026-11-04T01:15',
      ],
    },
    {
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-02T00:00:00Z',
      is: ['day 2026-11-01T00:00 2026-11-02T00:00'],
    },
    {
      from: '2026-11-01T12:00:00Z',
      to: '2026-11-02T12:00:00Z',
      is: ['quarter_hour 2026-11-01T12:00 2026-11-02T12:00'],
    },
    {
      from: '2025-12-31T23:45:00Z',
      to: '2026-03-02T00:00:00Z',
      is: [
        'quarter_hour 2025-12-31T23:45 2026-01-01T00:00',
        'month 2026-01-01T00:00 2026-03-01T00:00',
        'day 2026-03-01T00:00 2026-03-02T00:00',
      ],
    },
    {
      from: '2025-11-27T00:00:00Z',
      to: '2026-11-27T00:00:00Z',
      is: [
        'day 2025-11-27T00:00 2025-12-01T00:00',
        'month 2025-12-01T00:00 2026-11-01T00:00',
        'day 2026-11-01T00:00 2026-11-27T00:00',
      ],
    },
    {
      from: '2026-11-01T12:00:00Z',
      to: '2026-11-01T13:00:00Z',
      is: ['quarter_hour 2026-11-01T12:00 2026-11-01T13:00'],
    },
  ])
    it(`from ${from} to ${to} is split into ${is.length} spans`, () => {
      const spans = splitIntoSpans(rangeFrom(from, to));
      assert.deepEqual(
        spans.map(({ span, start, end }) => `${span} ${formatMinute(start)} ${formatMinute(end)}`),
        is,
      );
    });
});

describe('the days of an overview', () => {
  const describeDays = (zone: string, from: string, to: string) =>
    listLocalDays(rangeFrom(from, to), zone)?.map(
      ({ date, start, end }) => `${date} ${(end - start) / 3_600_000} h`,
    );

  for (const { what, zone, from, to, is } of [
    {
      what: 'begin at 18:15 UTC in Kathmandu',
      zone: 'Asia/Kathmandu',
      from: '2026-11-01T18:00:00Z',
      to: '2026-11-03T00:00:00Z',
      is: ['2026-11-01 0.25 h', '2026-11-02 24 h', '2026-11-03 5.75 h'],
    },
    {
      what: 'have 25 hours when clocks go back in Berlin',
      zone: 'Europe/Berlin',
      from: '2026-10-23T22:00:00Z',
      to: '2026-10-26T23:00:00Z',
      is: ['2026-10-24 24 h', '2026-10-25 25 h', '2026-10-26 24 h'],
    },
    {
      what: 'have 23 hours when clocks go forward in Berlin',
      zone: 'Europe/Berlin',
      from: '2026-03-28T23:00:00Z',
      to: '2026-03-29T22:00:00Z',
      is: ['2026-03-29 23 h'],
    },
    {
      what: 'begin at one if midnight is skipped',
      zone: 'America/Asuncion',
      from: '2023-09-30T04:00:00Z',
      to: '2023-10-02T03:00:00Z',
      is: ['2023-09-30 24 h', '2023-10-01 23 h'],
    },
    {
      what: 'omit a day that a zone has skipped',
      zone: 'Pacific/Apia',
      from: '2011-12-29T10:00:00Z',
      to: '2011-12-31T10:00:00Z',
      is: ['2011-12-29 24 h', '2011-12-31 24 h'],
    },
  ])
    it(what, () => assert.deepEqual(describeDays(zone, from, to), is));

  for (const { zone, is } of [
    { zone: 'UTC', is: ['quarter_hour', 'day', 'quarter_hour'] },
    { zone: 'Africa/Accra', is: ['quarter_hour', 'day', 'quarter_hour'] },
    { zone: 'Asia/Kathmandu', is: ['quarter_hour'] },
    { zone: 'Europe/London', is: ['quarter_hour'] },
  ])
    it(`of ${zone} are sums of ${is.length === 1 ? 'quarters of an hour' : 'whole days'}`, () => {
      const range = rangeFrom('2026-10-01T22:45:00Z', '2026-11-03T10:15:00Z');
      const spans = splitIntoSeriesSpans(range, listLocalDays(range, zone)!);
      assert.deepEqual(
        spans.map(({ span }) => span),
        is,
      );
    });

  it('are at most 92, plus an hour for a longer day', () => {
    assert.equal(describeDays('Europe/Berlin', '2026-08-01T22:00:00Z', '2026-11-01T23:00:00Z')?.length, 92);
    assert.equal(describeDays('UTC', '2026-08-01T00:00:00Z', '2026-11-01T01:15:00Z'), undefined);
  });
});
