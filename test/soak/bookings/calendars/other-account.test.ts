import assert from 'node:assert/strict';
import { Booking } from '../../../../entities/bookings/booking.entity.ts';
import { CalendarConnection } from '../../../../entities/bookings/calendar-connection.entity.ts';
import { OutboxRow } from '../../../../entities/outbox/outbox.entity.ts';
import type { ConnectedAccount } from '../../../../services/bookings/calendars/calendar-connection-store.ts';
import { startSharedParley, type SharedParley } from '../../../support/parley.ts';
import { book } from '../../../bookings/booking-scene.ts';

const ADDRESS = 'ada@example.com';
const NO_ACTOR = { userId: null, keyId: null, device: null };

describe('a calendar connection that replaces another', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const buildDavAccount = (server: string): ConnectedAccount => {
    const homeUrl = `https://${server}/ada/`;
    const credentials = { provider: 'caldav' as const, homeUrl, addresses: [ADDRESS] };
    return {
      provider: 'caldav',
      actor: NO_ACTOR,
      credentials: { ...credentials, username: 'ada', password: `for ${server}` },
      calendars: [{ id: `${homeUrl}work/`, name: 'Work', timezone: null, isPrimary: true, canWrite: true }],
    };
  };
  const local: ConnectedAccount = {
    provider: 'local',
    actor: NO_ACTOR,
    credentials: null,
    calendars: [],
  };

  async function build() {
    const org = await parley.buildOrg();
    const scope = { orgId: org.orgId, db: parley.database };
    const { calendarConnectionStore } = parley.runtime.services.bookings;
    await org.client.patch('/api/calendar/settings', { slot_minutes: 45 });
    const id = await book(parley, org);
    const connectAccount = async (account: ConnectedAccount) => {
      const kept = await calendarConnectionStore.store(scope, account);
      assert.ok(kept);
      return kept;
    };
    const findBooking = () => parley.database.repository(Booking).findOneByOrFail({ id });
    const findConnections = () => parley.database.repository(CalendarConnection).findBy({ orgId: org.orgId });
    const findCommands = async () =>
      (await parley.database.repository(OutboxRow).findBy({ orgId: org.orgId, kind: 'command' })).map(
        ({ name }) => name,
      );
    /** Marks the booking as if its event had been written to the calendar. */
    const markWritten = async () => {
      const { primaryCalendarId: calendarId } = (await findConnections()).find(({ hiddenAt }) => !hiddenAt)!;
      const event = { calendarId, eventId: `${calendarId}${id}.ics`, eventVersion: '"1"' };
      await parley.database.repository(Booking).update(id, { ...event, calendarStatus: 'written' });
    };
    return {
      org,
      id,
      keep: connectAccount,
      findBooking,
      findConnections,
      findCommands,
      write: markWritten,
    };
  }

  it('gets bookings that were made without a provider, and upcoming bookings of the previous account', async () => {
    const { keep, findBooking, write } = await build();
    const first = await keep(buildDavAccount('one.example.com'));
    const { calendarStatus, connectionId, calendarId } = await findBooking();
    assert.deepEqual([calendarStatus, connectionId, calendarId], ['pending', first.id, null]);
    await write();
    await keep(buildDavAccount('one.example.com'));
    assert.equal((await findBooking()).calendarStatus, 'written');
    const second = await keep(buildDavAccount('two.example.com'));
    const row = await findBooking();
    assert.deepEqual(
      [row.calendarStatus, row.connectionId, row.calendarId, row.eventId],
      ['pending', second.id, null, null],
    );
  });

  it('keeps the settings, and revokes the previous access, even for the same address on another server', async () => {
    const { org, keep, findConnections, findCommands } = await build();
    const first = await keep(buildDavAccount('one.example.com'));
    assert.equal((await keep(buildDavAccount('one.example.com'))).id, first.id);
    assert.equal((await findCommands()).includes('disconnectCalendar'), false);
    const second = await keep(buildDavAccount('two.example.com'));
    assert.notEqual(second.id, first.id);
    assert.equal((await findCommands()).includes('disconnectCalendar'), true);
    assert.deepEqual(
      (await findConnections()).filter(({ hiddenAt }) => hiddenAt).map(({ id }) => id),
      [first.id],
    );
    const { body } = await org.client.get('/api/calendar/connection');
    assert.deepEqual([body.id, body.slot_minutes, body.account_email], [second.id, 45, ADDRESS]);
  });

  it('and has no provider removes the account’s data, and bookings continue', async () => {
    const { org, keep, findConnections, findBooking } = await build();
    const first = await keep(buildDavAccount('one.example.com'));
    await keep(local);
    const present = (await findConnections()).filter(({ hiddenAt }) => hiddenAt === null);
    assert.deepEqual(
      present.map(({ provider, sealedCredentials }) => [provider, sealedCredentials]),
      [['local', null]],
    );
    assert.notEqual(present[0]!.id, first.id);
    assert.equal((await findBooking()).status, 'confirmed');
    assert.equal((await org.client.get('/api/bookings/slots')).status, 200);
  });
});
