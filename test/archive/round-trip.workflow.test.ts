import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { startOwnKeys, type OwnKeys } from '../encryption/own-key.ts';
import { isInSoak, itInSoak } from '../support/it-in-soak.ts';
import { buildBot, startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import type { TestOrg } from '../support/parley.ts';
import { buildScene, scenes } from './random-chats.ts';
import { exportToArchive, runImport, readArchiveManifest, readArchiveRecords } from './support.ts';

describe('importing an exported archive:', () => {
  let parley: TestParleyWithWorker;
  let keys: OwnKeys;

  before(async () => {
    parley = await startParleyWithWorker({ PARLEY_LOG_LEVEL: 'warn' });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  async function buildOrgWithBots() {
    const org = await parley.buildOrg();
    const botIds = [await buildBot(org), await buildBot(org)];
    return { ...org, botIds };
  }

  async function removeAll({ orgId, client }: TestOrg): Promise<void> {
    const { database } = parley;
    const ids = (await database.repository(Conversation).findBy({ orgId })).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += 200) {
      const body = { ids: ids.slice(from, from + 200), action: 'delete' as const };
      assert.equal((await client.post('/api/conversations/bulk', body)).body.failed, 0);
    }
    await database.repository(Contact).delete({ orgId });
  }

  async function assertRoundTrip(org: TestOrg): Promise<void> {
    const before = await exportToArchive(org.client);
    const readBots = () =>
      parley.database.repository(Bot).find({ where: { orgId: org.orgId }, order: { id: 'ASC' } });
    const figures = await readBots();
    await removeAll(org);
    const job = await runImport(org.client, before);
    const { conversations, messages, contacts } = readArchiveManifest(before).counts;
    assert.deepEqual(
      [job.status, job.counts, job.errors],
      ['completed', { bots: 0, contacts, conversations, messages, skipped: 0, failed: 0 }, []],
    );
    const again = await exportToArchive(org.client);
    assert.deepEqual(readArchiveRecords(again), readArchiveRecords(before));
    assert.deepEqual(await readBots(), figures);
  }

  const reported = { endOnFailure: true, seed: 20_261_127, includeErrorInReport: true };

  it('exportArchive exports the same records again after their deletion and import', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const org = await buildOrgWithBots();
        await buildScene(parley.database, org, scene);
        await assertRoundTrip(org);
      }),
      { numRuns: isInSoak ? 8 : 1, ...reported },
    );
  });

  itInSoak(
    'exportArchive of a workspace with its own key exports the same records again, which the import encrypts',
    async () => {
      const readable = (orgId: string) =>
        parley.database.sql(
          "SELECT FROM messages WHERE org_id = $1 AND key_id IS NULL AND (content <> '' OR citations IS NOT NULL)",
          [orgId],
        );
      await fc.assert(
        fc.asyncProperty(scenes, async (scene) => {
          const org = await buildOrgWithBots();
          await buildScene(parley.database, org, scene);
          await keys.seal(org);
          await parley.runtime.services.encryption.resealing.runSteps(
            { orgId: org.orgId, db: parley.database },
            () => false,
          );
          await assertRoundTrip(org);
          assert.deepEqual(await readable(org.orgId), []);
        }),
        { numRuns: 4, ...reported },
      );
    },
  );
});
