import assert from 'node:assert/strict';
import { Org } from '../../../../entities/team/org.entity.ts';
import { CalendarConnection } from '../../../../entities/bookings/calendar-connection.entity.ts';
import { GoogleCalendarFake } from '../../../support/google-calendar.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../../support/worker.ts';
import {
  beginConnecting,
  buildOwner,
  connectGoogle,
  parseConnectResult,
  visit,
} from '../../../bookings/calendars/calendar-scene.ts';

describe('deleteOrg of a workspace with a calendar', () => {
  let google: GoogleCalendarFake;
  let parley: TestParleyWithWorker;
  before(async () => {
    google = await GoogleCalendarFake.start();
    parley = await startParleyWithWorker(google.env);
  });
  after(async () => {
    await parley.stop();
    await google.stop();
  });
  beforeEach(() => {
    google.clearFaults();
    google.isRevoked = false;
  });

  const findConnections = (orgId: string) => parley.database.repository(CalendarConnection).findBy({ orgId });
  const orgExists = (id: string) => parley.database.repository(Org).existsBy({ id });

  it('revokes the access at the provider, and keeps the credentials until the revocation succeeds', async () => {
    const owner = await buildOwner(parley);
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await owner.client.put('/api/alerts', { channel: 'telegram', destination: '4711' });
    google.fail(/^\/revoke$/, { status: 503 });
    assert.equal((await owner.signedIn.delete(`/api/orgs/${owner.orgId}`)).status, 202);
    const handle = parley.temporal.workflow.getHandle(`delete-org/${owner.orgId}`);
    await waitUntil(() => google.count(/^\/revoke$/) > 1, 'the provider to be asked again');
    const [connection] = await findConnections(owner.orgId);
    assert.deepEqual(
      [connection?.hiddenAt instanceof Date, typeof connection?.sealedCredentials, connection?.syncDueAt],
      [true, 'string', null],
    );
    assert.deepEqual([google.isRevoked, await orgExists(owner.orgId)], [false, true]);
    google.clearFaults();
    await handle.result();
    assert.deepEqual(
      [google.isRevoked, await orgExists(owner.orgId), await findConnections(owner.orgId)],
      [true, false, []],
    );
  });

  it('makes calendarCallback refuse a connection in progress, and revoke its access', async () => {
    const owner = await buildOwner(parley);
    const { url, cookie } = await beginConnecting(owner, 'google');
    const { location } = await visit(parley, url);
    await parley.database.repository(Org).update(owner.orgId, { deletedAt: () => 'now()' });
    const result = parseConnectResult((await visit(parley, location, { cookie })).location);
    assert.equal(result, 'refused');
    assert.deepEqual([google.isRevoked, await findConnections(owner.orgId)], [true, []]);
  });
});
