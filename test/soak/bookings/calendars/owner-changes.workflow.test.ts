import assert from 'node:assert/strict';
import { Booking } from '../../../../entities/bookings/booking.entity.ts';
import { CalendarConnection } from '../../../../entities/bookings/calendar-connection.entity.ts';
import { Radicale } from '../../../support/radicale.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../../../support/worker.ts';
import { listAttendeeMails } from '../../../bookings/booking-scene.ts';
import { at, type CalendarOwner } from '../../../bookings/calendars/calendar-scene.ts';
import { buildDavOwner } from '../../../bookings/calendars/connect-caldav.ts';

const HOUR_MS = 3_600_000;

describe('a meeting that its owner changes in a CalDAV calendar', function () {
  let radicale: Radicale | undefined;
  let parley: SharedParleyWithWorker;
  let owner: CalendarOwner;
  let calendar: string;
  before(async function () {
    radicale = await Radicale.start();
    // Skip the tests: their CalDAV server needs Python.
    if (!radicale) return this.skip();
    calendar = await radicale.addCalendar('work');
    parley = await startSharedParleyWithWorker();
    owner = await buildDavOwner(parley, radicale.url, { business_open_hour: 9, business_close_hour: 18 });
  });
  after(async () => {
    await radicale?.stop();
  });

  const findMeeting = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  const toIcalStamp = (time: Date) => `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

  /** Books a meeting of an hour; waits for its calendar event and the attendee's email. */
  async function book(day: number, hour: number): Promise<string> {
    const { status, body } = await owner.client.post('/api/bookings', {
      start: at(day, hour).toISOString(),
      summary: 'Viewing',
      attendee_email: 'rui@example.com',
    });
    assert.equal(status, 201, JSON.stringify(body));
    await waitUntil(
      async () => (await findMeeting(body.id)).calendarStatus === 'written',
      'the event to be written',
    );
    await waitUntil(
      async () => (await findMeeting(body.id)).invitedSequence === 0,
      'the confirmation to be sent',
    );
    return body.id;
  }

  /** Edits a calendar event as a calendar app does: replaces its times with other lines. */
  async function editEvent(id: string, ...lines: string[]): Promise<void> {
    const text = (await radicale!.get(`${calendar}${id}.ics`))!;
    const kept = text.split('\r\n').filter((line) => !/^(DTSTART|DTEND|RRULE)/.test(line));
    kept.splice(kept.indexOf('END:VEVENT'), 0, ...lines);
    await radicale!.put(calendar, id, kept.join('\r\n'));
  }

  const buildTimeLines = (start: Date, end: Date) => [
    `DTSTART:${toIcalStamp(start)}`,
    `DTEND:${toIcalStamp(end)}`,
  ];
  const move = (id: string, start: Date, hours = 1) =>
    editEvent(id, ...buildTimeLines(start, new Date(start.getTime() + hours * HOUR_MS)));

  async function syncCalendar(): Promise<void> {
    const { orgId } = owner;
    const { id } = await parley.database.repository(CalendarConnection).findOneByOrFail({ orgId });
    const scope = { orgId, db: parley.database };
    const { failed } = (await parley.runtime.services.bookings.calendarSync.readBusy(scope, id))!;
    assert.equal(failed, 0);
    await parley.runtime.services.bookings.calendarSync.followEvents(scope, id);
  }

  async function readMeetingState(id: string) {
    const { startsAt, endsAt, status, hasConflict, sequence } = await findMeeting(id);
    return { startsAt, endsAt, status, hasConflict, sequence };
  }

  it('moves to a time outside business hours with the event’s length, and the attendee is emailed', async () => {
    const id = await book(4, 9);
    await move(id, at(4, 20), 3);
    await syncCalendar();
    const state = { status: 'confirmed', hasConflict: false, sequence: 1 };
    assert.deepEqual(await readMeetingState(id), { ...state, startsAt: at(4, 20), endsAt: at(4, 23) });
    await waitUntil(
      async () => (await listAttendeeMails(parley, id)).length === 2,
      'the email about the move',
    );
    assert.match((await listAttendeeMails(parley, id))[1]!, /^1\/moved /);
  });

  it('keeps its length if the event has no length', async () => {
    const [id, other] = [await book(5, 9), await book(5, 11)];
    await editEvent(id, ...buildTimeLines(at(5, 14), at(5, 14)));
    await move(other, at(5, 16));
    await syncCalendar();
    const moved = { status: 'confirmed', hasConflict: false, sequence: 1 };
    assert.deepEqual(await readMeetingState(id), { ...moved, startsAt: at(5, 14), endsAt: at(5, 15) });
    assert.deepEqual(await readMeetingState(other), { ...moved, startsAt: at(5, 16), endsAt: at(5, 17) });
  });

  it('takes the whole day of an all-day event, and stays unchanged if the event recurs', async () => {
    const [id, repeated] = [await book(6, 9), await book(7, 9)];
    await editEvent(id, `DTSTART;VALUE=DATE:${toIcalStamp(at(6, 0)).slice(0, 8)}`);
    await editEvent(repeated, ...buildTimeLines(at(7, 9), at(7, 10)), 'RRULE:FREQ=DAILY;COUNT=3');
    await syncCalendar();
    const { startsAt, endsAt } = await readMeetingState(id);
    assert.deepEqual([startsAt, endsAt], [at(6, 0), at(7, 0)]);
    assert.equal((await readMeetingState(repeated)).sequence, 0);
    const start = at(8, 9).toISOString();
    assert.equal((await owner.client.post('/api/bookings', { start, summary: 'Viewing' })).status, 409);
  });

  it('is marked as conflicting when it is moved onto another meeting, and the team is emailed', async () => {
    const [id, other] = [await book(10, 9), await book(10, 12)];
    await move(id, at(10, 12));
    await syncCalendar();
    assert.deepEqual(
      [(await readMeetingState(id)).hasConflict, (await readMeetingState(other)).hasConflict],
      [true, false],
    );
    const mails = () =>
      parley.database.sql(`SELECT FROM mails WHERE key LIKE $1`, [`booking/${id}/1/meeting_conflict%`]);
    await waitUntil(async () => (await mails()).length === 1, 'the email to the team');
  });

  it('follows its event after it was deleted and created again under another name', async () => {
    const id = await book(11, 9);
    const text = (await radicale!.get(`${calendar}${id}.ics`))!;
    await radicale!.send('DELETE', `${calendar}${id}.ics`);
    const anew = text.replace(/DTSTART:.*/, `DTSTART:${toIcalStamp(at(11, 13))}`);
    await radicale!.put(calendar, 'restored', anew.replace(/DTEND:.*/, `DTEND:${toIcalStamp(at(11, 14))}`));
    await syncCalendar();
    assert.deepEqual((await readMeetingState(id)).startsAt, at(11, 13));
    await owner.client.post(`/api/bookings/${id}/cancel`);
    await waitUntil(
      async () => (await findMeeting(id)).calendarStatus === 'removed',
      'the event to be removed',
    );
    assert.equal(await radicale!.get(`${calendar}restored.ics`), null);
  });

  it('moves back from the past together with its event', async () => {
    const id = await book(12, 9);
    await move(id, at(-2, 9));
    await syncCalendar();
    assert.deepEqual((await readMeetingState(id)).startsAt, at(-2, 9));
    await move(id, at(12, 10));
    await syncCalendar();
    const { startsAt, sequence } = await readMeetingState(id);
    assert.deepEqual([startsAt, sequence], [at(12, 10), 2]);
    await waitUntil(
      async () => (await listAttendeeMails(parley, id)).some((mail) => mail.startsWith('2/')),
      'the email',
    );
  });

  it('is not canceled if its event is deleted after the meeting', async () => {
    const id = await book(13, 9);
    await move(id, at(-2, 9));
    await syncCalendar();
    await radicale!.send('DELETE', `${calendar}${id}.ics`);
    await syncCalendar();
    assert.equal((await readMeetingState(id)).status, 'confirmed');
  });
});
