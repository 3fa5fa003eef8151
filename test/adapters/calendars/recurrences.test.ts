import assert from 'node:assert/strict';
import { buildCalendar, readBusy, readEvents } from './busy-reading.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

const DAILY = ['UID:s', 'DTSTART:20261219T110000Z', 'DTEND:20261219T120000Z', 'RRULE:FREQ=DAILY;COUNT=3'];
const [FIRST, SECOND, THIRD] = ['19', '20', '21'].map((day) => `2026-12-${day} 11:00-12:00`) as [
  string,
  string,
  string,
];
const WHOLE_DAYS = ['UID:s', 'DTSTART;VALUE=DATE:20261219', 'RRULE:FREQ=DAILY;COUNT=3'];
const WHOLE = ['19', '20', '21'].map((day) => `2026-12-${day} 05:00-2026-12-${Number(day) + 1} 05:00`) as [
  string,
  string,
  string,
];

function override(id: string, ...more: string[]): string[] {
  return ['UID:s', id, ...more];
}

const CASES: [what: string, events: string[][], expected: string[]][] = [
  ['all times of a rule', [DAILY], [FIRST, SECOND, THIRD]],
  [
    'a rule with its own name in front',
    [[...DAILY.slice(0, 3), 'RRULE:RRULE:FREQ=DAILY;COUNT=2']],
    [FIRST, SECOND],
  ],
  [
    'a rule in lower case with spaces',
    [[...DAILY.slice(0, 3), 'RRULE:freq=daily; count=2;']],
    [FIRST, SECOND],
  ],
  [
    'a rule with parts that change nothing',
    [[...DAILY, 'X:1'].map((line) => line.replace('FREQ', 'RSCALE=GREGORIAN;X-A=1;FREQ'))],
    [FIRST, SECOND, THIRD],
  ],
  [
    'several rules',
    [[...DAILY, 'RRULE:FREQ=WEEKLY;COUNT=2']],
    [FIRST, SECOND, THIRD, '2026-12-26 11:00-12:00'],
  ],
  ['an empty rule', [[...DAILY.slice(0, 3), 'RRULE:']], [FIRST]],
  ['excluded rules', [[...DAILY, 'EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2']], [SECOND]],
  ['an excluded time', [[...DAILY, 'EXDATE:20261220T110000Z']], [FIRST, THIRD]],
  [
    'an excluded time in another zone',
    [[...DAILY, 'EXDATE;TZID=Europe/Berlin:20261220T120000']],
    [FIRST, THIRD],
  ],
  ['an excluded time without the zone', [[...DAILY, 'EXDATE:20261220T110000']], [FIRST, THIRD]],
  ['an excluded date', [[...DAILY, 'EXDATE;VALUE=DATE:20261220']], [FIRST, THIRD]],
  ['excluded dates without VALUE=DATE', [[...DAILY, 'EXDATE:20261219,20261220']], [THIRD]],
  ['an empty exclusion', [[...DAILY, 'EXDATE:']], [FIRST, SECOND, THIRD]],
  ['whole days', [WHOLE_DAYS], WHOLE],
  [
    'whole days of a rule with times of day',
    [[...WHOLE_DAYS.slice(0, 2), 'RRULE:FREQ=DAILY;BYHOUR=9,15;BYMINUTE=0;COUNT=3']],
    WHOLE,
  ],
  [
    'whole days without one excluded by a date',
    [[...WHOLE_DAYS, 'EXDATE;VALUE=DATE:20261220']],
    [WHOLE[0], WHOLE[2]],
  ],
  [
    'whole days without one excluded by a time',
    [[...WHOLE_DAYS, 'EXDATE:20261220T000000']],
    [WHOLE[0], WHOLE[2]],
  ],
  [
    'whole days without one excluded by midnight in UTC',
    [[...WHOLE_DAYS, 'EXDATE:20261220T000000Z']],
    [WHOLE[0], WHOLE[2]],
  ],
  [
    'whole days without one excluded by its first instant',
    [[...WHOLE_DAYS, 'EXDATE:20261220T050000Z']],
    [WHOLE[0], WHOLE[2]],
  ],
  ['added times', [[...DAILY, 'RDATE:20261224T110000Z']], [FIRST, SECOND, THIRD, '2026-12-24 11:00-12:00']],
  [
    'added dates at the time of day of the series',
    [
      [
        'DTSTART;TZID=Europe/Berlin:20261219T120000',
        'DURATION:PT1H',
        'RDATE;VALUE=DATE:20261220',
        'RDATE:20261224',
      ],
    ],
    [FIRST, SECOND, '2026-12-24 11:00-12:00'],
  ],
  [
    'added dates of whole days',
    [['DTSTART;VALUE=DATE:20261219', 'RDATE;VALUE=DATE:20261222']],
    [WHOLE[0], '2026-12-22 05:00-2026-12-23 05:00'],
  ],
  [
    'an added period with an end',
    [[...DAILY, 'RDATE;VALUE=PERIOD:20261224T110000Z/20261224T140000Z']],
    [FIRST, SECOND, THIRD, '2026-12-24 11:00-14:00'],
  ],
  [
    'an added period with a duration',
    [[...DAILY, 'RDATE;VALUE=PERIOD:20261224T110000Z/PT30M']],
    [FIRST, SECOND, THIRD, '2026-12-24 11:00-11:30'],
  ],
  [
    'periods without VALUE=PERIOD',
    [[...DAILY, 'RDATE:20261224T110000Z/PT30M,20261225T110000Z/PT2H']],
    [FIRST, SECOND, THIRD, '2026-12-24 11:00-11:30', '2026-12-25 11:00-13:00'],
  ],
  [
    'a moved occurrence',
    [DAILY, override('RECURRENCE-ID:20261220T110000Z', 'DTSTART:20261220T150000Z', 'DURATION:PT1H')],
    [FIRST, '2026-12-20 15:00-16:00', THIRD],
  ],
  [
    'an occurrence moved by its date',
    [DAILY, override('RECURRENCE-ID;VALUE=DATE:20261220', 'DTSTART:20261220T150000Z', 'DURATION:PT1H')],
    [FIRST, '2026-12-20 15:00-16:00', THIRD],
  ],
  [
    'an occurrence moved by its date without VALUE=DATE',
    [DAILY, override('RECURRENCE-ID:20261220', 'DTSTART:20261220T150000Z', 'DURATION:PT1H')],
    [FIRST, '2026-12-20 15:00-16:00', THIRD],
  ],
  [
    'an occurrence moved in another zone',
    [
      DAILY,
      override(
        'RECURRENCE-ID;TZID=Europe/Berlin:20261220T120000',
        'DTSTART:20261220T150000Z',
        'DURATION:PT1H',
      ),
    ],
    [FIRST, '2026-12-20 15:00-16:00', THIRD],
  ],
  [
    'a whole day moved by a time',
    [WHOLE_DAYS, override('RECURRENCE-ID:20261220T000000', 'DTSTART:20261220T150000Z', 'DURATION:PT1H')],
    [WHOLE[0], '2026-12-20 15:00-16:00', WHOLE[2]],
  ],
  [
    'a whole day replaced by another',
    [WHOLE_DAYS, override('RECURRENCE-ID;VALUE=DATE:20261220', 'DTSTART;VALUE=DATE:20261224')],
    [WHOLE[0], WHOLE[2], '2026-12-24 05:00-2026-12-25 05:00'],
  ],
  [
    'a canceled occurrence',
    [
      DAILY,
      override(
        'RECURRENCE-ID:20261220T110000Z',
        'DTSTART:20261220T110000Z',
        'DURATION:PT1H',
        'STATUS:CANCELLED',
      ),
    ],
    [FIRST, THIRD],
  ],
  [
    'a canceled occurrence without a start',
    [DAILY, override('RECURRENCE-ID:20261220T110000Z', 'STATUS:CANCELLED')],
    [FIRST, THIRD],
  ],
  [
    'all later occurrences, moved',
    [
      DAILY,
      override(
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20261220T110000Z',
        'DTSTART:20261220T150000Z',
        'DURATION:PT2H',
      ),
    ],
    [FIRST, '2026-12-20 15:00-17:00', '2026-12-21 15:00-17:00'],
  ],
  [
    'the latest revision of an exception',
    [
      DAILY,
      override('RECURRENCE-ID:20261220T110000Z', 'SEQUENCE:2', 'DTSTART:20261220T150000Z', 'DURATION:PT1H'),
      override('RECURRENCE-ID:20261220T110000Z', 'SEQUENCE:1', 'DTSTART:20261220T180000Z', 'DURATION:PT1H'),
    ],
    [FIRST, '2026-12-20 15:00-16:00', THIRD],
  ],
  [
    'no exception that was excluded later',
    [
      [...DAILY, 'SEQUENCE:2', 'EXDATE:20261220T110000Z'],
      override('RECURRENCE-ID:20261220T110000Z', 'SEQUENCE:1', 'DTSTART:20261220T150000Z', 'DURATION:PT1H'),
    ],
    [FIRST, THIRD],
  ],
  [
    'an exception alone',
    [override('RECURRENCE-ID:20261220T110000Z', 'DTSTART:20261220T150000Z', 'DURATION:PT1H')],
    ['2026-12-20 15:00-16:00'],
  ],
  [
    'swapped times',
    [['DTSTART:20261219T120000Z', 'DTEND:20261219T110000Z', 'RRULE:FREQ=DAILY;COUNT=3']],
    [FIRST, SECOND, THIRD],
  ],
];

/**
 * Returns days and UTC times of a calendar event that is daily at 02:30 in Amsterdam, where clocks go back on
 * 25 October 2026.
 */
function readDaysUntil(until: string, start = 'DTSTART;TZID=Europe/Amsterdam:20261023T023000'): string[] {
  const lines = [start, 'DURATION:PT30M', `RRULE:FREQ=DAILY;UNTIL=${until}`];
  return readEvents([lines], { zone: 'Europe/Amsterdam' }).map((each) => each.slice(8, 16));
}

describe('expandEvents with recurring events', () => {
  for (const [what, events, expected] of CASES)
    it(`expands ${what}`, () => assert.deepEqual(readEvents(events), expected));

  it('expands a recurrence rule until an instant, even within the hour that daylight saving repeats', () => {
    const days = ['23 00:30', '24 00:30', '25 00:30'];
    assert.deepEqual(readDaysUntil('20261025T010000Z'), days);
    assert.deepEqual(readDaysUntil('20261025T003000Z'), days);
    assert.deepEqual(readDaysUntil('20261025T002900Z'), days.slice(0, 2));
  });

  it('expands a recurrence rule until a local time or a date, and a rule of all-day events until a date or an instant', () => {
    assert.deepEqual(readDaysUntil('20261024T023000'), ['23 00:30', '24 00:30']);
    assert.deepEqual(readDaysUntil('20261024T022900'), ['23 00:30']);
    assert.deepEqual(readDaysUntil('20261024'), ['23 00:30', '24 00:30']);
    const whole = 'DTSTART;VALUE=DATE:20261023';
    for (const until of ['20261024', '20261024T000000Z', '20261023T220000Z', '20261024T235959Z'])
      assert.deepEqual(readDaysUntil(until, whole), ['22 22:00', '23 22:00'], until);
  });

  it('returns no occurrence for a recurrence rule that ends before the event starts', () => {
    assert.deepEqual(readDaysUntil('20261020T000000Z'), []);
  });

  it('expands a recurrence rule in local time across daylight saving time', () => {
    const lines = [
      'DTSTART;TZID=America/New_York:20261030T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=3',
    ];
    assert.deepEqual(readEvents([lines]), [
      '2026-10-30 13:00-14:00',
      '2026-10-31 13:00-14:00',
      '2026-11-01 14:00-15:00',
    ]);
  });

  const RULES: [rule: string, days: string[]][] = [
    ['FREQ=MONTHLY;BYDAY=2TU;BYMONTH=1,3;COUNT=2', ['01-12', '03-09']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3', ['12-31', '01-29', '02-26']],
    ['FREQ=DAILY;BYMONTHDAY=-1;COUNT=2', ['12-31', '01-31']],
    ['FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3', ['12-31', '01-31', '03-31']],
    ['FREQ=YEARLY;BYMONTH=1;BYDAY=FR;BYMONTHDAY=1;COUNT=1', ['01-01']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU;COUNT=4', ['12-20', '12-21', '01-03', '01-04']],
    ['FREQ=WEEKLY;BYDAY=TU;BYSETPOS=1,-1;COUNT=2', ['12-08', '12-15']],
    ['FREQ=DAILY;COUNT=-1;INTERVAL=60', ['12-08', '02-06']],
  ];
  for (const [rule, days] of RULES)
    it(`expands ${rule}`, () => {
      const found = readEvents([['DTSTART:20261208T110000Z', 'DURATION:PT1H', `RRULE:${rule}`]]);
      const start = days.includes('12-08') ? [] : ['12-08'];
      assert.deepEqual([...new Set(found.map((each) => each.slice(5, 10)))], [...start, ...days]);
    });

  itInSoak('expands a recurrence rule that began decades ago', () => {
    const lines = ['DTSTART;VALUE=DATE:19500302', 'RRULE:FREQ=YEARLY'];
    assert.deepEqual(readEvents([lines]), ['2027-03-02 05:00-2027-03-03 05:00']);
    const daily = ['DTSTART:19500302T110000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY'];
    assert.equal(readEvents([daily]).length, 182);
  });

  for (const [what, lines] of [
    ['an unknown frequency', ['RRULE:FREQ=FORTNIGHTLY']],
    ['no frequency', ['RRULE:COUNT=3']],
    ['an interval of 0', ['RRULE:FREQ=DAILY;INTERVAL=0']],
    ['an unknown weekday', ['RRULE:FREQ=WEEKLY;BYDAY=XX']],
    ['an end that cannot be read', ['RRULE:FREQ=DAILY;UNTIL=never']],
  ] as const)
    it(`expands a recurrence rule with ${what} to its first occurrence only, and reports the event`, () => {
      const start = ['SUMMARY:Standup', 'DTSTART:20261208T110000Z', 'DURATION:PT1H'];
      const { busy, problems } = readBusy(buildCalendar([...start, ...lines]));
      assert.deepEqual(busy, ['2026-12-08 11:00-12:00']);
      assert.deepEqual(problems, [
        { title: 'Standup', start: new Date('2026-12-08T11:00:00Z'), isAllDay: false, fault: 'rule' },
      ]);
    });

  it('ignores an excluded or added date that cannot be read, and reports the event', () => {
    const { busy, problems } = readBusy(buildCalendar([...DAILY, 'EXDATE:20261220T110000Z,soon', 'RDATE:x']));
    assert.deepEqual([busy, problems.map(({ fault }) => fault)], [[FIRST, THIRD], ['dates']]);
  });

  it('ignores unknown parts of a recurrence rule, and reports the event', () => {
    const lines = ['DTSTART:20261208T110000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;UNTL=20261220'];
    const { busy, problems } = readBusy(buildCalendar(lines));
    assert.deepEqual([busy.length, problems.map(({ fault }) => fault)], [17, ['rule']]);
  });

  it('keeps an occurrence whose override has an unreadable start, and reports the override', () => {
    const unreadable = override('RECURRENCE-ID:20261220T110000Z', 'DTSTART:soon');
    const { busy, problems } = readBusy(buildCalendar(DAILY, unreadable));
    assert.deepEqual([busy, problems.map(({ fault }) => fault)], [[FIRST, SECOND, THIRD], ['start']]);
  });
});
