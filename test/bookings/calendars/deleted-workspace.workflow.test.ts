import assert from 'node:assert/strict';
import { Org } from '../../../entities/team/org.entity.ts';
import { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import { GoogleCalendarFake } from '../../support/google-calendar.ts';
import { until } from '../../support/until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { begin, buildOwner, connectGoogle, resultOf, visit } from './calendar-scene.ts';

describe('deleteOrg, of a workspace with a calendar', () => {
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
    google.heal();
    google.isRevoked = false;
  });

  const connectionsOf = (orgId: string) => parley.database.repository(CalendarConnection).findBy({ orgId });
  const isThere = (id: string) => parley.database.repository(Org).existsBy({ id });

  it('gives the access up at the provider, and keeps what opens it until then', async () => {
    const owner = await buildOwner(parley);
    assert.equal(await connectGoogle(parley, owner), 'connected');
    await owner.client.put('/api/alerts', { channel: 'telegram', destination: '4711' });
    google.fail(/^\/revoke$/, { status: 503 });
    assert.equal((await owner.signedIn.delete(`/api/orgs/${owner.orgId}`)).status, 202);
    const handle = parley.temporal.workflow.getHandle(`delete-org/${owner.orgId}`);
    await until(() => google.count(/^\/revoke$/) > 1, 'the provider to be asked again');
    const [connection] = await connectionsOf(owner.orgId);
    assert.deepEqual(
      [connection?.hiddenAt instanceof Date, typeof connection?.sealedCredentials, connection?.syncDueAt],
      [true, 'string', null],
    );
    assert.deepEqual([google.isRevoked, await isThere(owner.orgId)], [false, true]);
    google.heal();
    await handle.result();
    assert.deepEqual(
      [google.isRevoked, await isThere(owner.orgId), await connectionsOf(owner.orgId)],
      [true, false, []],
    );
  });

  it('has no calendar connected any more by whoever comes back from the provider', async () => {
    const owner = await buildOwner(parley);
    const { url, cookie } = await begin(owner, 'google');
    const { location } = await visit(parley, url);
    await parley.database.repository(Org).update(owner.orgId, { deletedAt: () => 'now()' });
    const result = resultOf((await visit(parley, location, { cookie })).location);
    assert.equal(result, 'refused');
    assert.deepEqual([google.isRevoked, await connectionsOf(owner.orgId)], [true, []]);
  });
});
