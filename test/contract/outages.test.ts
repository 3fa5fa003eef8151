import assert from 'node:assert/strict';
import { listErrorCodes } from '../../api/http/openapi/openapi.ts';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import type { ErrorCode } from '../../core/errors/error-codes.ts';
import { newId } from '../../core/ids.ts';
import { DatabaseLink } from '../support/database-link.ts';
import { paymentProviderOperations, attemptSpendingOperations } from '../support/operation-sets.ts';
import {
  callOperation,
  buildResources,
  createCaller,
  buildValidBody,
  type Resources,
} from '../support/operation-calls.ts';
import { selectSample } from '../support/select-sample.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiResponse, type TestParley, type TestProcess } from '../support/parley.ts';
import { recordLog } from '../support/recorded-log.ts';
import { readStoredState } from '../support/snapshot.ts';

/** Returns a sample of the operations that can return the error, and all that declare it themselves. */
const listOperationsWith = (code: ErrorCode) => {
  const declaring = operations.filter((operation) => listErrorCodes(operation).includes(code));
  return [
    ...new Set([...selectSample(declaring), ...declaring.filter(({ errors }) => errors.includes(code))]),
  ];
};
const listOperationsWithout = (code: ErrorCode) =>
  selectSample(operations.filter((operation) => !listErrorCodes(operation).includes(code)));

describe('while the database is unreachable,', () => {
  let parley: TestParley;
  let cutOff: TestProcess;
  let link: DatabaseLink;
  let resources: Resources;
  let untouched: object;
  before(async () => {
    parley = await startParley();
    resources = await buildResources(parley);
    link = new DatabaseLink(parley.runtime.settings.databaseUrl!);
    await link.connect();
    cutOff = await parley.startAnother({ databaseUrl: link.url });
    untouched = await readStoredState(parley);
    await link.cut();
  });
  after(() => parley.stop());

  const call = (operation: Operation) =>
    callOperation(operation, createCaller(operation, resources, cutOff), resources.ids);

  for (const operation of listOperationsWith('not_ready')) {
    it(`${operation.id} returns 503 with Retry-After`, async () => {
      const { status, headers, problem } = await call(operation);
      assert.equal(formatOutcome({ status, body: problem }), '503 not_ready');
      assert.ok(Number(headers.get('retry-after')) > 0);
      assertNothingInternal(problem);
    });
  }

  for (const operation of listOperationsWithout('not_ready')) {
    it(`${operation.id} succeeds`, async () => {
      assert.equal((await call(operation)).status, operation.success.status);
    });
  }

  it('no operation has had an effect, and all succeed once the database is reachable again', async () => {
    await link.connect();
    assert.deepEqual(await readStoredState(parley), untouched);
    for (const operation of listOperationsWith('not_ready').filter(
      ({ auth, isWrite }) => auth === 'member' && !isWrite,
    ))
      assert.notEqual((await call(operation)).status, 503, operation.id);
    await link.cut();
  });
});

describe('after an unexpected failure', () => {
  const { log, entries } = recordLog();
  const secrets = new Set<string>();
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { log });
  });
  after(() => parley.stop());

  /** Collects the caller’s credentials, and the secrets in requests and responses of the operation. */
  function noteSecrets(
    operation: Operation,
    { key, accessToken, visitorToken, ids }: Resources,
    returned: unknown,
  ) {
    const tokens = [key, accessToken, visitorToken, ids['token'], ids['unsubscribe_token']];
    // Skip missing tokens: resources that an operation does not need do not exist.
    for (const token of tokens) if (token) secrets.add(token);
    for (const secret of [...findSecrets(buildValidBody(operation)), ...findSecrets(returned)])
      secrets.add(secret);
  }

  /** Asserts that an error response has a request id and hides the error's cause, and that the log names the cause. */
  function assertUnexpected({ status, headers, problem }: ApiResponse, cause: RegExp): void {
    assert.equal(formatOutcome({ status, body: problem }), '500 internal_error');
    assert.equal(problem.request_id, headers.get('x-request-id'));
    assert.deepEqual(problem.details, []);
    assertNothingInternal(problem);
    const entry = entries().find(
      ({ level, requestId }) => level === 'error' && requestId === problem.request_id,
    );
    assert.match(entry?.err?.message ?? '', cause);
    assert.match(entry?.err?.stack ?? '', /\.ts:\d+/);
  }

  describe('of a read from the database,', () => {
    let resources: Resources;
    before(async () => {
      resources = await buildResources(parley);
      await parley.database.sql('ALTER SCHEMA public RENAME TO elsewhere');
    });
    after(() => parley.database.sql('ALTER SCHEMA elsewhere RENAME TO public'));

    const call = (operation: Operation) =>
      callOperation(operation, createCaller(operation, resources, parley), resources.ids);

    for (const operation of listOperationsWith('internal_error')) {
      it(`${operation.id} returns 500 with its request id, and the log has the cause`, async () => {
        assertUnexpected(await call(operation), /does not exist/);
        noteSecrets(operation, resources, null);
      });
    }

    for (const operation of listOperationsWithout('internal_error')) {
      it(`${operation.id} succeeds`, async () => {
        assert.equal((await call(operation)).status, operation.success.status);
      });
    }
  });

  describe('of the commit of a write,', () => {
    // Leave out deleteMe, because it refuses the last owner of a workspace.
    const failing = selectSample(
      operations.filter(
        ({ id, isWrite }) =>
          isWrite &&
          id !== 'deleteMe' &&
          !attemptSpendingOperations.has(id) &&
          !paymentProviderOperations.has(id),
      ),
    );
    for (const operation of failing) {
      it(`${operation.id} leaves no change, and the same key can be used to retry`, async () => {
        const resources = await buildResources(parley, operation);
        const headers = { 'idempotency-key': newId() };
        const caller = createCaller(operation, resources, parley);
        const call = () => callOperation(operation, caller, resources.ids, { headers });
        const untouched = await readStoredState(parley);
        // Let the write of the response fail: a visitor’s turn is stored as messages, every other response by
        // its idempotency key.
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
          assert.deepEqual(
            withoutDraft(operation, await readStoredState(parley)),
            withoutDraft(operation, untouched),
          );
        } finally {
          await parley.database.sql('DROP FUNCTION fail CASCADE');
        }
        const again = await call();
        assert.equal(again.status, operation.success.status);
        assert.equal(again.headers.get('idempotent-replay'), null);
        noteSecrets(operation, resources, again.body);
      });
    }

    it('createBot with provider keys returns 500 if its insert fails, and succeeds when it is repeated', async () => {
      const { client } = await parley.buildOrg();
      const endpoint = { endpoint_url: 'http://127.0.0.1:9/v1', auth_header_value: 'header-of-the-provider' };
      const body = { name: 'Guide', api_key: 'key-of-the-provider', custom_endpoint_config: endpoint };
      secrets.add('key-of-the-provider').add('header-of-the-provider');
      await parley.database.sql('ALTER TABLE bots RENAME COLUMN name TO title');
      try {
        assertUnexpected(await client.post('/api/bots', body), /does not exist/);
      } finally {
        await parley.database.sql('ALTER TABLE bots RENAME COLUMN title TO name');
      }
      assert.equal((await client.post('/api/bots', body)).status, 201);
    });
  });

  describe('or without one,', () => {
    it('the log contains no password, token, code, key or secret of any call', () => {
      assert.ok(secrets.size > listOperationsWith('internal_error').length, `${secrets.size}`);
      const lines = JSON.stringify(entries());
      const shown = [...secrets].filter((secret) => containsSecret(lines, secret));
      assert.deepEqual(shown, []);
    });
  });
});

const SECRET = /password|token|secret|code|uri|verifier|manual_key|api_key|^key$/;
const LINK = /\/api\/files\/(.+)$/;

/** Returns the texts of JSON fields with secret names, and the signatures at the end of links to files. */
function findSecrets(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    const linked = LINK.exec(value)?.[1];
    return linked ? [linked] : SECRET.test(name) && value.length >= 6 ? [value] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => findSecrets(each, Array.isArray(value) ? name : key));
}

/** Returns whether log lines contain the secret, except as part of a longer number or id. */
function containsSecret(lines: string, secret: string): boolean {
  const quoted = secret.replaceAll(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![0-9a-z])${quoted}(?![0-9a-z])`).test(lines);
}

function assertNothingInternal(body: object): void {
  assert.doesNotMatch(
    JSON.stringify(body),
    /secret reason|relation|schema|ECONN|127\.0\.0\.1|postgres|SELECT|\.ts\b|node_modules|\bat \//i,
  );
}

/**
 * Removes the request to generate a bot from the stored state: the API stores it first, so that the same key
 * finds it.
 */
function withoutDraft({ id }: Operation, stored: Awaited<ReturnType<typeof readStoredState>>): object {
  if (id !== 'generateBot') return stored;
  return { ...stored, tables: { ...stored.tables, bot_generations: '', outbox: '' } };
}
