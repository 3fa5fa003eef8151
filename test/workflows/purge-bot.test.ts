import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addDocument } from '../support/knowledge.ts';
import {
  buildBot,
  startParleyWithWorker,
  terminal,
  until,
  type TestParleyWithWorker,
} from '../support/worker.ts';

describe('purgeBot', function () {
  this.timeout(60_000);
  let parley: TestParleyWithWorker;

  before(async () => {
    parley = await startParleyWithWorker();
  });

  after(() => parley.stop());

  it('removes documents, chunks, files, conversations, contacts and the bot, and nothing of other bots', async () => {
    const { database: db, runtime } = parley;
    const org = await parley.buildOrg();
    const [botId, otherId] = [await buildBot(org), await buildBot(org)];
    const files = (id: string) => join(runtime.settings.home, 'files', org.orgId, id);
    for (const id of [botId, otherId]) {
      const input = { source_type: 'raw_text', raw_text: 'Bees make honey.' } as const;
      const document = await addDocument(
        runtime.services.documentIntake,
        { orgId: org.orgId, db },
        id,
        input,
      );
      await terminal(parley, document.id);
      await db.sql(
        `INSERT INTO conversations (id, org_id, bot_id, visitor_id) SELECT gen_random_uuid(), $1, $2, 'visitor'
         FROM generate_series(1, 450)`,
        [org.orgId, id],
      );
      await db.sql(
        `INSERT INTO contacts (id, org_id, bot_id, visitor_id) VALUES (gen_random_uuid(), $1, $2, 'visitor')`,
        [org.orgId, id],
      );
    }
    const { status } = await org.client.delete(`/api/bots/${botId}`);
    assert.equal(status, 200);
    const botExists = async () => (await db.sql('SELECT FROM bots WHERE id = $1', [botId])).length > 0;
    await until(async () => !(await botExists()), 'the bot to be gone');
    await parley.temporal.workflow.getHandle(`purge-bot/${botId}`).result();
    assert.equal(existsSync(files(botId)), false);
    assert.equal(existsSync(files(otherId)), true);
    for (const table of ['documents', 'chunks', 'conversations', 'contacts']) {
      const rows = await db.sql(`SELECT bot_id, count(*)::int FROM ${table} GROUP BY bot_id`);
      assert.deepEqual(rows, [{ bot_id: otherId, count: table === 'conversations' ? 450 : 1 }]);
    }
  });
});
