import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Flow } from '../../entities/flows/flow.entity.ts';
import { FlowRevision } from '../../entities/flows/flow-revision.entity.ts';
import { buildBot } from '../support/build-bot.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildGraph, buildNode } from './graphs.ts';

const HELLO = buildGraph([buildNode('message', { text: 'Hello' }), buildNode('end')], 'message end');

describe('flows:', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley({ flowsPerBot: 3, flowRevisionsKept: 2 });
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  /** Builds a bot in a new workspace. */
  async function build(overrides: object = {}) {
    const built = await buildBot(parley, overrides);
    const flow = { bot_id: built.bot.id, name: 'Refunds', graph: HELLO as object };
    const create = async (changes: object = {}) => {
      const { status, body } = await built.client.post('/api/flows', { ...flow, ...changes });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    const save = (id: string, changes: object = {}) =>
      built.client.put(`/api/flows/${id}`, { ...flow, ...changes });
    return { ...built, flow, create, save };
  }

  const rows = () => parley.database.repository(Flow);
  const listRevisions = (flowId: string) =>
    parley.database.repository(FlowRevision).find({ where: { flowId }, order: { revision: 'ASC' } });
  /** Marks a flow as active, as activateFlow does. */
  const activate = (id: string) => rows().update(id, { isActive: true, activatedAt: () => 'now()' });

  describe('createFlow', () => {
    it('stores an inactive flow with its graph', async () => {
      const { create, bot, orgId, client } = await build();
      const placed = structuredClone(HELLO);
      placed.nodes[0]!.position = { x: -20.5, y: 0 };
      const trigger = 'keyword: Refund,money back';
      const { id, created_at, updated_at, ...others } = await create({
        graph: placed,
        trigger,
        description: 'For the shop',
      });
      assert.deepEqual(others, {
        org_id: orgId,
        bot_id: bot.id,
        name: 'Refunds',
        description: 'For the shop',
        trigger,
        graph: placed,
        is_active: false,
        revision: 1,
        activated_at: null,
      });
      assert.equal(created_at, updated_at);
      assert.equal((await rows().findOneByOrFail({ id })).triggerKey, 'keyword:money back,refund');
      const { body: read } = await client.get(`/api/flows/${id}`);
      assert.deepEqual(read, { id, created_at, updated_at, ...others });
    });

    it('names node and field of each error of a graph, and stores nothing', async () => {
      const { client, flow, bot } = await build();
      const graph = buildGraph([
        buildNode('message', { text: 'Hi {{me}}' }, 'ask'),
        buildNode('start', {}, 'again'),
      ]);
      const { status, problem } = await client.post('/api/flows', { ...flow, graph });
      assert.equal(status, 422);
      assert.deepEqual(
        problem.details.map(({ field, pointer, message }) => ({ field, pointer, message })),
        [
          {
            field: 'graph.nodes[1].data.text',
            pointer: '#/graph/nodes/1/data/text',
            message: 'Node "ask": text uses {{me}}, which is not a valid path',
          },
          {
            field: 'graph.nodes[0].type',
            pointer: '#/graph/nodes/0/type',
            message: 'Node "start": there must be exactly one start, but there are 2',
          },
          {
            field: 'graph.nodes[2].type',
            pointer: '#/graph/nodes/2/type',
            message: 'Node "again": there must be exactly one start, but there are 2',
          },
        ],
      );
      assert.equal(await rows().countBy({ botId: bot.id }), 0);
    });

    itInSoak('stores drafts with empty texts, and with steps without an incoming edge', async () => {
      const { create } = await build();
      const graph = buildGraph([buildNode('message', { text: '' }), buildNode('booking')]);
      assert.deepEqual((await create({ graph })).graph, graph);
    });

    for (const [what, changes, field] of [
      ['an invalid trigger', { trigger: 'sometimes' }, 'trigger'],
      ['a trigger of 201 characters', { trigger: `keyword:${'x'.repeat(193)}` }, 'trigger'],
      [
        'a trigger of characters that normalize to many',
        { trigger: `keyword:${'\ufdfa'.repeat(100)}` },
        'trigger',
      ],
      ['an invisible name', { name: ' \u200b' }, 'name'],
      ['a name of 121 characters', { name: 'x'.repeat(121) }, 'name'],
      ['no graph', { graph: undefined }, 'graph'],
      ['a list for a graph', { graph: [] }, 'graph'],
      ['an empty graph', { graph: {} }, 'graph.version'],
      ['a graph of more than 200 KB', { graph: { ...HELLO, x: 'x'.repeat(210_000) } }, 'graph'],
      ['an infinite number', { graph: '1e999' }, 'graph.nodes[0].position.x'],
      [
        'NUL in a text',
        { graph: buildGraph([buildNode('message', { text: '\u0000' })]) },
        'graph.nodes[1].data.text',
      ],
    ] as const)
      it(`refuses ${what}`, async () => {
        const { key, flow, bot } = await build();
        const endless = JSON.stringify({
          ...HELLO,
          nodes: [{ ...buildNode('start'), position: { x: 0, y: 0 } }],
        });
        const body = JSON.stringify({ ...flow, ...changes }).replace(
          '"1e999"',
          endless.replace('"x":0', '"x":1e999'),
        );
        const response = await parley.client(key).fetch('/api/flows', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const problem = (await response.json()) as { details: { field: string }[] };
        assert.deepEqual([response.status, problem.details[0]?.field], [422, field]);
        assert.equal(await rows().countBy({ botId: bot.id }), 0);
      });

    it('treats an invisible trigger as null', async () => {
      const { create } = await build();
      assert.equal((await create({ trigger: ' ' })).trigger, null);
    });

    it('limits the flows of a bot to the setting, even concurrently', async () => {
      const { create, client, key, flow, bot } = await build();
      await create();
      await create();
      const clients = [client, second.client(key), client, second.client(key)];
      const responses = await Promise.all(clients.map((each) => each.post('/api/flows', flow)));
      assert.deepEqual(responses.map(formatOutcome).toSorted(), [
        '201',
        '409 conflict',
        '409 conflict',
        '409 conflict',
      ]);
      assert.equal(await rows().countBy({ botId: bot.id }), 3);
    });
  });

  it('listFlows returns all flows, the flows of a bot, or active flows, newest first', async () => {
    const { create, client, bot } = await build();
    const { body: other } = await client.post('/api/bots', { name: 'Other' });
    const flows = [await create(), await create({ bot_id: other.id }), await create({ name: 'Last' })];
    await activate(flows[2]!.id);
    const listFlowIds = async (query: string) =>
      (await client.get(`/api/flows${query}` as '/api/flows')).body.map(({ id }) => id);
    const [first, elsewhere, last] = flows.map(({ id }) => id);
    assert.deepEqual(await listFlowIds(''), [last, elsewhere, first]);
    assert.deepEqual(await listFlowIds(`?bot_id=${bot.id}`), [last, first]);
    assert.deepEqual(await listFlowIds('?is_active=true'), [last]);
    assert.deepEqual(await listFlowIds(`?is_active=false&bot_id=${other.id}`), [elsewhere]);
    const { body } = await client.get('/api/flows');
    assert.deepEqual(body[1], flows[1]);
  });

  itInSoak(
    'getFlow returns a graph that belongs to the returned revision, even during a concurrent save',
    async () => {
      const { create, save, client } = await build();
      const buildMessageGraph = (text: string) => buildGraph([buildNode('message', { text })]);
      const { id } = await create({ graph: buildMessageGraph('1') });
      const read = () => client.get(`/api/flows/${id}`);
      const saves = ['2', '3', '4', '5', '6', '7'].map(
        (text) => () => save(id, { graph: buildMessageGraph(text) }),
      );
      const calls = saves.flatMap((next) => [read(), next(), read(), read()]);
      const graphOfRevision = new Map<number, unknown>();
      for (const { status, body } of await Promise.all(calls)) {
        assert.equal(status, 200);
        assert.deepEqual(body.graph, graphOfRevision.get(body.revision) ?? body.graph);
        graphOfRevision.set(body.revision, body.graph);
      }
    },
  );

  it('listFlows returns a page, and continues after its last flow', async () => {
    const { create, client } = await build();
    const flows = [await create(), await create(), await create()];
    const [first, middle, third] = flows.map(({ id }) => id);
    const listNames = async (query: string) =>
      (await client.get(`/api/flows${query}` as '/api/flows')).body.map(({ id }) => id);
    assert.deepEqual(await listNames('?limit=2'), [third, middle]);
    assert.deepEqual(await listNames(`?limit=2&before=${middle}`), [first]);
    assert.deepEqual(await listNames(`?before=${first}`), []);
    assert.equal(formatOutcome(await client.get(`/api/flows?before=${newId()}`)), '404 not_found');
  });

  describe('saveFlow', () => {
    it('replaces all fields, and empties omitted fields', async () => {
      const { create, save } = await build();
      const before = await create({ trigger: 'first_message', description: 'Old' });
      const { status, body } = await save(before.id, { name: 'Returns' });
      assert.equal(status, 200);
      const { updated_at, ...saved } = body;
      const { updated_at: then, ...old } = before;
      assert.deepEqual(saved, { ...old, name: 'Returns', trigger: null, description: null });
      assert.ok(updated_at >= then);
    });

    it('creates a revision if the graph has changed, and keeps the newest revisions up to the setting', async () => {
      const { create, save } = await build();
      const { id } = await create();
      const graphs = ['a', 'b'].map((text) => buildGraph([buildNode('message', { text })]));
      const revisions = [];
      for (const graph of [HELLO, graphs[0], graphs[0], graphs[1]])
        revisions.push((await save(id, { graph })).body.revision);
      assert.deepEqual(revisions, [1, 2, 2, 3]);
      const kept = await listRevisions(id);
      assert.deepEqual(
        kept.map(({ revision, graph }) => ({ revision, graph })),
        [2, 3].map((revision, at) => ({ revision, graph: graphs[at] })),
      );
    });

    it('refuses a bot_id other than the flow’s, and changes nothing', async () => {
      const { create, save, client } = await build();
      const before = await create();
      const { body: other } = await client.post('/api/bots', { name: 'Other' });
      const { status, problem } = await save(before.id, { bot_id: other.id, name: 'Moved' });
      assert.deepEqual([status, problem.details[0]!.field], [422, 'bot_id']);
      assert.deepEqual((await client.get(`/api/flows/${before.id}`)).body, before);
    });

    it('refuses an invalid graph of an active flow, and the trigger of another active flow', async () => {
      const { create, save } = await build();
      const [one, other] = [await create({ trigger: 'keyword:a,b' }), await create()];
      await activate(one.id);
      await activate(other.id);
      const twin = await save(other.id, { trigger: 'keyword:B, A' });
      assert.equal(formatOutcome(twin), '409 conflict');
      assert.match(twin.problem.error.message, /"Refunds"/);
      assert.equal(formatOutcome(await save(one.id, { trigger: 'keyword:a,b' })), '200');
      const graph = buildGraph([buildNode('handoff'), buildNode('message', { text: '' }, 'ask')]);
      const { status, problem } = await save(one.id, { graph, trigger: 'keyword:a,b' });
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
    });

    itInSoak('gives each of several concurrent saves its own revision', async () => {
      const { create, save, key, flow } = await build();
      const { id } = await create();
      const graphs = ['a', 'b', 'c'].map((text) => buildGraph([buildNode('message', { text })]));
      const responses = await Promise.all([
        save(id, { graph: graphs[0] }),
        second.client(key).put(`/api/flows/${id}`, { ...flow, graph: graphs[1] }),
        save(id, { graph: graphs[2] }),
      ]);
      assert.deepEqual(responses.map(({ body }) => body.revision).toSorted(), [2, 3, 4]);
    });
  });

  it('deleteFlow deletes an inactive flow with its revisions, and refuses an active flow', async () => {
    const { create, client } = await build();
    const { id } = await create();
    await activate(id);
    assert.equal(formatOutcome(await client.delete(`/api/flows/${id}`)), '409 conflict');
    await rows().update(id, { isActive: false });
    assert.equal(formatOutcome(await client.delete(`/api/flows/${id}`)), '200');
    assert.equal(formatOutcome(await client.get(`/api/flows/${id}`)), '404 not_found');
    assert.deepEqual(await listRevisions(id), []);
  });

  it('getFlow, saveFlow and deleteFlow return 404 for a flow of a deleted bot, and purgeBot deletes its rows', async () => {
    const { create, save, client, bot, orgId } = await build();
    const { id } = await create();
    await client.delete(`/api/bots/${bot.id}`);
    const path = `/api/flows/${id}` as const;
    assert.equal(formatOutcome(await client.get(path)), '404 not_found');
    assert.equal(formatOutcome(await save(id)), '404 not_found');
    assert.equal(formatOutcome(await client.delete(path)), '404 not_found');
    assert.deepEqual((await client.get('/api/flows')).body, []);
    const scope = { orgId, db: parley.database };
    await parley.runtime.services.knowledge.purge.removeContents(scope, bot.id, new AbortController().signal);
    assert.equal(await rows().countBy({ botId: bot.id }), 0);
    assert.deepEqual(await listRevisions(id), []);
  });

  it('createFlow creates one flow for one Idempotency-Key', async () => {
    const { client, flow, bot } = await build();
    const headers = { 'Idempotency-Key': newId() };
    const send = () => client.post('/api/flows', flow, headers);
    assert.deepEqual((await send()).body, (await send()).body);
    assert.equal(await rows().countBy({ botId: bot.id }), 1);
  });
});
