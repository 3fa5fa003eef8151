import assert from 'node:assert/strict';
import { isMultipart, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import {
  issuerOperations,
  paymentProviderOperations,
  attemptSpendingOperations,
} from '../support/operation-sets.ts';
import {
  buildResources,
  createCaller,
  endsItsCaller,
  buildFiles,
  buildOperationPath,
  buildOperationRequest,
  buildValidBody,
  type Resources,
} from '../support/operation-calls.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { readSnapshot } from '../support/snapshot.ts';
import { buildValidationCases } from '../support/validation-cases.ts';
import { WHATSAPP } from '../support/whatsapp.ts';
import { selectSample } from '../support/select-sample.ts';

const PARALLEL = 4;

/** Other valid request bodies for operations whose schemas do not suggest any. */
const otherBodies: Record<string, object> = {
  submitWidgetLead: { fields: { name: 'Grace Hopper' } },
  switchOrg: { org_id: newId() },
  forgotPassword: { email: 'grace@example.com' },
  resendVerification: { email: 'grace@example.com' },
  requestOtp: { email: 'grace@example.com' },
  activateMfa: { code: '000000' },
  regenerateRecoveryCodes: { code: '000000' },
  verifyOtp: { email: 'grace@example.com', code: '654321' },
  finishAlertVerification: { code: '000001' },
  pollTelegram: { attempt_id: newId() },
  pollWhatsapp: { attempt_id: newId() },
  updateEmailPreferences: { categories: { leads: true } },
};

interface Sent {
  status: number;
  isReplay: boolean;
  /** JSON of the response, or the last event of a stream, since a repeated stream omits earlier events. */
  text: string;
  outcome: string;
}

interface SendOptions {
  process?: TestProcess;
  caller?: Resources;
  ids?: Resources['ids'];
  request?: RequestInit;
  /** Network address from which the caller sends the request. */
  from?: string;
}

describe('a write with an Idempotency-Key:', () => {
  let parley: TestParley;
  let second: TestProcess;
  let resources: Resources;
  before(async () => {
    // Trust the proxy header, because the network address identifies callers without credentials.
    parley = await startParley({
      PARLEY_TRUSTED_PROXIES: '1',
      ...WHATSAPP,
      PARLEY_TELEGRAM_BOT_TOKEN: `1:${'a'.repeat(35)}`,
      PARLEY_TELEGRAM_BOT_NAME: 'parley_bot',
    });
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  async function send(operation: Operation, key: string, options: SendOptions = {}): Promise<Sent> {
    const { process = parley, caller = resources, from } = options;
    const { ids = caller.ids, request = buildOperationRequest(operation) } = options;
    const response = await createCaller(operation, caller, process).fetch(
      buildOperationPath(operation, ids),
      {
        ...request,
        headers: {
          ...(request.headers as Record<string, string>),
          'idempotency-key': key,
          ...(from !== undefined && { 'x-forwarded-for': from }),
        },
      },
    );
    const { status } = response;
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    return {
      status,
      isReplay: response.headers.get('idempotent-replay') === 'true',
      text: type.startsWith('text/event-stream') ? text.trim().split('\n\n').at(-1)! : text,
      outcome: formatOutcome({ status, body: type.includes('problem+json') ? JSON.parse(text) : null }),
    };
  }

  async function sendFirst(operation: Operation, key: string): Promise<Sent> {
    const first = await send(operation, key);
    const advice =
      'A valid call of a new operation may need a body or a row in test/support/operation-calls.ts.';
    assert.equal(first.status, operation.success.status, `${first.text}\n${advice}`);
    assert.equal(first.isReplay, false);
    return first;
  }

  // Leave out deleteMe, which refuses the last owner of a workspace; test/contract/ended-callers.test.ts
  // tests it with another user.
  const writes = selectSample(
    operations.filter(
      ({ id, isWrite }) =>
        isWrite && id !== 'deleteMe' && !issuerOperations.has(id) && !paymentProviderOperations.has(id),
    ),
  );
  for (const operation of writes) {
    const { id, auth } = operation;

    describe(id, () => {
      let key: string;
      let first: Sent;
      let effect: Record<string, number>;
      let untouched: Record<string, string>;
      before(async () => {
        resources = await buildResources(parley, operation);
        key = newId();
        const before = await readSnapshot(parley.database);
        first = await sendFirst(operation, key);
        untouched = await readSnapshot(parley.database);
        effect = countRowChanges(before, untouched);
      });

      it('takes effect once and repeats its response byte for byte', async () => {
        for (const process of [parley, second])
          assert.deepEqual(await send(operation, key, { process }), { ...first, isReplay: true });
        assert.deepEqual(await readSnapshot(parley.database), untouched);
      });

      const other = buildOtherRequest(operation);
      if (other && !endsItsCaller.has(id)) {
        it('refuses its key for another request, and then still repeats its response', async () => {
          const inOrg = other.ids && { ids: { ...other.ids, org_id: resources.orgId } };
          const { outcome } = await send(operation, key, { ...other, ...inOrg });
          assert.equal(outcome, '422 idempotency_key_reused');
          assert.deepEqual(await send(operation, key), { ...first, isReplay: true });
          assert.deepEqual(await readSnapshot(parley.database), untouched);
        });
      }

      if (auth !== 'visitor') {
        it('accepts the same key from another caller as a new key', async () => {
          const colleague = await parley.buildOrg({ orgId: resources.orgId });
          const { accessToken } = await parley.signIn(colleague);
          const theirs = await send(operation, key, {
            caller: { ...resources, ...colleague, accessToken, secondFactorToken: accessToken },
            from: '192.0.2.1',
          });
          assert.equal(theirs.isReplay, false);
          assert.notEqual(theirs.outcome, '422 idempotency_key_reused');
          assert.deepEqual(await send(operation, key), { ...first, isReplay: true });
        });
      }

      if (attemptSpendingOperations.has(id)) return;
      // Short runs leave this test out, because test/contract/repeated-writes.test.ts already proves that a
      // concurrent second call waits or is refused.
      itInSoak(
        `takes effect once if ${PARALLEL} identical calls arrive at once, at two processes`,
        async () => {
          resources = await buildResources(parley, operation);
          const sameKey = newId();
          const before = await readSnapshot(parley.database);
          const responses = await Promise.all(
            Array.from({ length: PARALLEL }, (_, index) =>
              send(operation, sameKey, { process: index % 2 ? second : parley }),
            ),
          );
          assert.deepEqual(countRowChanges(before, await readSnapshot(parley.database)), effect);
          const succeeded = responses.filter(({ status }) => status === operation.success.status);
          assert.equal(succeeded.filter(({ isReplay }) => !isReplay).length, 1);
          assert.equal(new Set(succeeded.map(({ text }) => text)).size, 1);
          for (const { outcome } of responses.filter((each) => !succeeded.includes(each)))
            assert.equal(outcome, '409 idempotency_in_progress');
          assert.deepEqual(await send(operation, sameKey), { ...succeeded[0]!, isReplay: true });
        },
      );
    });
  }
});

/**
 * Builds a request of the operation with another body or resource. Undefined for visitors without a body, and
 * for operations on the only resource of a kind.
 */
function buildOtherRequest(operation: Operation): SendOptions | undefined {
  const { auth, body } = operation;
  // Another resource needs another id, but a version number belongs to one resource.
  if (!body) {
    const isOfMany = buildOperationPath(operation) !== buildOperationPath(operation);
    return auth === 'member' && isOfMany ? { ids: { version: '1' } } : undefined;
  }
  if (isMultipart(body)) {
    const [, other] = buildFiles(operation);
    return { request: buildOperationRequest(operation, buildValidBody(operation), [other]) };
  }
  const valid = buildValidBody(operation);
  const accepted = buildValidationCases(operation, valid).accepted.filter(({ part }) => part === 'body');
  const bodies = [...accepted.map(({ value }) => value), otherBodies[operation.id]];
  const other = bodies.find((each) => each && JSON.stringify(each) !== JSON.stringify(valid));
  assert.ok(other, `Nothing in the body of ${operation.id} can be said in another way.`);
  return { request: buildOperationRequest(operation, other) };
}

/** Returns how many rows each database table gained or lost. */
function countRowChanges(
  before: Record<string, string>,
  after: Record<string, string>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).map(([table, sum]) => [table, parseRowCount(sum) - parseRowCount(before[table]!)]),
  );
}

function parseRowCount(sum: string): number {
  return Number(sum.split(' ')[0]);
}
