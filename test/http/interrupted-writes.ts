import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { formatOutcome } from '../support/outcome.ts';

/** Key of the database lock whose holder blocks writes in this file’s database; the number is arbitrary. */
const GATE = 11;

/**
 * Moments at which the request is interrupted. A database trigger blocks the creation of a bot with the name
 * of the moment.
 */
const moments = {
  'in the middle of its work': 'CREATE TRIGGER in_the_middle BEFORE INSERT ON bots',
  'just before its commit':
    'CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON bots DEFERRABLE INITIALLY DEFERRED',
};

interface Write {
  moment: string;
  org: TestOrg;
  headers: Record<string, string>;
}

/** Starts a Parley in which a test can interrupt writes, around the tests of a `describe`. */
export function useInterruptions() {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
    await parley.database.sql(
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$`,
    );
    for (const [moment, trigger] of Object.entries(moments))
      await parley.database.sql(
        `${trigger} FOR EACH ROW WHEN (NEW.name = '${moment}') EXECUTE FUNCTION wait()`,
      );
  });
  after(() => parley.stop());

  /** Builds a write request for each moment, each in its own workspace. */
  const buildWrites = (): Promise<Write[]> =>
    Promise.all(
      Object.keys(moments).map(async (moment) => ({
        moment,
        org: await parley.buildOrg(),
        headers: { 'idempotency-key': newId() },
      })),
    );

  const createBot = ({ moment, org, headers }: Write, name = moment) =>
    org.client.post('/api/bots', { name }, headers);

  /** Sends the writes to an API process, and interrupts the process once each write is blocked at its moment. */
  async function interruptWrites(
    writes: readonly Write[],
    baseUrl: string,
    interrupt: (abort: () => void) => Promise<void> | void,
  ): Promise<void> {
    const connection = new AbortController();
    await parley.database.transaction(async (db) => {
      await db.sql(`SELECT pg_advisory_xact_lock(${GATE})`);
      const lost = writes.map(({ moment, org, headers }) =>
        assert.rejects(
          fetch(`${baseUrl}/api/bots`, {
            method: 'POST',
            headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/json', ...headers },
            body: JSON.stringify({ name: moment }),
            signal: connection.signal,
          }),
        ),
      );
      await waitUntil(async () => (await countBlocked()) === writes.length, 'the writes to wait');
      await interrupt(() => connection.abort());
      await Promise.all(lost);
      for (const write of writes)
        assert.equal(formatOutcome(await createBot(write)), '409 idempotency_in_progress', write.moment);
    });
  }

  async function countBlocked(): Promise<number> {
    const waiters = await parley.database.sql(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return waiters.length;
  }

  /** Repeats a write, as a client would, until the first request has ended. */
  async function retryWrite(write: Write) {
    let response: Awaited<ReturnType<typeof createBot>> | undefined;
    await waitUntil(async () => {
      response = await createBot(write);
      return response.status !== 409;
    }, 'the key to be free');
    return response!;
  }

  async function assertOneEffect(
    write: Write,
    response: Awaited<ReturnType<typeof createBot>>,
  ): Promise<void> {
    assert.equal(response.status, 201);
    const { body } = await write.org.client.get('/api/bots');
    assert.deepEqual(
      body.items.map(({ id }) => id),
      [response.body.id],
    );
    assert.equal((await createBot(write)).headers.get('idempotent-replay'), 'true');
    assert.equal(formatOutcome(await createBot(write, 'Another')), '422 idempotency_key_reused');
  }

  return {
    parley: () => parley,
    buildWrites,
    interrupted: interruptWrites,
    retried: retryWrite,
    assertOneEffect,
  };
}
