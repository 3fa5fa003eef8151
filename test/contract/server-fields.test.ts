import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { isContentSpec, isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import {
  callOperation,
  buildResources,
  createCaller,
  buildValidBody,
  type Resources,
} from '../support/operation-calls.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { selectSample } from '../support/select-sample.ts';
import { readSnapshot } from '../support/snapshot.ts';

/**
 * Forged values of fields that only the server may set. An operation must refuse each field that its body
 * does not declare.
 */
const SERVER_COLUMNS: Record<string, unknown> = {
  id: newId(),
  org_id: newId(),
  public_key: 'mine',
  total_conversations: 1000,
  role: 'owner',
  plan_tier: 'enterprise',
  created_at: '2020-01-01T00:00:00Z',
};

const samples: Record<string, unknown> = {
  string: 'mine',
  integer: 1000,
  number: 1000,
  boolean: true,
  array: [],
  object: {},
};

const withBodies = selectSample(operations.filter(({ body }) => body && !isMultipart(body) && !isRaw(body)));

describe('fields that only the service sets', () => {
  let parley: TestParley;
  let owner: Resources;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    owner = await buildResources(parley);
  });
  after(() => parley.stop());

  for (const operation of withBodies) {
    const fields = Object.entries({ ...SERVER_COLUMNS, ...buildReturnedFields(operation) }).filter(
      ([name]) => !(name in listProperties(operation.body as TSchema)),
    );
    it(`are refused by ${operation.id} with unknown_key, and nothing changes`, async () => {
      const before = await readSnapshot(parley.database);
      for (const [name, value] of fields) {
        const client = createCaller(operation, owner, parley);
        const body = { ...buildValidBody(operation), [name]: value };
        const { status, problem } = await callOperation(operation, client, owner.ids, { body });
        assert.equal(formatOutcome({ status, body: problem }), '422 validation_error', name);
        assert.deepEqual(
          problem.details.map((each) => [each.field, each.code]),
          [[name, 'unknown_key']],
        );
      }
      assert.deepEqual(await readSnapshot(parley.database), before);
    });
  }
});

function listProperties(schema: TSchema): Record<string, TSchema> {
  return (schema['properties'] ?? {}) as Record<string, TSchema>;
}

/** Builds fields of the resource that an operation returns, each with a value of its type. */
function buildReturnedFields({ success: { spec } }: Operation): Record<string, unknown> {
  if (isContentSpec(spec)) return {};
  const read = Object.entries(listProperties(spec));
  return Object.fromEntries(read.map(([name, { type }]) => [name, samples[String([type].flat()[0])]]));
}
