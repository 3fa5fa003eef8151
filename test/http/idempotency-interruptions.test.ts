import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { startApiProcess, type ApiProcess } from '../support/api-process.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { until } from '../support/until.ts';
import { outcomeOf } from '../support/outcome.ts';

/** Any number: whoever holds it keeps the writes of this file's database waiting. */
const GATE = 11;

/** Where a write can be interrupted, and the trigger that makes it wait there. */
const moments = {
  'in the middle of its work':
    'CREATE TRIGGER waits BEFORE INSERT ON bots FOR EACH ROW EXECUTE FUNCTION wait()',
  'just before its commit': `CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON bots DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wait()`,
};

describe('a write with an Idempotency-Key that is interrupted', () => {
  let parley: TestParley;
  /** Lasts until a test kills it. */
  let doomed: ApiProcess | undefined;
  let org: TestOrg;
  let key: Record<string, string>;
  before(async () => {
    parley = await startParley();
    await parley.database.sql(
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$`,
    );
  });
  beforeEach(async () => {
    doomed ??= await startApiProcess(parley.runtime.settings);
    org = await parley.buildOrg();
    key = { 'idempotency-key': newId() };
  });
  afterEach(async () => {
    await parley.database.sql('DROP TRIGGER waits ON bots');
  });
  after(async () => {
    await kill();
    await parley.stop();
  });

  async function kill(): Promise<void> {
    await doomed?.stop('SIGKILL');
    doomed = undefined;
  }

  const create = (name = 'Once') => org.client.post('/api/bots', { name }, key);

  /** Sends the write to the doomed process, and interrupts when it waits at the moment. */
  async function interrupted(moment: string, interrupt: (abort: () => void) => Promise<void> | void) {
    await parley.database.sql(moment);
    const connection = new AbortController();
    const { signal } = connection;
    await parley.database.transaction(async (db) => {
      await db.sql(`SELECT pg_advisory_xact_lock(${GATE})`);
      const lost = assert.rejects(
        fetch(`${doomed!.baseUrl}/api/bots`, {
          method: 'POST',
          headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/json', ...key },
          body: JSON.stringify({ name: 'Once' }),
          signal,
        }),
      );
      await until(isAnyWaiting, 'the write to wait');
      await interrupt(() => connection.abort());
      await lost;
      assert.equal(outcomeOf(await create()), '409 idempotency_in_progress');
    });
  }

  async function isAnyWaiting(): Promise<boolean> {
    const waiting = await parley.database.sql(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return waiting.length > 0;
  }

  /** As clients do: again while the first one is still under way. */
  async function retried() {
    let response: Awaited<ReturnType<typeof create>> | undefined;
    await until(async () => {
      response = await create();
      return response.status !== 409;
    }, 'the key to be free');
    return response!;
  }

  async function assertOneEffect(response: Awaited<ReturnType<typeof create>>): Promise<void> {
    assert.equal(response.status, 201);
    const { body } = await org.client.get('/api/bots');
    assert.deepEqual(
      body.items.map(({ id }) => id),
      [response.body.id],
    );
    assert.equal((await create()).headers.get('idempotent-replay'), 'true');
    assert.equal(outcomeOf(await create('Another')), '422 idempotency_key_reused');
  }

  it('by kill -9 in the middle of its work has left nothing, and the retry runs', async () => {
    await interrupted(moments['in the middle of its work'], kill);
    const response = await retried();
    assert.equal(response.headers.get('idempotent-replay'), null);
    await assertOneEffect(response);
  });

  it('by kill -9 just before its commit has its effect with its response, or neither', async () => {
    await interrupted(moments['just before its commit'], kill);
    await assertOneEffect(await retried());
  });

  for (const [moment, trigger] of Object.entries(moments)) {
    it(`by a client that goes away ${moment} goes on, and the retry gets its response`, async () => {
      await interrupted(trigger, (abort) => abort());
      const response = await retried();
      assert.equal(response.headers.get('idempotent-replay'), 'true');
      await assertOneEffect(response);
    });
  }
});
