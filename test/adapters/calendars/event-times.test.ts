import assert from 'node:assert/strict';
import type { EventFault } from '../../../adapters/calendars/calendar-provider.ts';
import { buildCalendar, readBusy, readEvents } from './busy-reading.ts';

const SINGLE: [what: string, lines: string[], expected: string[]][] = [
  [
    'a floating time in the calendar’s zone',
    ['DTSTART:20270107T110000', 'DTEND:20270107T120000'],
    ['2027-01-07 16:00-17:00'],
  ],
  [
    'a date in the calendar’s zone',
    ['DTSTART;VALUE=DATE:20261208', 'DTEND;VALUE=DATE:20261209'],
    ['2026-12-08 05:00-2026-12-09 05:00'],
  ],
  ['dates without VALUE=DATE', ['DTSTART:20261208', 'DTEND:20261210'], ['2026-12-08 05:00-2026-12-10 05:00']],
  [
    'midnight as VALUE=DATE',
    ['DTSTART;VALUE=DATE:20261208T000000', 'DTEND;VALUE=DATE:20261209T000000'],
    ['2026-12-08 05:00-2026-12-09 05:00'],
  ],
  [
    'a time as VALUE=DATE',
    ['DTSTART;VALUE=DATE:20261208T110000', 'DTEND;VALUE=DATE:20261208T120000'],
    ['2026-12-08 16:00-17:00'],
  ],
  ['a date without an end', ['DTSTART:20261208'], ['2026-12-08 05:00-2026-12-09 05:00']],
  [
    'a date that ends on itself',
    ['DTSTART;VALUE=DATE:20261208', 'DTEND;VALUE=DATE:20261208'],
    ['2026-12-08 05:00-2026-12-09 05:00'],
  ],
  [
    'a day of 25 hours',
    ['DTSTART;VALUE=DATE:20261101', 'DTEND;VALUE=DATE:20261102'],
    ['2026-11-01 04:00-2026-11-02 05:00'],
  ],
  [
    'a date with a duration of days',
    ['DTSTART:20261208', 'DURATION:P2D'],
    ['2026-12-08 05:00-2026-12-10 05:00'],
  ],
  ['a date with a duration of hours', ['DTSTART:20261208', 'DURATION:PT10H'], ['2026-12-08 05:00-15:00']],
  [
    'a date with a time as end',
    ['DTSTART;VALUE=DATE:20261208', 'DTEND:20261209T040000Z'],
    ['2026-12-08 05:00-2026-12-09 04:00'],
  ],
  [
    'a time with a date as end',
    ['DTSTART:20261208T110000', 'DTEND;VALUE=DATE:20261209'],
    ['2026-12-08 16:00-2026-12-09 05:00'],
  ],
  [
    'a time with its own date as end',
    ['DTSTART:20261208T110000', 'DTEND;VALUE=DATE:20261208'],
    ['2026-12-08 16:00-2026-12-09 05:00'],
  ],
  [
    'an end without the zone of the start',
    ['DTSTART;TZID=Europe/Berlin:20261208T110000', 'DTEND:20261208T120000'],
    ['2026-12-08 10:00-11:00'],
  ],
  [
    'a start without the zone of the end',
    ['DTSTART:20261208T110000', 'DTEND;TZID=Europe/Berlin:20261208T120000'],
    ['2026-12-08 10:00-11:00'],
  ],
  ['a duration', ['DTSTART:20261208T110000Z', 'DURATION:PT1H30M'], ['2026-12-08 11:00-12:30']],
  ['weeks', ['DTSTART:20261208T110000Z', 'DURATION:P1W'], ['2026-12-08 11:00-2026-12-15 11:00']],
  [
    'a day of duration across daylight saving time',
    ['DTSTART;TZID=America/New_York:20261031T110000', 'DURATION:P1D'],
    ['2026-10-31 15:00-2026-11-01 16:00'],
  ],
  [
    'separators and an offset',
    ['DTSTART:2026-12-08T11:00:00+02:00', 'DTEND: 20261208T120000+0200'],
    ['2026-12-08 09:00-10:00'],
  ],
  [
    'midnight as 24:00',
    ['DTSTART:20261208T230000Z', 'DTEND:20261208T240000Z'],
    ['2026-12-08 23:00-2026-12-09 00:00'],
  ],
  [
    'a time that daylight saving skips, with the offset before',
    ['DTSTART;TZID=America/New_York:20270314T023000', 'DURATION:PT30M'],
    ['2027-03-14 07:30-08:00'],
  ],
  [
    'the first one of a repeated hour',
    ['DTSTART;TZID=America/New_York:20261101T013000', 'DURATION:PT30M'],
    ['2026-11-01 05:30-06:00'],
  ],
  ['a start without an end as no time', ['DTSTART:20261208T110000Z'], []],
];

const FAULTY: [what: string, lines: string[], expected: string[], fault: EventFault][] = [
  [
    'a swapped start and end',
    ['DTSTART:20261208T120000Z', 'DTEND:20261208T110000Z'],
    ['2026-12-08 11:00-12:00'],
    'order',
  ],
  [
    'a negative duration',
    ['DTSTART:20261208T120000Z', 'DURATION:-PT1H'],
    ['2026-12-08 11:00-12:00'],
    'order',
  ],
  [
    'an end that cannot be read',
    ['DTSTART:20261208T110000Z', 'DTEND:20261340T000000Z'],
    ['2026-12-08 11:00-12:00'],
    'end',
  ],
  [
    'a duration that cannot be read',
    ['DTSTART:20261208T110000Z', 'DURATION:PT'],
    ['2026-12-08 11:00-12:00'],
    'end',
  ],
  [
    'a date with an end that cannot be read',
    ['DTSTART:20261208', 'DTEND:soon'],
    ['2026-12-08 05:00-2026-12-09 05:00'],
    'end',
  ],
  ['a month that does not exist', ['DTSTART:20261308T110000Z', 'DURATION:PT1H'], [], 'start'],
  ['a day that does not exist', ['DTSTART:20260230T110000Z', 'DURATION:PT1H'], [], 'start'],
  ['an hour that does not exist', ['DTSTART:20261208T256100Z', 'DURATION:PT1H'], [], 'start'],
  ['no start', ['SUMMARY:x'], [], 'start'],
];

describe('expandEvents with single events', () => {
  for (const [what, lines, expected] of SINGLE)
    it(`reads ${what}`, () =>
      assert.deepEqual(readBusy(buildCalendar(lines)), { busy: expected, problems: [] }));

  for (const [what, lines, expected, fault] of FAULTY)
    it(`reports an event with ${what}, and reads the events after it`, () => {
      const other = ['DTSTART:20270105T110000Z', 'DTEND:20270105T120000Z'];
      const { busy, problems } = readBusy(buildCalendar(['SUMMARY:Dentist', ...lines], other));
      assert.deepEqual(busy, [...expected, '2027-01-05 11:00-12:00']);
      assert.deepEqual(
        problems.map(({ title, fault: found }) => [title, found]),
        [['Dentist', fault]],
      );
    });

  it('does not include the name of a private event in a report', () => {
    const lines = ['SUMMARY:Doctor', 'CLASS:PRIVATE', 'DTSTART:20261208T110000Z', 'DTEND:soon'];
    assert.deepEqual(readBusy(buildCalendar(lines)).problems, [
      { title: null, start: new Date('2026-12-08T11:00:00Z'), isAllDay: false, fault: 'end' },
    ]);
  });

  it('reports no event outside the range', () => {
    assert.deepEqual(readBusy(buildCalendar(['DTSTART:20200101T110000Z', 'DTEND:soon'])), {
      busy: [],
      problems: [],
    });
  });

  it('reads several events that have the same UID or an empty UID', () => {
    const [first, second] = ['DTSTART:20261208T110000Z', 'DTSTART:20261208T150000Z'];
    const expected = ['2026-12-08 11:00-12:00', '2026-12-08 15:00-16:00'];
    for (const uid of ['UID:same', 'UID:'])
      assert.deepEqual(
        readEvents([
          [uid, first, 'DURATION:PT1H'],
          [uid, second, 'DURATION:PT1H'],
        ]),
        expected,
      );
  });

  it('reads only the revision of an event with the highest SEQUENCE', () => {
    const revise = (sequence: number, hour: number) => [
      'UID:same',
      `SEQUENCE:${sequence}`,
      `DTSTART:20261208T${hour}0000Z`,
      'DURATION:PT1H',
    ];
    assert.deepEqual(readEvents([revise(2, 15), revise(1, 11)]), ['2026-12-08 15:00-16:00']);
  });
});
