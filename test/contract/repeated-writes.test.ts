import assert from 'node:assert/strict';
import { listErrorCodes } from '../../api/http/openapi/openapi.ts';
import { operations } from '../../api/registry.ts';
import { ApiVersions, shippedVersions } from '../../core/api-versions.ts';
import { newId } from '../../core/ids.ts';
import { unheldOperations } from '../support/operation-sets.ts';
import { callOperation, buildResources, createCaller, endsItsCaller } from '../support/operation-calls.ts';
import { selectSample } from '../support/select-sample.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { readStoredState } from '../support/snapshot.ts';
import { waitUntil } from '../support/wait-until.ts';

const OLDER = '2026-01-01';
const versions = new ApiVersions([
  ...shippedVersions.all,
  { version: OLDER, changes: [{ description: 'Nothing.' }], deprecatedAt: null, sunsetAt: null },
]);

/** Key of the database lock whose holder blocks commits of writes in this file’s database; the number is arbitrary. */
const GATE = 7;

describe('a write repeated with its key:', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley({}, { versions });
    second = await parley.startAnother();
    await parley.database.sql(
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END $$`,
    );
    await parley.database.sql(
      `CREATE CONSTRAINT TRIGGER waits AFTER INSERT OR UPDATE ON idempotency_keys
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`,
    );
  });
  after(() => parley.stop());

  /** Starts the write, runs `work` while the commit of the write is blocked, then returns the write’s result. */
  async function runDuringCommit<T>(held: () => Promise<T>, work: () => Promise<void>): Promise<T> {
    let running: Promise<T> | undefined;
    await parley.database.transaction(async (db) => {
      await db.sql(`SELECT pg_advisory_xact_lock(${GATE})`);
      running = held();
      await waitUntil(async () => {
        const waiting = await parley.database.sql(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return waiting.length > 0;
      }, 'the first write to wait for its commit');
      await work();
    });
    return running!;
  }

  const held = operations.filter(
    (each) => listErrorCodes(each).includes('idempotency_in_progress') && !unheldOperations.has(each.id),
  );
  for (const operation of selectSample(held)) {
    const { id, success } = operation;

    it(`${id} returns 409 to the same request at any process until the first request commits, and its response afterwards; it returns 422 to another request`, async () => {
      const resources = await buildResources(parley, operation);
      const key = { 'idempotency-key': newId() };
      const callAt = (process: TestProcess, headers: Record<string, string> = {}) =>
        callOperation(operation, createCaller(operation, resources, process), resources.ids, {
          headers: { ...key, ...headers },
        });
      const first = await runDuringCommit(
        () => callAt(parley),
        async () => {
          for (const process of [parley, second]) {
            const { status, body, headers } = await callAt(process);
            assert.equal(formatOutcome({ status, body }), '409 idempotency_in_progress');
            assert.ok(Number(headers.get('retry-after')) > 0);
            const other = await callAt(process, { 'x-api-version': OLDER });
            assert.equal(formatOutcome(other), '422 idempotency_key_reused');
          }
        },
      );
      assert.equal(first.status, success.status);
      assert.equal(first.headers.get('idempotent-replay'), null);
      const untouched = await readStoredState(parley);
      const again = await callAt(second);
      assert.deepEqual([again.status, again.body], [first.status, first.body]);
      assert.equal(again.headers.get('idempotent-replay'), 'true');

      const late = await callAt(second, { 'x-api-version': OLDER });
      const isGone = endsItsCaller.has(id);
      assert.match(formatOutcome(late), isGone ? /^40[134] / : /^422 idempotency_key_reused$/);
      assert.deepEqual(await readStoredState(parley), untouched);
    });
  }
});
