import assert from 'node:assert/strict';
import { buildCalendar, readBusy } from './busy-reading.ts';

/** Reads a calendar event from 12:00 to 13:00 on 8 December 2026 and 8 July 2027, in a time zone with this name. */
function readAt(parameter: string, definition: readonly string[] = []): string[] {
  const event = (day: string) => [`DTSTART${parameter}:${day}T120000`, `DTEND${parameter}:${day}T130000`];
  const text = buildCalendar(event('20261208'), event('20270708'));
  const options = { zone: 'Pacific/Honolulu', until: '2028-01-01T00:00:00Z' };
  const { busy, problems } = readBusy(
    text.replace('BEGIN:VEVENT', [...definition, 'BEGIN:VEVENT'].join('\r\n')),
    options,
  );
  return [...busy.map((each) => each.slice(11, 16)), ...problems.map(({ fault }) => fault)];
}

function define(name: string, standard: string, daylight: string, ...more: string[]): string[] {
  const observe = (kind: string, from: string, to: string, rule: string) => [
    `BEGIN:${kind}`,
    'DTSTART:16010101T020000',
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${to}`,
    `RRULE:FREQ=YEARLY;${rule}`,
    `END:${kind}`,
  ];
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    ...more,
    ...observe('STANDARD', daylight, standard, 'BYDAY=1SU;BYMONTH=11'),
    ...observe('DAYLIGHT', standard, daylight, 'BYDAY=2SU;BYMONTH=3'),
    'END:VTIMEZONE',
  ];
}

const NEW_YORK = ['17:00', '16:00'];
const BERLIN = ['11:00', '10:00'];

describe('expandEvents with time zones', () => {
  const names: [name: string, expected: string[]][] = [
    ['America/New_York', NEW_YORK],
    ['america/new_york', NEW_YORK],
    ['US/Eastern', NEW_YORK],
    ['/mozilla.org/20050126_1/America/New_York', NEW_YORK],
    ['/softwarestudio.org/Olson_20011030_5/America/New_York', NEW_YORK],
    ['/softwarestudio.org/Tzfile/America/Argentina/Buenos_Aires', ['15:00', '15:00']],
    ['/freeassociation.sourceforge.net/Tzfile/Europe/Berlin', BERLIN],
    ['/citadel.org/20210210_1/Europe/Berlin', BERLIN],
    ['/freeassociation.sourceforge.net/UTC', ['12:00', '12:00']],
    ['tzone://Microsoft/Utc', ['12:00', '12:00']],
    ['Eastern Standard Time', NEW_YORK],
    ['eastern standard time', NEW_YORK],
    ['Eastern Daylight Time', NEW_YORK],
    ['Eastern', NEW_YORK],
    ['"Eastern Standard Time"', NEW_YORK],
    ['Eastern Standard Time:', NEW_YORK],
    ['W. Europe Standard Time', BERLIN],
    ['"W. Europe Standard Time"', BERLIN],
    ['Romance Standard Time', BERLIN],
    ['GMT Standard Time', ['12:00', '11:00']],
    ['Arizona', ['19:00', '19:00']],
    ['Kamchatka Standard Time', ['00:00', '00:00']],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', NEW_YORK],
    ['(UTC-05:00) Eastern Time (US & Canada)', NEW_YORK],
    ['"(GMT-05:00) Eastern Time (US & Canada)"', NEW_YORK],
    ['Eastern Time (US and Canada)', NEW_YORK],
    ['"(UTC-08:00) Pacific Time (US & Canada); Tijuana"', ['20:00', '19:00']],
    ['"(UTC-04:00) Atlantic Time (Canada)"', ['16:00', '15:00']],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', BERLIN],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', BERLIN],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien"', BERLIN],
    ['"(GMT+01:00) Sarajevo/Warsaw/Zagreb"', BERLIN],
    ['"(UTC) Dublin, Edinburgh, Lisbon, London"', ['12:00', '11:00']],
    ['"(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London"', ['12:00', '11:00']],
    ['"(UTC) Coordinated Universal Time"', ['12:00', '12:00']],
    ['"(UTC-11:00) Coordinated Universal Time-11"', ['23:00', '23:00']],
    ['"(UTC-10:00) Hawaii"', ['22:00', '22:00']],
    ['"(UTC-07:00) Chihuahua, La Paz, Mazatlan"', ['19:00', '19:00']],
    ['"(UTC-04:00) Georgetown, La Paz, Manaus, San Juan"', ['16:00', '16:00']],
    ['"(UTC-03:00) Brasilia"', ['15:00', '15:00']],
    ['"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"', ['06:30', '06:30']],
    ['"(UTC+10:00) Canberra, Melbourne, Sydney"', ['01:00', '02:00']],
    ['"(UTC+12:45) Chatham Islands"', ['22:15', '23:15']],
    ['GMT+01:00', ['11:00', '11:00']],
    ['UTC+2', ['10:00', '10:00']],
    ['-0500', ['17:00', '17:00']],
    ['PDT', ['20:00', '19:00']],
    ['BST', ['12:00', '11:00']],
    ['W. Europe Standard Time 1', BERLIN],
    ['Eastern Standard Time_2', NEW_YORK],
    ['MEZ', BERLIN],
    ['Mitteleuropäische Zeit', BERLIN],
  ];
  for (const [name, expected] of names)
    it(`reads times in the zone ${name}`, () => assert.deepEqual(readAt(`;TZID=${name}`), expected));

  const quoted = '"Customized Time Zone"';
  it('uses the VTIMEZONE that the file has for the zone’s name', () => {
    assert.deepEqual(readAt(`;TZID=${quoted}`, define('Customized Time Zone', '-0500', '-0400')), NEW_YORK);
    assert.deepEqual(
      readAt(';TZID=Mitteleuropäische Zeit', define('Mitteleuropäische Zeit', '+0100', '+0200')),
      BERLIN,
    );
    assert.deepEqual(readAt(';TZID=EST', define('EST', '-0500', '-0400')), NEW_YORK);
    assert.deepEqual(
      readAt(';TZID=Pacific Standard Time', define('Pacific Standard Time:', '-0800', '-0700')),
      ['20:00', '19:00'],
    );
  });

  it('uses a VTIMEZONE whose name differs only in letter case, but prefers an exact match', () => {
    assert.deepEqual(readAt(';TZID=my zone', define('My Zone', '-0500', '-0400')), NEW_YORK);
    const both = [...define('My Zone', '+0300', '+0400'), ...define('my zone', '-0500', '-0400')];
    assert.deepEqual(readAt(';TZID=my zone', both), NEW_YORK);
  });

  it('uses the only VTIMEZONE in the file for an unknown zone name, and reports the event', () => {
    const custom = define('Customized Time Zone', '-0500', '-0400');
    assert.deepEqual(readAt(';TZID=Custom 2', custom), [...NEW_YORK, 'zone', 'zone']);
    const others = [...custom, ...define('Another', '+0300', '+0400')];
    assert.deepEqual(readAt(';TZID=Custom 2', others), ['22:00', '22:00', 'zone', 'zone']);
  });

  it('uses the X-LIC-LOCATION of a VTIMEZONE instead of its offsets', () => {
    const definition = define('/x/Custom', '+0300', '+0400', 'X-LIC-LOCATION:America/New_York');
    assert.deepEqual(readAt(';TZID=/x/Custom', definition), NEW_YORK);
  });

  it('uses a known zone name instead of an outdated VTIMEZONE', () => {
    assert.deepEqual(readAt(';TZID=Europe/Berlin', define('Europe/Berlin', '+0300', '+0400')), BERLIN);
    assert.deepEqual(
      readAt(';TZID=W. Europe Standard Time', define('W. Europe Standard Time', '+0300', '+0400')),
      BERLIN,
    );
  });

  it('uses the calendar’s zone for an unknown zone name, and reports the event', () => {
    const expected = ['22:00', '22:00', 'zone', 'zone'];
    assert.deepEqual(readAt(';TZID=Mars/Olympus'), expected);
    assert.deepEqual(readAt(';TZID=Custom', ['BEGIN:VTIMEZONE', 'TZID:Custom', 'END:VTIMEZONE']), expected);
  });

  it('uses the offset in an unknown display name, and reports the event', () => {
    assert.deepEqual(readAt(';TZID="(UTC-05:00) Est (É.-U. et Canada)"'), ['17:00', '17:00', 'zone', 'zone']);
  });

  it('uses X-WR-TIMEZONE for times without a zone', () => {
    const text = buildCalendar(['DTSTART:20261208T120000', 'DTEND:20261208T130000']);
    const named = text.replace('VERSION:2.0', 'VERSION:2.0\r\nX-WR-TIMEZONE:Europe/Berlin');
    assert.deepEqual(readBusy(named).busy, ['2026-12-08 11:00-12:00']);
  });
});
