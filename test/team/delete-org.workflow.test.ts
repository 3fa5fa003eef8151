import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { itInSoak } from '../support/it-in-soak.ts';
import { addDocument } from '../support/knowledge.ts';
import { buildPng } from '../support/images.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  startParleyWithWorker,
  waitForTerminalState,
  type TestParleyWithWorker,
} from '../support/worker.ts';
import type { TestOrg } from '../support/parley.ts';

describe('deleteOrg', () => {
  let parley: TestParleyWithWorker;
  before(async () => {
    parley = await startParleyWithWorker();
    const { temporalTaskQueue } = parley.runtime.settings;
    const schedule = parley.temporal.schedule.getHandle(`${temporalTaskQueue}/fold-counts`);
    const isServerPresent = () =>
      schedule.describe().then(
        () => true,
        () => false,
      );
    await waitUntil(isServerPresent, 'the schedule to be there');
    // Pause the schedule that adds recorded changes to figures every minute: it would change the row counts
    // that a test compares.
    await schedule.pause();
  });
  after(() => parley.stop());

  /** Builds a workspace with rows in many database tables. */
  async function buildFilledOrg(): Promise<TestOrg> {
    const { database: db, runtime } = parley;
    const org = await parley.buildOrg();
    for (const _ of [1, 2]) {
      const botId = await buildBot(org);
      const input = { source_type: 'raw_text', raw_text: 'Bees make honey.' } as const;
      const scope = { orgId: org.orgId, db };
      await waitForTerminalState(
        parley,
        (await addDocument(runtime.services.knowledge.documentIntake, scope, botId, input)).id,
      );
      const form = new FormData();
      form.set('file', new File([buildPng(8, 8)], 'a.png'));
      await org.client.fetch(`/api/bots/${botId}/theme/avatar`, { method: 'POST', body: form });
      await db.sql(
        `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id)
         SELECT gen_random_uuid(), $1, $2, 'visitor', gen_random_uuid()
         FROM generate_series(1, 250)`,
        [org.orgId, botId],
      );
    }
    await org.client.post(
      '/api/webhooks',
      { url: 'https://127.0.0.1:9/hook' },
      { 'idempotency-key': 'hook' },
    );
    const { client: session } = await parley.signIn(org);
    await session.patch(`/api/orgs/${org.orgId}`, { name: 'Acme' }, { 'idempotency-key': 'name' });
    await org.client.post(`/api/orgs/${org.orgId}/invitations`, { email: `${org.userId}@example.org` });
    return org;
  }

  /** Returns the number of a workspace's rows by table, without empty tables. */
  async function countRows(orgId: string): Promise<Record<string, number>> {
    const { database: db } = parley;
    const tables = await db.sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE column_name = 'org_id' AND table_schema = 'public'`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await db.sql<{ n: number }>(`SELECT count(*)::int n FROM "${name}" WHERE org_id = $1`, [
        orgId,
      ]);
      if (row!.n > 0) counts[name] = row!.n;
    }
    return counts;
  }

  it('deletes rows and files of the workspace, and of no other workspace', async () => {
    const [org, other] = [await buildFilledOrg(), await buildFilledOrg()];
    const before = await countRows(other.orgId);
    const filesFolder = (orgId: string) => join(parley.runtime.settings.home, 'files', orgId);
    assert.equal(existsSync(filesFolder(org.orgId)), true);
    const { body: invitations } = await org.client.get(`/api/orgs/${org.orgId}/invitations`);
    await waitUntil(async () => (await countRows(org.orgId))['mails'] === 1, 'the invitation to be emailed');
    const { client: session } = await parley.signIn(org);
    const { status, body } = await session.delete(`/api/orgs/${org.orgId}`);
    assert.equal(status, 202, JSON.stringify(body));
    const handle = parley.temporal.workflow.getHandle(`delete-org/${org.orgId}`);
    const isThere = async () =>
      (await parley.database.sql('SELECT FROM orgs WHERE id = $1', [org.orgId])).length > 0;
    await waitUntil(async () => !(await isThere()), 'the workspace to be gone');
    await handle.result();
    for (const { id } of invitations)
      assert.match(await parley.temporal.workflow.getHandle(`invitation/${id}`).result(), /revoked|deleted/);
    assert.deepEqual(await countRows(org.orgId), {});
    assert.deepEqual(
      await parley.database.sql(
        `SELECT FROM idempotency_keys k WHERE principal LIKE 'user:' || $1 || ':%' OR principal LIKE 'key:%'
           AND NOT EXISTS (SELECT FROM api_keys a WHERE 'key:' || a.id = k.principal)`,
        [org.orgId],
      ),
      [],
    );
    assert.equal(existsSync(filesFolder(org.orgId)), false);
    // Exclude tables that change meanwhile: the relay empties the outbox, and Parley queues emails and logs
    // requests.
    const moving = { outbox: 0, mails: 0, request_log: 0 };
    assert.deepEqual({ ...(await countRows(other.orgId)), ...moving }, { ...before, ...moving });
    assert.equal(existsSync(filesFolder(other.orgId)), true);
    assert.equal((await other.client.get('/api/bots')).status, 200);
  });

  itInSoak('deletes nothing of a workspace that no owner has deleted', async () => {
    const org = await buildFilledOrg();
    const before = await countRows(org.orgId);
    const { orgPurge } = parley.runtime.services.team;
    const scope = { orgId: org.orgId, db: parley.database };
    assert.deepEqual(await orgPurge.markBotsDeleted(scope), []);
    await orgPurge.removeRows(scope, new AbortController().signal);
    const moving = { outbox: 0, mails: 0 };
    assert.deepEqual({ ...(await countRows(org.orgId)), ...moving }, { ...before, ...moving });
  });
});
