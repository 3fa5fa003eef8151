import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { isContentSpec, isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import {
  responseTo,
  buildResources,
  callerOf,
  validBody,
  type Resources,
} from '../support/operation-calls.ts';
import { outcomeOf } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { snapshot } from '../support/snapshot.ts';

/** Of columns that no caller sets, whatever the operation. */
const OF_ROWS: Record<string, unknown> = {
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

const withBodies = operations.filter(({ body }) => body && !isMultipart(body) && !isRaw(body));

describe('what only the service sets', () => {
  let parley: TestParley;
  let owner: Resources;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    owner = await buildResources(parley);
  });
  after(() => parley.stop());

  for (const operation of withBodies) {
    const fields = Object.entries({ ...OF_ROWS, ...returnedBy(operation) }).filter(
      ([name]) => !(name in propertiesOf(operation.body as TSchema)),
    );
    it(`is not taken by ${operation.id} and changes nothing`, async () => {
      const before = await snapshot(parley.database);
      for (const [name, value] of fields) {
        const client = callerOf(operation, owner, parley);
        const body = { ...validBody(operation), [name]: value };
        const { status, problem } = await responseTo(operation, client, owner.ids, { body });
        assert.equal(outcomeOf({ status, body: problem }), '422 validation_error', name);
        assert.deepEqual(
          problem.details.map((each) => [each.field, each.code]),
          [[name, 'unknown_key']],
        );
      }
      assert.deepEqual(await snapshot(parley.database), before);
    });
  }
});

function propertiesOf(schema: TSchema): Record<string, TSchema> {
  return (schema['properties'] ?? {}) as Record<string, TSchema>;
}

/** What is read of the thing, each with a value of its type. */
function returnedBy({ success: { spec } }: Operation): Record<string, unknown> {
  if (isContentSpec(spec)) return {};
  const read = Object.entries(propertiesOf(spec));
  return Object.fromEntries(read.map(([name, { type }]) => [name, samples[String([type].flat()[0])]]));
}
