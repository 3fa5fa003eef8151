import { newId } from '../../core/ids.ts';
import { call } from '../support/installation.ts';
import { pollWithin } from '../support/poll-within.ts';
import { addBots, addWorkspaces, withTable } from './copies.ts';
import { measureMs, type GrowthScene, type Probe } from './dimension.ts';

const OLD_DELIVERIES = 5000;
const TIMEOUT_MS = 30_000;

/** Ids of the workspace and bot that each run inserts and deletes, next to the rows that stay. */
let deletedIds = { orgId: '', botId: '' };
let erased = '';

const purgeLog: Probe = {
  name: `purgeExpired, ${OLD_DELIVERIES.toLocaleString('en')} deliveries to remove`,
  calls: 3,
  prepare: async ({ db, neighbor: { orgId, endpoints } }) => {
    await db.sql(
      `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status, attempts, created_at)
       SELECT uuidv7(-interval '400 days'), $1, $2, 'old-' || n, 'conversation.started', '{}', 'delivered', 1,
              now() - interval '400 days'
       FROM generate_series(1, ${OLD_DELIVERIES}) n`,
      [orgId, endpoints[0]!.id],
    );
  },
  run: (scene) => executeWorkflow(scene, 'purgeExpired'),
};

/** Measures the permanent removal of a small deleted bot in the large workspace. */
const purgeBot: Probe = {
  name: 'purgeBot, small',
  calls: 3,
  prepare: async (scene) => {
    deletedIds = { orgId: scene.workspace.orgId, botId: newId() };
    const query = `SELECT '${deletedIds.orgId}'::uuid AS org_id, '${deletedIds.botId}'::uuid AS bot_id`;
    await withTable(scene.db, { query }, (table) => addBots(scene, table));
    await scene.db.sql(`UPDATE bots SET status = 'archived', deleted_at = now() WHERE id = $1`, [
      deletedIds.botId,
    ]);
  },
  run: (scene) => executeWorkflow(scene, 'purgeBot', deletedIds),
};

const deleteOrg: Probe = {
  name: 'deleteOrg, small',
  calls: 3,
  prepare: async (scene) => {
    deletedIds = { orgId: newId(), botId: newId() };
    const query = `SELECT '${deletedIds.orgId}'::uuid AS org_id, '${deletedIds.botId}'::uuid AS bot_id, uuidv7() AS webhook_id`;
    await withTable(scene.db, { query }, (table) => addWorkspaces(scene, table));
    await scene.db.sql('UPDATE orgs SET deleted_at = now() WHERE id = $1', [deletedIds.orgId]);
  },
  run: (scene) => executeWorkflow(scene, 'deleteOrg', { orgId: deletedIds.orgId }),
};

/** Measures the time from the request to erase a contact until the contact is deleted. */
const eraseContact: Probe = {
  name: 'eraseContact',
  calls: 3,
  prepare: async ({ db, workspace: { orgId, botId } }) => {
    erased = newId();
    await db.sql(
      `INSERT INTO contacts (id, org_id, bot_id, visitor_id, browser_id, name)
       VALUES ($1, $2, $3, 'v-erased', gen_random_uuid(), 'Ada')`,
      [erased, orgId, botId],
    );
  },
  run: ({ installation, workspace: { apiKey }, db }) =>
    measureMs(async () => {
      await call({ ...installation, apiKey }, 'POST', `/api/contacts/${erased}/erase`);
      const isGone = async () => (await db.sql('SELECT FROM contacts WHERE id = $1', [erased])).length === 0;
      if (!(await pollWithin(TIMEOUT_MS, isGone))) throw new Error('A contact was not erased.');
    }),
};

export const purges: readonly Probe[] = [purgeLog, purgeBot, deleteOrg, eraseContact];

function executeWorkflow(
  { temporal, taskQueue }: GrowthScene,
  workflow: string,
  input?: object,
): Promise<number> {
  const workflowId = `bench/${workflow}/${newId()}`;
  return measureMs(() =>
    temporal.workflow.execute(workflow, { taskQueue, workflowId, args: input ? [input] : [] }),
  );
}
