import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../core/ids.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { addDocument } from '../support/knowledge.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  startSharedParleyWithWorker,
  waitForTerminalState,
  type SharedParleyWithWorker,
} from '../support/worker.ts';

describe('purgeBot', () => {
  let parley: SharedParleyWithWorker;

  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  it('deletes documents, chunks, files, conversations, contacts, test sets and the bot, and nothing that belongs to other bots', async () => {
    const { database: db, runtime } = parley;
    const org = await parley.buildOrg();
    const [botId, otherId] = [await buildBot(org), await buildBot(org)];
    const botFolder = (id: string) => join(runtime.settings.home, 'files', org.orgId, id);
    for (const id of [botId, otherId]) {
      const input = { source_type: 'raw_text', raw_text: 'Bees make honey.' } as const;
      const document = await addDocument(
        runtime.services.knowledge.documentIntake,
        { orgId: org.orgId, db },
        id,
        input,
      );
      await waitForTerminalState(parley, document.id);
      await db.sql(
        `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id)
         SELECT gen_random_uuid(), $1, $2, 'visitor', gen_random_uuid()
         FROM generate_series(1, 450)`,
        [org.orgId, id],
      );
      await db.sql(
        `INSERT INTO contacts (id, org_id, bot_id, visitor_id, browser_id)
         VALUES (gen_random_uuid(), $1, $2, 'visitor', gen_random_uuid())`,
        [org.orgId, id],
      );
    }
    for (const id of [botId, otherId]) {
      const sets = `/api/ext/bots/${id}/test-sets` as const;
      const questions = [{ question: 'What do bees make?' }];
      const { body: set } = await org.client.post(sets, { name: 'Bees', questions });
      assert.equal((await org.client.post(`${sets}/${set.id}/runs`, {})).status, 202);
    }
    const { status } = await org.client.delete(`/api/bots/${botId}`);
    assert.equal(status, 200);
    const botExists = async () => (await db.sql('SELECT FROM bots WHERE id = $1', [botId])).length > 0;
    await waitUntil(async () => !(await botExists()), 'the bot to be gone');
    await parley.temporal.workflow.getHandle(`purge-bot/${botId}`).result();
    assert.equal(existsSync(botFolder(botId)), false);
    assert.equal(existsSync(botFolder(otherId)), true);
    for (const table of ['documents', 'chunks', 'conversations', 'contacts', 'test_sets', 'test_runs']) {
      const rows = await db.sql(
        `SELECT bot_id, count(*)::int FROM ${table} WHERE org_id = $1 GROUP BY bot_id`,
        [org.orgId],
      );
      assert.deepEqual(rows, [{ bot_id: otherId, count: table === 'conversations' ? 450 : 1 }]);
    }
  });

  itInSoak('keeps the consent of visitors who also visited other bots', async () => {
    const { database: db } = parley;
    const org = await parley.buildOrg();
    const [botId, otherId] = [await buildBot(org), await buildBot(org)];
    const contactId = newId();
    await db.sql(
      `INSERT INTO contacts (id, org_id, bot_id, visitor_id, browser_id, identity)
       VALUES ($1, $2, $3, 'visitor', gen_random_uuid(), 'ada')`,
      [contactId, org.orgId, botId],
    );
    for (const [id, contact] of [
      [botId, contactId],
      [botId, null],
      [otherId, contactId],
    ]) {
      const conversation = [newId(), org.orgId, id, contact];
      await db.sql(
        `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, contact_id)
         VALUES ($1, $2, $3, 'visitor', gen_random_uuid(), $4)`,
        conversation,
      );
      await db.sql(
        `INSERT INTO visitor_consents (id, org_id, bot_id, browser_id, contact_id, consent)
         VALUES ($1, $2, $3, gen_random_uuid(), $4, 'denied')`,
        conversation,
      );
    }
    await org.client.delete(`/api/bots/${botId}`);
    const listConsents = () =>
      db.sql('SELECT bot_id, contact_id FROM visitor_consents WHERE org_id = $1', [org.orgId]);
    await waitUntil(
      async () => (await db.sql('SELECT FROM bots WHERE id = $1', [botId])).length === 0,
      'the end',
    );
    assert.deepEqual(await listConsents(), Array(2).fill({ bot_id: otherId, contact_id: contactId }));
  });
});
