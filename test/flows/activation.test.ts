import assert from 'node:assert/strict';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { buildBot } from '../support/build-bot.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { recordStatements } from '../support/statements.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { buildGraph, buildNode } from './graphs.ts';

const HELLO = buildGraph([buildNode('message', { text: 'Hello' }), buildNode('end')], 'message end');
const HANDOFF = buildGraph([buildNode('handoff')]);
const DIRECTORY = buildGraph(
  [buildNode('directory'), buildNode('end')],
  'directory resolved end',
  'directory not_found end',
);
const LEAD = buildGraph(
  [buildNode('lead_form'), buildNode('end')],
  'lead_form submitted end',
  'lead_form refused end',
);

describe('active flows:', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley();
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  /** Builds a bot in a new workspace. */
  async function build(overrides: object = {}) {
    const built = await buildBot(parley, overrides);
    const { client, bot } = built;
    const create = async (changes: object = {}) => {
      const flow = { bot_id: bot.id, name: 'Refunds', graph: HELLO as object, ...changes };
      const { status, body } = await client.post('/api/flows', flow);
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    const activate = (id: string, by = client) => by.post(`/api/flows/${id}/activate`);
    const deactivate = (id: string, by = client) => by.post(`/api/flows/${id}/deactivate`);
    const activeFlows = async (botId = bot.id) =>
      (await parley.database.repository(Bot).findOneByOrFail({ id: botId })).activeFlowCount;
    return { ...built, create, activate, deactivate, activeFlows };
  }

  it('activateFlow and deactivateFlow switch a flow, and a repeat changes nothing', async () => {
    const { create, activate, deactivate, activeFlows, client } = await build();
    const flow = await create({ trigger: 'first_message' });
    const { status, body: active } = await activate(flow.id);
    assert.equal(status, 200);
    assert.deepEqual(active, { ...flow, is_active: true, activated_at: active.activated_at });
    assert.ok(active.activated_at! >= flow.created_at);
    assert.equal(await activeFlows(), 1);
    assert.deepEqual((await activate(flow.id)).body, active);
    assert.equal(await activeFlows(), 1);
    const { body: inactive } = await deactivate(flow.id);
    assert.deepEqual(inactive, { ...active, is_active: false });
    assert.deepEqual((await deactivate(flow.id)).body, inactive);
    assert.deepEqual((await client.get(`/api/flows/${flow.id}`)).body, inactive);
    assert.equal(await activeFlows(), 0);
  });

  it('activateFlow names node and field of each error of a graph', async () => {
    const { create, activate, activeFlows } = await build();
    const graph = buildGraph([buildNode('handoff'), buildNode('message', { text: '' }, 'ask')]);
    const { status, problem } = await activate((await create({ graph })).id);
    assert.equal(status, 422);
    assert.deepEqual(
      problem.details.map(({ field, message }) => `${field}: ${message}`),
      [
        'graph.nodes[1].data: Node "handoff": needs handoff_enabled',
        'graph.nodes[2].data: Node "ask": cannot be reached from the start',
        'graph.nodes[2].data.text: Node "ask": text must not be empty',
        'graph.nodes[2].data: Node "ask": port "out" is not connected',
      ],
    );
    assert.equal(await activeFlows(), 0);
  });

  it('activateFlow accepts one of two flows with the same trigger, even concurrently', async () => {
    const { create, activate, activeFlows, client, key } = await build();
    const flows = [
      await create({ trigger: 'keyword:refund, money back' }),
      await create({ trigger: 'keyword:Money Back,refund', name: 'Twin' }),
    ];
    const other = second.client(key);
    const responses = await Promise.all(flows.map(({ id }, at) => activate(id, at === 0 ? client : other)));
    assert.deepEqual(responses.map(formatOutcome).toSorted(), ['200', '409 conflict']);
    assert.equal(await activeFlows(), 1);
  });

  itInSoak(
    'activateFlow counts each of several concurrent activations in the bot’s number of active flows',
    async () => {
      const { create, activate, activeFlows, client, key } = await build();
      const flows = [await create(), await create(), await create({ trigger: 'no_answer' })];
      const other = second.client(key);
      const responses = await Promise.all(flows.map(({ id }, at) => activate(id, at === 0 ? client : other)));
      assert.deepEqual(responses.map(formatOutcome), ['200', '200', '200']);
      assert.equal(await activeFlows(), 3);
    },
  );

  it('deleteFlow refuses a flow to which an active flow jumps', async () => {
    const { create, activate, deactivate, client } = await build();
    const target = await create({ name: 'Target' });
    const graph = buildGraph([buildNode('jump', { flow_id: target.id.toUpperCase() })]);
    const leading = await create({ name: 'Leading', graph });
    await activate(leading.id);
    const refused = await client.delete(`/api/flows/${target.id}`);
    assert.equal(formatOutcome(refused), '409 conflict');
    assert.match(refused.problem.error.message, /"Leading"/);
    await deactivate(leading.id);
    assert.equal(formatOutcome(await client.delete(`/api/flows/${target.id}`)), '200');
  });

  itInSoak('deleteFlow reads each flow on the path once, however many active flows lead to it', async () => {
    const { create, activate, client } = await build();
    const target = await create({ name: 'Target' });
    const chain = [target];
    for (let at = 0; at < 8; at += 1) {
      const graph = buildGraph([buildNode('jump', { flow_id: chain[0]!.id })]);
      chain.unshift(await create({ name: `Flow ${at}`, graph }));
      assert.equal(formatOutcome(await activate(chain[0]!.id)), '200');
    }
    const other = await create({ name: 'Other' });
    const remove = async (id: string) => formatOutcome(await client.delete(`/api/flows/${id}`));
    const outcomes: string[] = [];
    const statements = await recordStatements(parley, async () => {
      for (const { id } of [target, other]) outcomes.push(await remove(id));
    });
    assert.deepEqual(outcomes, ['409 conflict', '200']);
    assert.ok(statements.filter((text) => text.includes('flow_revisions')).length < 20);
  });

  it('activateFlow, saveFlow, deleteFlow and updateBot check the flows to which a flow jumps', async () => {
    const { create, activate, client, bot } = await build();
    const buildJump = (flow_id: string) => buildGraph([buildNode('jump', { flow_id })]);
    const last = await create({
      name: 'Last',
      graph: buildGraph([buildNode('end', { message: 'Bye' }), buildNode('end', {}, 'x')]),
    });
    const middle = await create({ name: 'Middle', graph: buildJump(last.id) });
    const first = await create({ name: 'First', graph: buildJump(middle.id) });
    const refused = await activate(first.id);
    assert.equal(formatOutcome(refused), '422 validation_error');
    assert.match(refused.problem.details[0]!.message, /"Last", which cannot run yet: Node "x"/);
    const save = (graph: FlowGraph) =>
      client.put(`/api/flows/${last.id}`, { bot_id: bot.id, name: 'Last', graph });
    assert.equal(formatOutcome(await client.patch(`/api/bots/${bot.id}`, { handoff_enabled: true })), '200');
    assert.equal(formatOutcome(await save(HANDOFF)), '200');
    assert.equal(formatOutcome(await activate(first.id)), '200');
    assert.equal(
      formatOutcome(await save(buildGraph([buildNode('message', { text: '' })]))),
      '422 validation_error',
    );
    assert.equal(formatOutcome(await client.delete(`/api/flows/${last.id}`)), '409 conflict');
    assert.equal(
      formatOutcome(await client.patch(`/api/bots/${bot.id}`, { handoff_enabled: false })),
      '409 conflict',
    );
  });

  for (const [what, graph, on, off] of selectCases(
    [
      ['handoff', HANDOFF, { handoff_enabled: true }, { handoff_enabled: false }],
      [
        'the lead form',
        LEAD,
        {
          lead_capture_config: { enabled: true, fields: [{ key: 'email', label: 'Email', type: 'email' }] },
        },
        { lead_capture_config: null },
      ],
      [
        'the directory',
        DIRECTORY,
        { directory_config: { enabled: true, entries: [{ name: 'Lisbon' }] } },
        { directory_config: { enabled: false } },
      ],
    ] as const,
    1,
  ))
    it(`updateBot and restoreBotVersion refuse to switch off ${what} that an active flow requires`, async () => {
      const { create, activate, deactivate, client, bot } = await build();
      const { status } = await client.post(`/api/bots/${bot.id}/versions`, {});
      assert.equal(status, 201);
      assert.equal(formatOutcome(await client.patch(`/api/bots/${bot.id}`, on)), '200');
      const flow = await create({ graph, name: 'Ask us' });
      assert.equal(formatOutcome(await activate(flow.id)), '200');
      const refused = await client.patch(`/api/bots/${bot.id}`, { ...off, name: 'Other' });
      assert.equal(formatOutcome(refused), '409 conflict');
      assert.match(refused.problem.error.message, /"Ask us"/);
      const restored = await client.post(`/api/bots/${bot.id}/versions/1/restore`);
      assert.equal(formatOutcome(restored), '409 conflict');
      assert.equal(formatOutcome(await client.patch(`/api/bots/${bot.id}`, { name: 'Other' })), '200');
      await deactivate(flow.id);
      assert.equal(formatOutcome(await client.patch(`/api/bots/${bot.id}`, off)), '200');
    });

  it('duplicateBot copies active flows as inactive flows', async () => {
    const { create, activate, activeFlows, client, bot } = await build();
    await activate((await create()).id);
    const { body: copy } = await client.post(`/api/bots/${bot.id}/duplicate`, {});
    assert.equal(await activeFlows(copy.id), 0);
    const { body: copied } = await client.get(`/api/flows?bot_id=${copy.id}` as '/api/flows');
    assert.deepEqual(
      copied.map(({ is_active, activated_at }) => ({ is_active, activated_at })),
      [{ is_active: false, activated_at: null }],
    );
  });
});
