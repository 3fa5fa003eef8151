import assert from 'node:assert/strict';
import { isTimeZone, findTimeZone } from '../../core/time-zone.ts';

/** Aliases of time zones, and time zones with unusual spelling. */
const OTHERS = [
  'America/Argentina/ComodRivadavia',
  'America/Knox_IN',
  'America/Port-au-Prince',
  'America/Port_of_Spain',
  'Africa/Dar_es_Salaam',
  'Antarctica/DumontDUrville',
  'Asia/Calcutta',
  'Asia/Kolkata',
  'Australia/NSW',
  'Brazil/DeNoronha',
  'CST6CDT',
  'Chile/EasterIsland',
  'Etc/GMT+5',
  'Etc/UTC',
  'Europe/Kyiv',
  'GB-Eire',
  'GMT',
  'GMT0',
  'Mexico/BajaSur',
  'NZ-CHAT',
  'PRC',
  'Turkey',
  'US/East-Indiana',
  'UTC',
  'W-SU',
  'Zulu',
];

describe('names of time zones', () => {
  it('have IANA’s spelling, however they were typed', () => {
    const names = [...Intl.supportedValuesOf('timeZone'), ...OTHERS];
    for (const typed of [(name: string) => name.toLowerCase(), (name: string) => name.toUpperCase()])
      assert.deepEqual(
        names.map((name) => findTimeZone(typed(name))),
        names,
      );
  });

  it('are valid names, not offsets, unknown abbreviations or empty texts', () => {
    for (const text of ['', ' ', '+01:00', 'Z', 'CEST', 'Mars/Olympus', 'Europe/Lisbon ', 'europe\\lisbon'])
      assert.equal(isTimeZone(text), false, text);
  });
});
