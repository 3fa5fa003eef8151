import assert from 'node:assert/strict';
import { errorsOf } from '../../api/http/openapi.ts';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import type { ErrorCode } from '../../core/error-codes.ts';
import { newId } from '../../core/ids.ts';
import { DatabaseLink } from '../support/database-link.ts';
import {
  answerTo,
  buildResources,
  callerOf,
  spendsTries,
  type Resources,
} from '../support/operation-calls.ts';
import { startParley, type ApiAnswer, type TestParley, type TestProcess } from '../support/parley.ts';
import { recordLog } from '../support/recorded-log.ts';
import { everythingStored } from '../support/snapshot.ts';

const declaring = (code: ErrorCode) => operations.filter((operation) => errorsOf(operation).includes(code));
const notDeclaring = (code: ErrorCode) =>
  operations.filter((operation) => !errorsOf(operation).includes(code));

describe('while the database is away', () => {
  let parley: TestParley;
  let cutOff: TestProcess;
  let link: DatabaseLink;
  let resources: Resources;
  let untouched: object;
  before(async () => {
    parley = await startParley();
    resources = await buildResources(parley);
    link = new DatabaseLink(parley.runtime.settings.databaseUrl!);
    await link.up();
    cutOff = await parley.startAnother({ databaseUrl: link.url });
    untouched = await everythingStored(parley);
    await link.down();
  });
  after(() => parley.stop());

  const call = (operation: Operation) =>
    answerTo(operation, callerOf(operation, resources, cutOff), resources.ids);

  for (const operation of declaring('not_ready')) {
    it(`${operation.id} answers 503 and says when to come back`, async () => {
      const { status, body, headers } = await call(operation);
      assert.equal(`${status} ${body.error.code}`, '503 not_ready');
      assert.ok(Number(headers.get('retry-after')) > 0);
      assertNothingInternal(body);
    });
  }

  for (const operation of notDeclaring('not_ready')) {
    it(`${operation.id} answers as ever`, async () => {
      assert.equal((await call(operation)).status, operation.success.status);
    });
  }

  it('nothing has an effect, and everything answers again when it is back', async () => {
    await link.up();
    assert.deepEqual(await everythingStored(parley), untouched);
    for (const operation of operations.filter(({ auth, isWrite }) => auth === 'member' && !isWrite))
      assert.notEqual((await call(operation)).status, 503, operation.id);
    await link.down();
  });
});

describe('after an unexpected failure', () => {
  const { log, entries } = recordLog();
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { log });
  });
  after(() => parley.stop());

  /** That the caller learns a request id and nothing more, and the log the cause. */
  function assertUnexpected({ status, body, headers }: ApiAnswer, cause: RegExp): void {
    assert.equal(`${status} ${body.error.code}`, '500 internal_error');
    assert.equal(body.request_id, headers.get('x-request-id'));
    assert.deepEqual(body.details, []);
    assertNothingInternal(body);
    const entry = entries().find(({ level, requestId }) => level === 50 && requestId === body.request_id);
    assert.match(entry?.err?.message ?? '', cause);
    assert.match(entry?.err?.stack ?? '', /\.ts:\d+/);
  }

  describe('of everything that reads the store', () => {
    let resources: Resources;
    before(async () => {
      resources = await buildResources(parley);
      await parley.database.sql('ALTER SCHEMA public RENAME TO elsewhere');
    });
    after(() => parley.database.sql('ALTER SCHEMA elsewhere RENAME TO public'));

    const call = (operation: Operation) =>
      answerTo(operation, callerOf(operation, resources, parley), resources.ids);

    for (const operation of declaring('internal_error')) {
      it(`${operation.id} tells its request id, and the log the cause`, async () => {
        assertUnexpected(await call(operation), /does not exist/);
      });
    }

    for (const operation of notDeclaring('internal_error')) {
      it(`${operation.id} answers as ever`, async () => {
        assert.equal((await call(operation)).status, operation.success.status);
      });
    }
  });

  describe('at the very end of a write', () => {
    // The last owner of a workspace cannot go.
    const failing = operations.filter(
      ({ id, isWrite }) => isWrite && id !== 'deleteMe' && !spendsTries.has(id),
    );
    for (const operation of failing) {
      it(`${operation.id} leaves nothing behind, and the same key may try again`, async () => {
        const resources = await buildResources(parley);
        const headers = { 'idempotency-key': newId() };
        const caller = callerOf(operation, resources, parley);
        const call = () => answerTo(operation, caller, resources.ids, { headers });
        const untouched = await everythingStored(parley);
        // A turn of a visitor is kept among the messages, every other answer by its key.
        const table = operation.transaction === 'manual' ? 'messages' : 'idempotency_keys';
        await parley.database.sql(
          `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'the secret reason'; END $$`,
        );
        await parley.database.sql(
          `CREATE CONSTRAINT TRIGGER fails AFTER INSERT OR UPDATE ON ${table}
             DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()`,
        );
        try {
          assertUnexpected(await call(), /^the secret reason$/);
          assert.deepEqual(await everythingStored(parley), untouched);
        } finally {
          await parley.database.sql('DROP FUNCTION fail CASCADE');
        }
        const again = await call();
        assert.equal(again.status, operation.success.status);
        assert.equal(again.headers.get('idempotent-replay'), null);
      });
    }
  });
});

function assertNothingInternal(body: object): void {
  assert.doesNotMatch(
    JSON.stringify(body),
    /secret reason|relation|schema|ECONN|127\.0\.0\.1|postgres|SELECT|\.ts\b|node_modules|\bat \//i,
  );
}
