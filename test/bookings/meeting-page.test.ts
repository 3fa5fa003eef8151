import assert from 'node:assert/strict';
import ICAL from 'ical.js';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { signMeetingToken } from '../../services/bookings/meeting-links.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { book, HOUR_MS } from './booking-scene.ts';

describe('/meetings/<token>', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function build(row: Parameters<typeof book>[2] = {}) {
    const org = await parley.buildOrg();
    const id = await book(parley, org, { summary: 'Tour <b>', attendeeTimezone: 'Asia/Kathmandu', ...row });
    const url = `${parley.baseUrl}/meetings/${signMeetingToken(parley.runtime.keyring, id)}`;
    const open = async (init: RequestInit = {}) =>
      fetch(url, {
        redirect: 'manual',
        ...init,
        headers: { 'accept-language': 'de-AT,en', ...init.headers },
      });
    const findRow = () => parley.database.repository(Booking).findOneByOrFail({ id });
    return { id, url, open, row: findRow };
  }

  it('shows the meeting in the reader’s language and the attendee’s time zone', async () => {
    const { open } = await build({
      startsAt: new Date('2031-03-03T09:00:00Z'),
      endsAt: new Date('2031-03-03T09:30:00Z'),
      blockedUntil: new Date('2031-03-03T09:30:00Z'),
    });
    const response = await open();
    const html = await response.text();
    assert.equal(response.status, 200);
    assert.match(html, /<html lang="de">/);
    assert.match(html, /Montag, 3\. März 2031, 14:45.15:15 Uhr \(Asia\/Kathmandu, GMT\+5:45\)/);
    assert.match(html, /Tour &lt;b&gt;/);
    assert.match(html, /<button>Termin absagen<\/button>/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.match(
      response.headers.get('content-security-policy')!,
      /^default-src 'none'; .*style-src 'sha256-.*form-action 'self'; frame-ancestors 'none'$/,
    );
  });

  it('shows UTC offsets if the clocks repeat an hour', async () => {
    const endsAt = new Date('2031-10-26T01:00:00Z');
    const { open } = await build({
      startsAt: new Date('2031-10-26T00:00:00Z'),
      endsAt,
      blockedUntil: endsAt,
      attendeeTimezone: 'Europe/Berlin',
    });
    const html = await (await open({ headers: { 'accept-language': 'en' } })).text();
    assert.match(
      html,
      /26 October 2031 at 02:00 GMT\+2 – .*26 October 2031 at 02:00 GMT\+1 \(Europe\/Berlin\)/,
    );
  });

  it('cancels the meeting once, and only by POST', async () => {
    const { open, row } = await build();
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) await (await open({ method })).text();
    assert.equal((await row()).status, 'confirmed');
    for (let each = 0; each < 2; each += 1) {
      const pressed = await open({ method: 'POST' });
      assert.equal(pressed.status, 303);
    }
    const { status, cancelledBy, sequence } = await row();
    assert.deepEqual([status, cancelledBy, sequence], ['cancelled', 'attendee', 1]);
    const html = await (await open()).text();
    assert.match(html, /Dieser Termin wurde abgesagt\./);
    assert.doesNotMatch(html, /<form/);
  });

  it('says that the meeting has begun or is over, and then does not cancel it', async () => {
    for (const [inHours, words] of [
      [-0.25, /hat begonnen/],
      [-2, /ist vorbei/],
    ] as const) {
      const { open, row } = await build({ inHours });
      assert.equal((await open({ method: 'POST' })).status, 303);
      assert.equal((await row()).status, 'confirmed');
      const html = await (await open()).text();
      assert.match(html, words);
      assert.doesNotMatch(html, /<form/);
    }
  });

  it('offers the meeting as an iCalendar file', async () => {
    const { id, url } = await build({ inHours: 30 });
    for (const end of ['/meeting.ics', '.ics']) {
      const response = await fetch(url + end);
      assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8');
      assert.match(response.headers.get('content-disposition')!, /^attachment; filename="meeting\.ics"$/);
      const calendar = new ICAL.Component(ICAL.parse(await response.text()));
      assert.equal(calendar.getFirstPropertyValue('method'), null);
      const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
      assert.deepEqual([event.uid, event.sequence, event.summary], [id, 0, 'Tour <b>']);
      assert.equal(event.endDate.toUnixTime() - event.startDate.toUnixTime(), HOUR_MS / 2000);
    }
  });

  it('returns 404 for an invalid link and for a deleted meeting', async () => {
    const { url, id } = await build();
    await parley.database.repository(Booking).delete({ id });
    const headers = { accept: 'text/html' };
    for (const each of [url, `${url}.ics`, `${parley.baseUrl}/meetings/`, `${parley.baseUrl}/meetings/a.b`])
      for (const method of ['GET', 'POST']) {
        const response = await fetch(each, { method, headers, redirect: 'manual' });
        assert.equal(response.status, 404, `${method} ${each}`);
        assert.match(response.headers.get('content-type')!, /text\/html/);
      }
  });
});
