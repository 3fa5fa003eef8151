import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';

describe('the workflow invitation', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  const rows = () => parley.database.repository(Invitation);
  const handleOf = (id: string) => parley.temporal.workflow.getHandle(`invitation/${id}`);

  /** Templates and names of the mails of an invitation, in order. */
  const mailsOf = async (id: string) =>
    (
      await parley.database.sql<{ key: string }>(
        `SELECT key FROM mails WHERE key LIKE '%/' || $1 || '/%' ORDER BY created_at, id`,
        [id],
      )
    ).map(({ key }) => key.replace(`/${id}/`, ' '));

  async function invite() {
    const org = await parley.buildOrg();
    const { body } = await org.client.post(`/api/orgs/${org.orgId}/invitations`, {
      email: `${newId()}@example.com`,
    });
    return { ...org, id: body.id as string, path: `/api/orgs/${org.orgId}/invitations/${body.id}` as const };
  }

  /** As if the invitation had been made so long ago; it is resent so that the workflow looks again. */
  async function age(id: string, times: Partial<Pick<Invitation, 'remindAt' | 'expiresAt'>>) {
    await rows().update(id, times);
    await handleOf(id).signal('accept');
  }

  it('mails the link, reminds once and ends when the time is over', async () => {
    const { id } = await invite();
    await waitUntil(async () => (await mailsOf(id)).length === 1, 'the first mail');
    await age(id, { remindAt: new Date(Date.now() + 500) });
    await waitUntil(async () => (await mailsOf(id)).length === 2, 'the reminder');
    await age(id, { expiresAt: new Date(Date.now() + 500) });
    assert.equal(await handleOf(id).result(), 'expired');
    assert.deepEqual(await mailsOf(id), ['invitation 1', 'invitation_reminder 1']);
    assert.equal((await rows().findOneByOrFail({ id })).status, 'expired');
  });

  it('shows operators its state, when it reminds and expires, and what they can do', async () => {
    const { id, orgId } = await invite();
    await waitUntil(async () => (await mailsOf(id)).length === 1, 'the first mail');
    const { remindAt, expiresAt } = await rows().findOneByOrFail({ id });
    let details = '';
    await waitUntil(async () => {
      const shown = await handleOf(id).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      details = shown.currentDetails ?? '';
      return details.includes('**pending**');
    }, 'the state to be shown');
    // What is shown is told by another clock, which may be in the next hour already.
    const isShown = (time: Date) =>
      [0, -60_000, 60_000].some((ms) => details.includes(new Date(+time + ms).toISOString().slice(0, 13)));
    assert.ok(isShown(remindAt!) && isShown(expiresAt), details);
    const { searchAttributes } = await handleOf(id).describe();
    assert.deepEqual(
      [searchAttributes['OrgId'], searchAttributes['InvitationState']],
      [[orgId], ['pending']],
    );
    await handleOf(id).terminate();
  });

  it('ends when the API revokes it', async () => {
    const { id, client, path } = await invite();
    assert.equal((await client.delete(path)).status, 200);
    const hasStarted = () =>
      handleOf(id)
        .describe()
        .then(Boolean, () => false);
    await waitUntil(hasStarted, 'its start');
    assert.equal(await handleOf(id).result(), 'revoked');
  });

  it('mails another link when the API resends it, also after it expired', async () => {
    const { id, client, path } = await invite();
    await waitUntil(async () => (await mailsOf(id)).length === 1, 'the first mail');
    await client.post(`${path}/resend`);
    await waitUntil(async () => (await mailsOf(id)).length === 2, 'the second mail');
    await age(id, { expiresAt: new Date(Date.now() - 1), remindAt: null });
    assert.equal(await handleOf(id).result(), 'expired');
    await client.post(`${path}/resend`);
    await waitUntil(async () => (await mailsOf(id)).length === 3, 'the third mail');
    assert.deepEqual(await mailsOf(id), ['invitation 1', 'invitation 2', 'invitation 3']);
    assert.equal((await handleOf(id).describe()).status.name, 'RUNNING');
    await handleOf(id).terminate();
  });

  it('does what operators signal: resend, then revoke', async () => {
    const { id } = await invite();
    await waitUntil(async () => (await mailsOf(id)).length === 1, 'the first mail');
    await handleOf(id).signal('resend');
    await waitUntil(async () => (await mailsOf(id)).length === 2, 'the second mail');
    await handleOf(id).signal('revoke');
    assert.equal(await handleOf(id).result(), 'revoked');
    const { status, revision } = await rows().findOneByOrFail({ id });
    assert.deepEqual([status, revision], ['revoked', 2]);
  });

  it('ends when it was accepted, and when its workspace is gone', async () => {
    const [accepted, gone] = [await invite(), await invite()];
    for (const { id } of [accepted, gone])
      await waitUntil(async () => (await mailsOf(id)).length === 1, 'the mail');
    await rows().update(accepted.id, { status: 'accepted', acceptedAt: new Date() });
    await handleOf(accepted.id).signal('accept');
    assert.equal(await handleOf(accepted.id).result(), 'accepted');
    await rows().delete(gone.id);
    await handleOf(gone.id).signal('accept');
    assert.equal(await handleOf(gone.id).result(), 'deleted');
  });
});
