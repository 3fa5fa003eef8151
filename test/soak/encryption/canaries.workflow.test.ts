import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withAdmin } from '../../support/database.ts';
import type { TestOrg } from '../../support/parley.ts';
import { waitUntil, waitUntilEqual } from '../../support/wait-until.ts';
import { ask } from '../../support/widget.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { storeWordEverywhere } from '../../encryption/dump-scene.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';
import { findTablesWith } from '../../encryption/support.ts';

const WORD = 'zq7lanternfish';
/** Phrase in documents. Full-text indexes contain its words, but not their order, so they do not contain the phrase. */
const PHRASE = 'Kx9 parades of mulberry zq8';
const CANARIES = [WORD, PHRASE].map((text) => Buffer.from(text));

describe('database files after workspaces have switched to their own keys', () => {
  let parley: TestParleyWithWorker;
  let keys: OwnKeys;
  before(async () => {
    parley = await startParleyWithWorker();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  /** Finds files of this database and of the write-ahead log that contain one of the texts to be found, `CANARIES`. */
  async function findFilesWithCanaries(): Promise<string[]> {
    await withAdmin((client) => client.query('CHECKPOINT'));
    const [row] = await parley.database.sql<{ folder: string; oid: string }>(
      'SELECT oid::text FROM pg_database WHERE datname = current_database()',
    );
    const cluster = join(process.env['TEST_FOLDER']!, 'postgres');
    const found: string[] = [];
    for (const folder of [`base/${row!.oid}`, 'pg_wal'])
      for (const entry of await readdir(join(cluster, folder), { withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const content = await readFile(join(cluster, folder, entry.name)).catch(() => Buffer.alloc(0));
        if (CANARIES.some((canary) => content.includes(canary))) found.push(`${folder}/${entry.name}`);
      }
    return found;
  }

  async function build(): Promise<TestOrg[]> {
    const org = await parley.buildOrg();
    const { client } = org;
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk', handoff_enabled: true });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const document = { source_type: 'raw_text', title: 'Notes', raw_text: `See ${PHRASE} at nine.` };
    const { body: made } = await client.post(`/api/bots/${bot.id}/knowledge`, document);
    const status = async () =>
      (await client.get(`/api/bots/${bot.id}/knowledge/${made.id}/status`)).body.status;
    await waitUntilEqual(status, 'indexed');
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${session.session_id}` as const;
    const named = { 'idempotency-key': 'said' };
    await (await ask(visitor, path, { content: `When does the ${WORD} open?` }, named)).text();
    await visitor.post(`${path}/handoff`, { reason: `My ${WORD} is lost.` });
    await parley.runtime.services.analytics.questionGrouping.groupBatch(parley.database);
    const orgs: TestOrg[] = [org];
    const collect = async (other: TestOrg) => void orgs.push(other);
    await storeWordEverywhere(parley, org, collect, WORD);
    return orgs;
  }

  it('contain no canary in tables, indexes, statistics or the log, and tables are rewritten once for all workspaces', async () => {
    const orgs = await build();
    await parley.database.sql('ANALYZE');
    const before = await findFilesWithCanaries();
    assert.ok(
      before.some((file) => file.startsWith('base/')) && before.some((file) => file.startsWith('pg_wal/')),
    );
    const readable = await findTablesWith(parley, WORD);
    for (const table of ['bookings', 'bot_generations', 'conversations', 'messages', 'tool_invocations'])
      assert.ok(readable.includes(table), table);

    const owners = await Promise.all(orgs.map((org) => keys.seal(org)));
    for (const owner of owners)
      await waitUntil(
        async () => !(await owner.get('/api/encryption')).body.sealing,
        'the sealing to be done',
      );
    assert.deepEqual(await findFilesWithCanaries(), []);
    const rewrites = await parley.database.sql<{ name: string }>(
      'SELECT name FROM table_rewrites ORDER BY 1',
    );
    assert.ok(
      rewrites.some(({ name }) => name === 'messages') && rewrites.some(({ name }) => name === 'wal'),
    );
  });
});
