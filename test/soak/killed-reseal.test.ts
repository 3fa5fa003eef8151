import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { form } from '../contacts/identity-support.ts';
import { startOwnKeys, type OwnKeys } from '../encryption/own-key.ts';
import { buildMultipartUpload } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { BLOCKED } from '../support/wait-until-blocked.ts';
import { ask, buildSession } from '../support/widget.ts';
import { buildTemporalEnv, WorkerProcess } from '../support/worker.ts';

const PATIENCE_MS = 15 * 60_000;
const FILES = ['Twelve cargo bikes', 'Nine tandems', 'A hundred helmets'];
const BETWEEN_TURNS_MS = 250;

/** A step of encrypting content at which a worker waits for a lock that the test holds, and is killed. */
interface Step {
  hold: (db: Database, orgId: string) => Promise<unknown>;
  /** Beginning of the SQL statement that waits for the lock. */
  waiting: string;
}

/**
 * Key of the database lock that a trigger takes after messages are encrypted or decrypted, so that a test can
 * pause this work.
 */
const CONVERSIONS = 4711;
const LOCK_CONVERSIONS = `
  CREATE FUNCTION wait_as_converted() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${CONVERSIONS}); RETURN NULL; END $$;
  CREATE TRIGGER wait_as_converted AFTER UPDATE ON messages FOR EACH ROW
    WHEN (OLD.state = 'complete' AND OLD.key_id IS DISTINCT FROM NEW.key_id) EXECUTE FUNCTION wait_as_converted()`;

const lockTable = (table: string) => (db: Database) => db.sql(`LOCK TABLE ${table} IN SHARE MODE`);

const steps = {
  'a batch of messages is written, and not committed': {
    hold: (db) => db.sql(`SELECT pg_advisory_xact_lock(${CONVERSIONS})`),
    waiting: 'UPDATE "messages" t SET',
  },
  'a batch is committed, and not how far the walk is': {
    hold: (db, orgId) => db.sql('SELECT FROM org_encryption WHERE org_id = $1 FOR UPDATE', [orgId]),
    waiting: 'UPDATE "org_encryption"',
  },
  'a file is written, and no row names it': {
    hold: (db, orgId) => db.sql('SELECT FROM documents WHERE org_id = $1 FOR UPDATE', [orgId]),
    waiting: 'UPDATE "documents" SET',
  },
  'data keys are being wrapped by the new key': {
    hold: lockTable('data_keys'),
    waiting: 'UPDATE "data_keys"',
  },
  'keys are being removed': { hold: lockTable('workspace_keys'), waiting: 'DELETE FROM "workspace_keys"' },
} satisfies Record<string, Step>;

describe('reseal, with a worker killed at any step during visitors’ turns and changes of contacts,', function () {
  this.timeout(PATIENCE_MS);
  let parley: TestParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
    keys = await startOwnKeys(parley);
    await parley.database.sql(LOCK_CONVERSIONS);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  async function build() {
    const org = await buildSession(parley, { ...form, rate_limit_per_minute: 600 });
    const { client, visitor, path, bot, orgId } = org;
    assert.equal((await visitor.post(`${path}/lead`, { fields: { name: 'Zoë' } })).status, 200);
    const contact = await parley.database.repository(Contact).findOneByOrFail({ orgId });
    const ids: string[] = [];
    for (const text of FILES) {
      const { headers, body } = buildMultipartUpload('list.txt', text, { type: 'text/plain' });
      const init = { method: 'POST', headers, body: new Uint8Array(body) };
      const response = await client.fetch(`/api/bots/${bot.id}/knowledge/upload`, init);
      ids.push(((await response.json()) as { id: string }).id);
    }
    const downloads = () =>
      Promise.all(
        ids.map(async (id) => {
          const { body } = await client.get(`/api/bots/${bot.id}/knowledge/${id}/download`);
          return (await fetch(parley.baseUrl + new URL(body.url).pathname)).text();
        }),
      );
    const own = `/api/contacts/${contact.id}` as const;
    return { ...org, ...startTraffic(org, own), own, downloads };
  }

  /** Starts a visitor who keeps writing messages, and a team member who keeps editing the visitor’s contact. */
  function startTraffic(
    { client, visitor, path }: Awaited<ReturnType<typeof buildSession>>,
    own: `/api/contacts/${string}`,
  ) {
    const accepted = { said: [] as string[], name: 'Zoë' };
    let isOver = false;
    const run = async () => {
      for (let n = 1; !isOver; n += 1) {
        const [content, name] = [`Question ${n}?`, `Zoë ${n}`];
        const response = await ask(visitor, path, { content });
        assert.match(await response.text(), /^event: done$/m);
        accepted.said.push(content);
        assert.equal((await client.patch(own, { name })).status, 200);
        accepted.name = name;
        await pause(BETWEEN_TURNS_MS);
      }
    };
    const running = run();
    // Ignore the error here, because the caller of `end` receives it.
    running.catch(() => undefined);
    return {
      told: accepted,
      end: () => {
        isOver = true;
        return running;
      },
    };
  }
  type Built = Awaited<ReturnType<typeof build>>;

  async function killWorkerAtStep({ orgId }: Built, { hold, waiting }: Step): Promise<void> {
    const doomed = new WorkerProcess(parley.runtime.settings);
    await parley.database.transaction(async (db) => {
      await hold(db, orgId);
      const isWaiting = async () => {
        const blocked = await parley.database.sql(`SELECT ${BLOCKED} AND query LIKE $1`, [`${waiting}%`]);
        return blocked.length > 0;
      };
      await waitUntil(isWaiting, `${waiting} to wait`);
      await doomed.end('SIGKILL');
    });
  }

  /** Changes the encryption, kills a worker at each of the steps, and completes the change with another worker. */
  async function assertSurvives(
    built: Built,
    change: () => Promise<{ status: number }>,
    at: Step[],
  ): Promise<void> {
    assert.equal((await change()).status, 200);
    for (const step of at) await killWorkerAtStep(built, step);
    const last = new WorkerProcess(parley.runtime.settings);
    const isSealing = async () => (await built.client.get('/api/encryption')).body.sealing;
    await waitUntilEqual(isSealing, false);
    await waitUntilEqual(listStoredFiles, await listNamedFiles());
    await last.end('SIGTERM');
  }

  async function listStoredFiles(): Promise<string[]> {
    const root = join(parley.runtime.settings.home, 'files');
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => relative(root, join(parentPath, name))).toSorted();
  }

  async function listNamedFiles(): Promise<string[]> {
    const documents = await parley.database.repository(Document).find();
    return documents.flatMap(({ storageKey }) => storageKey ?? []).toSorted();
  }

  /** Counts the rows with the id of a key, and the rows with readable content. */
  async function countRowsByKey({ orgId }: Built) {
    const [row] = await parley.database.sql<{ sealed: number; readable: number }>(
      `SELECT count(key_id)::int AS sealed, count(*) FILTER (WHERE key_id IS NULL)::int AS readable FROM (
         SELECT key_id FROM messages WHERE org_id = $1 AND content <> ''
         UNION ALL SELECT key_id FROM contacts WHERE org_id = $1
         UNION ALL SELECT key_id FROM documents WHERE org_id = $1) content`,
      [orgId],
    );
    return row!;
  }

  async function assertNothingLost({ client, session, own, told, downloads }: Built): Promise<void> {
    const said: string[] = [];
    const messages = `/api/conversations/${session.session_id}/messages` as const;
    for (let before = 'end'; ;) {
      const { body } = await client.get(`${messages}?limit=100&before=${before}` as typeof messages);
      said.unshift(...body.filter(({ role }) => role === 'user').map(({ content }) => content));
      if (body.length === 0) break;
      before = body[0]!.id;
    }
    assert.deepEqual(said, told.said);
    assert.equal((await client.get(own)).body.name, told.name);
    assert.deepEqual(await downloads(), FILES);
  }

  it('encrypts everything, reencrypts it with a new key and decrypts it again, without losing or skipping a message or file', async () => {
    const built = await build();
    const { orgId } = built;
    const owner = await keys.seal(built);
    await assertSurvives(built, () => owner.put('/api/encryption', { mode: 'tenant' }), [
      steps['a batch of messages is written, and not committed'],
      steps['a batch is committed, and not how far the walk is'],
      steps['a file is written, and no row names it'],
    ]);
    assert.equal((await countRowsByKey(built)).readable, 0);

    await assertSurvives(built, () => owner.post('/api/encryption/rotate'), [
      steps['data keys are being wrapped by the new key'],
    ]);
    const present = await parley.database.sql('SELECT version FROM workspace_keys WHERE org_id = $1', [
      orgId,
    ]);
    assert.deepEqual(present, [{ version: 2 }]);
    assert.equal((await countRowsByKey(built)).readable, 0);

    await assertSurvives(built, () => owner.put('/api/encryption', { mode: 'platform' }), [
      steps['a batch of messages is written, and not committed'],
      steps['a file is written, and no row names it'],
      steps['keys are being removed'],
    ]);
    await built.end();
    assert.equal((await countRowsByKey(built)).sealed, 0);
    await assertNothingLost(built);
  });
});
