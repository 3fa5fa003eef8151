import assert from 'node:assert/strict';
import type { ScheduleHandle } from '@temporalio/client';
import { newId } from '../../../core/ids.ts';
import { OrgEncryption } from '../../../entities/encryption/org-encryption.entity.ts';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { resealWorkflowId } from '../../../core/workflows/commands.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { buildOwner, startVault, type TestVault } from '../../encryption/support.ts';

type Front = TestVault['front'];

describe('checkKeyServices', () => {
  let parley: TestParleyWithWorker;
  let vault: TestVault;
  let schedule: ScheduleHandle;
  let owner: Awaited<ReturnType<typeof buildOwner>>;
  const describeSchedule = () => schedule.describe().catch(() => null);
  before(async () => {
    [parley, vault] = await Promise.all([startParleyWithWorker(), startVault()]);
    const { temporalTaskQueue } = parley.runtime.settings;
    schedule = parley.temporal.schedule.getHandle(`${temporalTaskQueue}/check-key-services`);
    await waitUntil(async () => (await describeSchedule()) !== null, 'the schedule to be there');
    await schedule.pause();
  });
  after(() => Promise.all([parley.stop(), vault.stop()]));
  beforeEach(async () => {
    vault.front.mode = 'pass';
    owner = await buildOwner(parley, vault.service);
    assert.equal((await owner.owner.put('/api/encryption', { mode: 'tenant' })).status, 200);
    await endResealing();
  });
  // Remove the key services, because the next test would also check this test's workspace.
  afterEach(() => parley.database.sql('DELETE FROM key_services'));

  /** Ends the workflow that encrypts stored content, which would also call the key service. */
  async function endResealing(): Promise<void> {
    const handle = parley.temporal.workflow.getHandle(resealWorkflowId(owner.orgId));
    const isThere = () =>
      handle.describe().then(
        () => true,
        () => false,
      );
    await waitUntil(isThere, 'reseal to begin');
    await handle.terminate();
  }

  async function check(mode: Front['mode'] = 'pass'): Promise<string> {
    vault.front.mode = mode;
    const handle = await parley.temporal.workflow.start('checkKeyServices', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: `check-key-services-${newId()}`,
    });
    await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return currentDetails;
  }

  async function findMails(): Promise<[string, string | null][]> {
    const templates = ['key_service_failing', 'key_service_back'];
    const rows = await parley.database.repository(MailRow).find({
      where: { orgId: owner.orgId },
      order: { id: 'ASC' },
    });
    return rows
      .filter(({ template }) => templates.includes(template))
      .map(({ template, userId }) => [template, userId]);
  }

  /** Returns what getEncryption says about the key service, without the progress of encryption. */
  const readServiceLines = async () =>
    (await owner.client.get('/api/encryption')).body.consequences.filter((line) =>
      line.startsWith('The key service'),
    );

  it('emails owners once when the key is refused, shows the error in getEncryption, and emails them when the key is available again', async () => {
    await parley.buildOrg({ orgId: owner.orgId, role: 'admin' });
    assert.match(await check('refuse'), /1 workspace checked\n.*1 failing/);
    await check('refuse');
    assert.deepEqual(await findMails(), [['key_service_failing', owner.userId]]);
    const [said] = await readServiceLines();
    assert.match(
      said!,
      /^The key service has not decrypted the workspace key since \d{4}-.+Z\. Its last response: The key service refused the request with status 403\.$/,
    );
    assert.match(await check(), /1 workspace checked\n.*0 failing/);
    assert.deepEqual(await findMails(), [
      ['key_service_failing', owner.userId],
      ['key_service_back', owner.userId],
    ]);
    assert.deepEqual(await readServiceLines(), []);
  });

  it('withdraws a refused key from the callers’ caches at once', async () => {
    const { contentKeys } = parley.runtime.services.encryption;
    await contentKeys.getCurrentKey(owner.orgId);
    await check('refuse');
    await assert.rejects(contentKeys.getCurrentKey(owner.orgId), { code: 'key_unavailable' });
  });

  it('emails owners about a long outage, but not about a short outage', async () => {
    await parley.runtime.services.encryption.contentKeys.getCurrentKey(owner.orgId);
    await check('hang');
    await check('fail');
    assert.deepEqual(await findMails(), []);
    await parley.database
      .repository(OrgEncryption)
      .update(owner.orgId, { serviceFailedAt: new Date(Date.now() - 10 * 60_000) });
    await check('fail');
    assert.deepEqual(await findMails(), [['key_service_failing', owner.userId]]);
    await parley.runtime.services.encryption.contentKeys.getCurrentKey(owner.orgId);
  });

  it('renews Vault’s token after the key was decrypted', async () => {
    vault.front.requests.length = 0;
    await check();
    const countRenewals = () =>
      vault.front.requests.filter(({ path }) => path === '/v1/auth/token/renew-self').length;
    assert.equal(countRenewals(), 1);
    await check('refuse');
    assert.equal(countRenewals(), 1);
  });

  it('checks the other workspaces if one workspace’s credentials cannot be decrypted', async () => {
    const other = await buildOwner(parley, vault.service);
    assert.equal((await other.owner.put('/api/encryption', { mode: 'tenant' })).status, 200);
    await parley.database.sql('UPDATE key_services SET sealed_credentials = $2 WHERE org_id = $1', [
      other.orgId,
      'x'.repeat(80),
    ]);
    assert.match(await check('refuse'), /2 workspaces checked\n.*2 failing/);
    assert.deepEqual(await findMails(), [['key_service_failing', owner.userId]]);
  });

  it('forgets the error of a service that its owner has replaced', async () => {
    await check('refuse');
    vault.front.mode = 'pass';
    const path = `/api/orgs/${owner.orgId}` as const;
    assert.equal((await owner.owner.patch(path, { settings: { key_service: vault.service } })).status, 200);
    assert.deepEqual(await readServiceLines(), []);
  });
});
