import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import type { Operation } from '../../api/http/operation.ts';
import { newId } from '../../core/ids.ts';
import { buildResources, pathOf, requestOf, type Resources } from '../support/operation-calls.ts';
import { startParley, type TestParley } from '../support/parley.ts';

/** Operations on things that a workspace owns: their paths end in ids. */
const onResources = operations.filter(({ auth, path }) => auth === 'key' && path.includes('{'));

describe('ids of other workspaces', () => {
  let parley: TestParley;
  let mine: Resources;
  let foreign: Resources;
  before(async () => {
    parley = await startParley();
    [mine, foreign] = await Promise.all([buildResources(parley), buildResources(parley)]);
  });
  after(() => parley.stop());

  async function answerTo(operation: Operation, ids: Resources['ids']): Promise<string> {
    const response = await mine.client.fetch(pathOf(operation, ids), requestOf(operation));
    const body = (await response.json()) as { error?: { code: string } };
    return `${response.status} ${body.error?.code}`;
  }

  for (const operation of onResources) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    for (const name of names) {
      it(`are refused by ${operation.id} as ${name}, and unknown ones are not found`, async () => {
        assert.equal(await answerTo(operation, { ...mine.ids, [name]: newId() }), '404 not_found');
        assert.ok(foreign.ids[name], `build a ${name} for this test`);
        assert.equal(await answerTo(operation, { ...mine.ids, [name]: foreign.ids[name] }), '403 forbidden');
      });
    }
  }

  it('leave everything as it was', async () => {
    const { client, ids } = foreign;
    assert.equal((await client.get(`/api/bots/${ids['bot_id']}`)).body.name, 'Help desk');
    assert.equal((await client.get(`/api/bots/${ids['bot_id']}/knowledge`)).body.total, 1);
    assert.equal((await client.get(`/api/webhooks/${ids['id']}`)).status, 200);
    assert.equal((await client.get(`/api/conversations/${ids['conversation_id']}`)).status, 200);
  });
});
