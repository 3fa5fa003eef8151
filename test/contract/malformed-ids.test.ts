import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { callOperation, buildResources, type Resources } from '../support/operation-calls.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { readStoredState } from '../support/snapshot.ts';
import { selectSample } from '../support/select-sample.ts';

const malformed = [
  'not-a-uuid',
  '1',
  '../',
  'null',
  ' ',
  "' OR 1=1 --",
  newId().replaceAll('-', ''),
  `{${newId()}}`,
  `urn:uuid:${newId()}`,
  `${newId()}\n`,
  `${newId()}0`,
  `${newId().slice(0, -1)}g`,
  '٠'.repeat(36),
];

describe('malformed ids in paths', () => {
  let parley: TestParley;
  let mine: Resources;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    mine = await buildResources(parley);
  });
  after(() => parley.stop());

  for (const operation of selectSample(operations.filter(({ auth }) => auth === 'member'))) {
    const properties = Object.entries((operation.params?.['properties'] ?? {}) as Record<string, TSchema>);
    for (const [name] of properties.filter(([, { format }]) => format === 'uuid')) {
      it(`are refused by ${operation.id} as ${name}`, async () => {
        const untouched = await readStoredState(parley);
        for (const id of malformed) {
          const { status, body, problem } = await callOperation(operation, mine.client, {
            ...mine.ids,
            [name]: id,
          });
          assert.equal(`${id}: ${formatOutcome({ status, body })}`, `${id}: 422 validation_error`);
          assert.deepEqual(problem.details, [
            {
              field: name,
              in: 'path',
              code: 'format',
              message: `must be a UUID, not ${JSON.stringify(id)}`,
            },
          ]);
        }
        assert.deepEqual(await readStoredState(parley), untouched);
      });
    }
  }

  it('are accepted in uppercase and lowercase letters', async () => {
    const { status } = await mine.client.get(`/api/bots/${mine.ids['bot_id']!.toUpperCase()}`);
    assert.equal(status, 200);
  });
});
