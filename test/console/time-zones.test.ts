import assert from 'node:assert/strict';
import { isTimeZone } from '../../core/time-zone.ts';
import { matchesZone, timeZones } from '../../console/components/zones/time-zones.ts';

const search = (text: string) => timeZones.filter((zone) => matchesZone(zone, text));

describe('the search for a time zone', () => {
  it('finds a zone by its current name and by its earlier name', () => {
    for (const text of ['Kolkata', 'calcutta']) assert.deepEqual(search(text), ['Asia/Kolkata']);
    for (const text of ['Europe/Kyiv', 'Europe/Kiev']) assert.deepEqual(search(text), ['Europe/Kyiv']);
  });

  it('takes blanks for underscores, and finds UTC', () => {
    for (const text of ['new york', 'America/New_York']) assert.deepEqual(search(text), ['America/New_York']);
    assert.deepEqual(search('utc'), ['UTC']);
  });

  it('lists zones that the API accepts, once each', () => {
    assert.deepEqual(
      timeZones.filter((zone) => !isTimeZone(zone)),
      [],
    );
    assert.equal(new Set(timeZones).size, timeZones.length);
  });
});
