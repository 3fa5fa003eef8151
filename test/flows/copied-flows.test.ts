import assert from 'node:assert/strict';
import { Flow } from '../../entities/flows/flow.entity.ts';
import { buildBot } from '../support/build-bot.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildGraph, buildNode } from './graphs.ts';

const secret = { name: 'Authorization', secret: true };
const request = (header: object) =>
  buildGraph([buildNode('http_request', { method: 'GET', url: 'https://a.example/', headers: [header] })]);
const jumpTo = (id: string) => buildGraph([buildNode('jump', { flow_id: id })]);

describe('duplicateBot, of a bot with flows,', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  /** Builds a bot with an active flow that has a secret, and a second flow that jumps to the first flow. */
  async function build() {
    const { client, bot, orgId } = await buildBot(parley);
    const create = async (flow: object) => {
      const given = { bot_id: bot.id, name: 'First', graph: {}, ...flow };
      const { body, status } = await client.post('/api/flows', given);
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    const first = await create({
      trigger: 'keyword:a',
      description: 'One',
      graph: request({ ...secret, value: 'hidden' }),
    });
    const second = await create({ name: 'Second', graph: jumpTo(first.id.toUpperCase()) });
    await parley.database.repository(Flow).update(first.id, { isActive: true });
    const copyWith = async (body: object) => {
      const { body: copy } = await client.post(`/api/bots/${bot.id}/duplicate`, body);
      return copy.id;
    };
    const listFlowsOfBot = async (botId: string) =>
      (await client.get('/api/flows')).body.filter(({ bot_id: id }) => id === botId);
    return { bot, orgId, first, second, copyWith, listFlowsOfBot };
  }

  it('copies them: all copies are inactive and have no secrets, and their jumps lead to the copies', async () => {
    const { first, second, bot, copyWith, listFlowsOfBot } = await build();
    const copyId = await copyWith({});
    const [two, one] = await listFlowsOfBot(copyId);
    assert.deepEqual(
      [one, two].map((flow) => [
        flow!.name,
        flow!.description,
        flow!.trigger,
        flow!.is_active,
        flow!.revision,
      ]),
      [
        ['First', 'One', 'keyword:a', false, 1],
        ['Second', null, null, false, 1],
      ],
    );
    assert.deepEqual(one!.graph, request({ ...secret, has_value: false }));
    assert.deepEqual(two!.graph, jumpTo(one!.id));
    assert.notEqual(one!.id, first.id);
    assert.deepEqual(
      (await listFlowsOfBot(bot.id)).map(({ id, graph }) => ({ id, graph })),
      [second, first].map(({ id, graph }) => ({ id, graph })),
    );
  });

  it('refuses a key without flows:read, unless include_flows is false', async () => {
    const { listFlowsOfBot, bot, orgId } = await build();
    const { client: limited } = await parley.buildOrg({ orgId, scopes: ['bots:read', 'bots:write'] });
    const path = `/api/bots/${bot.id}/duplicate` as const;
    const { body } = await limited.post(path, { include_flows: false });
    assert.deepEqual(await listFlowsOfBot(body.id), []);
    const refused = await limited.post(path, {});
    assert.equal(formatOutcome(refused), '403 forbidden');
    assert.match(refused.problem.error.message, /flows:read/);
  });

  it('copies no flows if include_flows is false', async () => {
    const { copyWith, listFlowsOfBot } = await build();
    assert.deepEqual(await listFlowsOfBot(await copyWith({ include_flows: false })), []);
  });
});
