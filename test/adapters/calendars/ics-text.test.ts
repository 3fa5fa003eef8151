import assert from 'node:assert/strict';
import { parseIcs } from '../../../adapters/calendars/caldav/events/ics-text.ts';
import { assertCpuBelow } from '../../support/cost.ts';
import { buildCalendar, readBusy } from './busy-reading.ts';

const EVENT = ['DTSTART:20261208T110000Z', 'DTEND:20261208T120000Z'];
const BUSY = ['2026-12-08 11:00-12:00'];

describe('expandEvents with unusual iCalendar texts', () => {
  const whole = buildCalendar(EVENT);
  const texts: [what: string, text: string][] = [
    ['with a byte order mark', `\uFEFF${whole}`],
    ['with two byte order marks', `\uFEFF\uFEFF${whole}`],
    ['with a byte order mark before the event', whole.replace('BEGIN:VEVENT', '\uFEFFBEGIN:VEVENT')],
    ['after blank lines', `\r\n\r\n ${whole}`],
    ['with line feeds', whole.replaceAll('\r\n', '\n')],
    ['with carriage returns', whole.replaceAll('\r\n', '\r')],
    ['with doubled carriage returns', whole.replaceAll('\r\n', '\r\r\n')],
    ['with blank lines', whole.replaceAll('\r\n', '\r\n\r\n')],
    ['with zero bytes', whole.replace('UID:', 'UID:\0')],
    ['in lower case', whole.toLowerCase()],
    ['with trailing garbage', `${whole}\r\n<html><body>504</body></html>`],
    ['with trailing spaces', whole.replaceAll('\r\n', '  \r\n')],
    ['without the calendar around', whole.split('\r\n').slice(3, -2).join('\r\n')],
    ['without its end', whole.replace('END:VCALENDAR', '')],
    ['with ends of other components', whole.replace('END:VEVENT', 'END:VTOOD\r\nEND:VEVENT')],
    ['without the end of an event', whole.replace('END:VEVENT\r\n', '')],
    ['with folded lines', whole.replace('DTSTART:20261208', 'DTSTART:2026\r\n 1208')],
    ['folded with tabs', whole.replace('DTSTART:20261208', 'DTSTART:2026\r\n\t1208')],
    [
      'with a parameter whose second line does not begin with a space',
      whole.replace('DTSTART:', 'DTSTART;X-A="b\r\nc":'),
    ],
  ];
  for (const [what, text] of texts)
    it(`reads a text ${what}`, () => assert.deepEqual(readBusy(text), { busy: BUSY, problems: [] }));

  const lines: [what: string, lines: string[]][] = [
    [
      'a description whose second line does not begin with a space',
      ['DESCRIPTION:first', 'second line of a badly folded text'],
    ],
    ['a description with a colon', ['DESCRIPTION:first', 'Note: call back', 'DTSTAMPED; see below']],
    ['a line without a colon', ['this is not a property']],
    ['a name alone', ['SUMMARY']],
    ['an alarm with a time of its own', ['BEGIN:VALARM', 'DURATION:PT15M', 'TRIGGER:-PT1H', 'END:VALARM']],
    ['an alarm without an end', ['BEGIN:VALARM', 'TRIGGER:-PT1H']],
    ['parameters with colons and semicolons', ['ATTENDEE;CN="a:b;c";ROLE=CHAIR:mailto:x@example.com']],
    ['a quote that is never closed', ['ATTENDEE;CN="Ada:mailto:x@example.com']],
  ];
  for (const [what, more] of lines) {
    it(`reads the times of an event before ${what}`, () =>
      assert.deepEqual(readBusy(buildCalendar([...EVENT, ...more])), { busy: BUSY, problems: [] }));
    it(`reads the times of an event after ${what}`, () => {
      const { busy } = readBusy(
        buildCalendar([...more.filter((line) => !/VALARM|TRIGGER|DURATION/.test(line)), ...EVENT]),
      );
      assert.deepEqual(busy, BUSY);
    });
  }

  it('reads recurrence rules and lists of dates whose second lines do not begin with a space', () => {
    const series = ['DTSTART:20261208T110000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;', 'COUNT=4'];
    const excluded = ['EXDATE:20261209T110000Z,', '20261210T110000Z'];
    assert.deepEqual(readBusy(buildCalendar([...series, ...excluded])), {
      busy: ['2026-12-08 11:00-12:00', '2026-12-11 11:00-12:00'],
      problems: [],
    });
  });

  it('reads an attendee’s PARTSTAT whose second line does not begin with a space', () => {
    const answer = ['ATTENDEE;CN=Ada;PARTSTAT=DEC', 'LINED:mailto:ada@example.com'];
    assert.deepEqual(readBusy(buildCalendar([...EVENT, ...answer])).busy, []);
  });

  it('reads several calendars in one text', () => {
    const other = buildCalendar(['UID:other', 'DTSTART:20261209T110000Z', 'DTEND:20261209T120000Z']);
    assert.deepEqual(readBusy(whole + other).busy, [...BUSY, '2026-12-09 11:00-12:00']);
  });

  it('counts a truncated event as busy, and reports it as truncated', () => {
    const text = whole.slice(0, whole.indexOf('END:VEVENT')) + 'RRULE:FREQ=DA';
    const { busy, problems } = readBusy(text);
    assert.deepEqual(busy, BUSY);
    assert.deepEqual(
      problems.map(({ fault }) => fault),
      ['truncated'],
    );
  });

  it('throws UnreadableEvent for text that is not a calendar', () => {
    for (const text of ['', 'BEGIN:VCARD\r\nEND:VCARD', '<html></html>'])
      assert.throws(() => readBusy(text), { name: 'UnreadableEvent' });
  });

  it('parses a property of 1 MB in linear time, even if it is unfolded or has no value', () => {
    for (const [beginning, part] of [
      ['RDATE:20261208T110000Z', '\r\n,20261208T110000Z'],
      ['SUMMARY;A=', '\r\nxy'],
      ['DTSTART', ';A="b"'],
    ] as const) {
      const text = buildCalendar([beginning + part.repeat(1_000_000 / part.length), ...EVENT]);
      assertCpuBelow(1000, () => parseIcs(text), beginning);
    }
  });
});
