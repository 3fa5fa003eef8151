import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';

describe('the workflow of an invitation', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  const getRows = () => parley.database.repository(Invitation);
  const getHandle = (id: string) => parley.temporal.workflow.getHandle(`invitation/${id}`);

  /** Returns the template and the recipient's name of an invitation’s emails, in order. */
  const listMails = async (id: string) =>
    (
      await parley.database.sql<{ key: string }>(
        `SELECT key FROM mails WHERE key LIKE '%/' || $1 || '/%' ORDER BY created_at, id`,
        [id],
      )
    ).map(({ key }) => key.replace(`/${id}/`, ' '));

  async function createInvitation() {
    const org = await parley.buildOrg();
    const { body } = await org.client.post(`/api/orgs/${org.orgId}/invitations`, {
      email: `${newId()}@example.com`,
    });
    return { ...org, id: body.id as string, path: `/api/orgs/${org.orgId}/invitations/${body.id}` as const };
  }

  /** Changes the invitation’s times and resends it, so that the workflow reads them. */
  async function changeTimes(id: string, times: Partial<Pick<Invitation, 'remindAt' | 'expiresAt'>>) {
    await getRows().update(id, times);
    await getHandle(id).signal('accept');
  }

  it('emails the link, reminds once and ends at its expiry', async () => {
    const { id } = await createInvitation();
    await waitUntil(async () => (await listMails(id)).length === 1, 'the first email');
    await changeTimes(id, { remindAt: new Date(Date.now() + 500) });
    await waitUntil(async () => (await listMails(id)).length === 2, 'the reminder');
    await changeTimes(id, { expiresAt: new Date(Date.now() + 500) });
    assert.equal(await getHandle(id).result(), 'expired');
    assert.deepEqual(await listMails(id), ['invitation 1', 'invitation_reminder 1']);
    assert.equal((await getRows().findOneByOrFail({ id })).status, 'expired');
  });

  itInSoak('shows operators its state, its times and their actions', async () => {
    const { id, orgId } = await createInvitation();
    await waitUntil(async () => (await listMails(id)).length === 1, 'the first email');
    const { remindAt, expiresAt } = await getRows().findOneByOrFail({ id });
    let details = '';
    await waitUntil(async () => {
      const shown = await getHandle(id).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      details = shown.currentDetails ?? '';
      return details.includes('**pending**');
    }, 'the state to be shown');
    // Accept the neighboring hours: the displayed time comes from a different clock, which may already be in
    // the next hour.
    const isShown = (time: Date) =>
      [0, -60_000, 60_000].some((ms) => details.includes(new Date(+time + ms).toISOString().slice(0, 13)));
    assert.ok(isShown(remindAt!) && isShown(expiresAt), details);
    const { searchAttributes } = await getHandle(id).describe();
    assert.deepEqual(
      [searchAttributes['OrgId'], searchAttributes['InvitationState']],
      [[orgId], ['pending']],
    );
    await getHandle(id).terminate();
  });

  it('ends when the API revokes it', async () => {
    const { id, client, path } = await createInvitation();
    assert.equal((await client.delete(path)).status, 200);
    const hasStarted = () =>
      getHandle(id)
        .describe()
        .then(Boolean, () => false);
    await waitUntil(hasStarted, 'its start');
    assert.equal(await getHandle(id).result(), 'revoked');
  });

  it('emails a new link when the API resends the invitation, even after its expiry', async () => {
    const { id, client, path } = await createInvitation();
    await waitUntil(async () => (await listMails(id)).length === 1, 'the first email');
    await client.post(`${path}/resend`);
    await waitUntil(async () => (await listMails(id)).length === 2, 'the second email');
    await changeTimes(id, { expiresAt: new Date(Date.now() - 1), remindAt: null });
    assert.equal(await getHandle(id).result(), 'expired');
    await client.post(`${path}/resend`);
    await waitUntil(async () => (await listMails(id)).length === 3, 'the third email');
    assert.deepEqual(await listMails(id), ['invitation 1', 'invitation 2', 'invitation 3']);
    assert.equal((await getHandle(id).describe()).status.name, 'RUNNING');
    await getHandle(id).terminate();
  });

  itInSoak('follows the operator’s signals: resend, then revoke', async () => {
    const { id } = await createInvitation();
    await waitUntil(async () => (await listMails(id)).length === 1, 'the first email');
    await getHandle(id).signal('resend');
    await waitUntil(async () => (await listMails(id)).length === 2, 'the second email');
    await getHandle(id).signal('revoke');
    assert.equal(await getHandle(id).result(), 'revoked');
    const { status, revision } = await getRows().findOneByOrFail({ id });
    assert.deepEqual([status, revision], ['revoked', 2]);
  });

  itInSoak('ends after acceptance, and after its workspace is deleted', async () => {
    const [accepted, gone] = [await createInvitation(), await createInvitation()];
    for (const { id } of [accepted, gone])
      await waitUntil(async () => (await listMails(id)).length === 1, 'the email');
    await getRows().update(accepted.id, { status: 'accepted', acceptedAt: new Date() });
    await getHandle(accepted.id).signal('accept');
    assert.equal(await getHandle(accepted.id).result(), 'accepted');
    await getRows().delete(gone.id);
    await getHandle(gone.id).signal('accept');
    assert.equal(await getHandle(gone.id).result(), 'deleted');
  });
});
