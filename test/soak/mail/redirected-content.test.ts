import assert from 'node:assert/strict';
import type { FlowGraph, FlowNode } from '../../../core/flows/flow-graph.ts';
import { newId } from '../../../core/ids.ts';
import { Membership } from '../../../entities/team/membership.entity.ts';
import { buildGraph, buildNode } from '../../flows/graphs.ts';
import { endGathering, readAccessMails, watchAccessItems } from '../../support/access-mails.ts';
import { startParley, type TestOrg, type TestParley } from '../../support/parley.ts';

const GATEWAY = 'http://127.0.0.1:9/v1/victim/chat';
const HOOK = 'https://hooks.example.com/hooks/catch/victim';

describe('email to owners about a new receiver of conversations:', () => {
  let parley: TestParley;
  let org: TestOrg;

  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    newItems = watchAccessItems(parley, org.userId);
  });

  let newItems: () => Promise<string[][]>;
  describe('updateBot', () => {
    const endpoint = { endpoint_url: GATEWAY, auth_header_name: 'Authorization' };
    let path: `/api/bots/${string}`;

    beforeEach(async () => {
      const custom_endpoint_config = { ...endpoint, auth_header_value: 'Bearer victim' };
      const { status, body } = await org.client.post('/api/bots', { name: 'Guide', custom_endpoint_config });
      assert.equal(status, 201, JSON.stringify(body));
      path = `/api/bots/${body.id}`;
      assert.deepEqual(await newItems(), [
        [
          `“Guide” can send conversations and passages to ${GATEWAY}`,
          '“Guide” has a new secret for its model server.',
        ],
      ]);
    });

    const cases: [string, object, string[]][] = [
      [
        'another path at the same server',
        { ...endpoint, endpoint_url: 'http://127.0.0.1:9/v1/attacker/chat' },
        ['“Guide” can send conversations and passages to http://127.0.0.1:9/v1/attacker/chat'],
      ],
      [
        'another query at the same server',
        { ...endpoint, endpoint_url: `${GATEWAY}?account=attacker` },
        [`“Guide” can send conversations and passages to ${GATEWAY}?account=attacker`],
      ],
      [
        'another secret for the same endpoint',
        { ...endpoint, auth_header_value: 'Bearer attacker' },
        ['“Guide” has a new secret for its model server.'],
      ],
      [
        'another header',
        { ...endpoint, auth_header_name: 'X-Account' },
        ['“Guide” sends its secret to the model server in the header X-Account.'],
      ],
      [
        'no header',
        { ...endpoint, auth_header_name: null },
        ['“Guide” sends no header with a secret to its model server.'],
      ],
    ];
    for (const [what, custom_endpoint_config, items] of cases)
      it(`with ${what} emails the owners`, async () => {
        const { status } = await org.client.patch(path, { custom_endpoint_config });
        assert.equal(status, 200);
        assert.deepEqual(await newItems(), [items]);
      });

    it('with the same endpoint, or without an endpoint, sends no email', async () => {
      await org.client.patch(path, { custom_endpoint_config: { ...endpoint, model: 'other' } });
      await org.client.patch(path, { name: 'Helper' });
      await endGathering(parley);
      assert.deepEqual(await newItems(), []);
    });

    it('followed by restoreBotVersion emails the owners about the changed path', async () => {
      const { body } = await org.client.post(`${path}/versions`, {});
      const moved = { ...endpoint, endpoint_url: 'http://127.0.0.1:9/v1/other/chat' };
      await org.client.patch(path, { custom_endpoint_config: moved });
      await newItems();
      assert.equal((await org.client.post(`${path}/versions/${body.version}/restore`)).status, 200);
      assert.deepEqual(await newItems(), [[`“Guide” can send conversations and passages to ${GATEWAY}`]]);
    });
  });

  describe('saveFlow', () => {
    const secret = { name: 'Authorization', secret: true };
    const request = {
      method: 'POST',
      url: HOOK,
      headers: [
        { ...secret, value: 'Bearer victim' },
        { name: 'X-Account', value: 'victim' },
      ],
      body: '{"channel": "victim"}',
    };
    const kept = { ...request, headers: [secret, { name: 'X-Account', value: 'victim' }] };
    const buildHttpGraph = (data: object): FlowGraph =>
      buildGraph(
        [buildNode('http_request', data as Record<string, unknown>), buildNode('end')],
        'http_request out end',
        'http_request error end',
      );
    let flow: { bot_id: string; name: string; trigger: string };
    let path: `/api/flows/${string}`;

    beforeEach(async () => {
      const bot = await org.client.post('/api/bots', { name: 'Guide' });
      flow = { bot_id: bot.body.id, name: 'Orders', trigger: 'first_message' };
      const { body } = await org.client.post('/api/flows', { ...flow, graph: buildHttpGraph(request) });
      path = `/api/flows/${body.id}`;
      assert.equal((await org.client.post(`${path}/activate`)).status, 200);
      assert.deepEqual(await newItems(), [[`“Orders” sends requests to ${HOOK}`]]);
    });

    const other = 'https://hooks.example.com/hooks/catch/attacker';
    const cases: [string, object, string][] = [
      ['another path at the same server', { ...kept, url: other }, `“Orders” sends requests to ${other}`],
      ['another secret', request, `“Orders” sends other headers, another body or other values to ${HOOK}`],
      [
        'another header',
        { ...kept, headers: [...kept.headers, { name: 'X-Copy-To', value: 'attacker' }] },
        `“Orders” sends other headers, another body or other values to ${HOOK}`,
      ],
      [
        'another value of a header',
        { ...kept, headers: [secret, { name: 'X-Account', value: 'attacker' }] },
        `“Orders” sends other headers, another body or other values to ${HOOK}`,
      ],
      [
        'another body',
        { ...kept, body: '{"channel": "attacker"}' },
        `“Orders” sends other headers, another body or other values to ${HOOK}`,
      ],
    ];
    for (const [what, data, item] of cases)
      it(`with ${what} emails the owners`, async () => {
        const saved = await org.client.put(path, { ...flow, graph: buildHttpGraph(data) });
        assert.equal(saved.status, 200, JSON.stringify(saved.body));
        assert.deepEqual(await newItems(), [[item]]);
      });

    it('with the same requests sends no email', async () => {
      const saved = await org.client.put(path, { ...flow, name: 'Parcels', graph: buildHttpGraph(kept) });
      assert.equal(saved.status, 200);
      await org.client.post(`${path}/activate`);
      await endGathering(parley);
      assert.deepEqual(await newItems(), []);
    });

    describe('of a request with variables', () => {
      const url = 'https://hooks.example.com/hooks/catch/{{vars.account}}';
      const item = `“Orders” sends other headers, another body or other values to ${url}`;
      type Assigned = Record<string, string>;
      /**
       * Builds the graph of a flow with assignments of variables and a request.
       * @param before nodes between the assignments and the request
       */
      const buildFilledGraph = (
        assigned: Assigned,
        before: FlowNode[] = [],
        changes: object = {},
      ): FlowGraph => {
        const assignments = Object.entries(assigned).map(([variable, value]) => ({
          variable,
          op: 'set',
          value,
        }));
        const data = { method: 'POST', url, body: '{"q":"{{vars.q}}"}', ...changes };
        const nodes = [
          buildNode('set', { assignments }),
          ...before,
          buildNode('http_request', data),
          buildNode('end'),
        ];
        const edges = nodes.slice(1).map(({ id }, at) => `${nodes[at]!.id} ${id}`);
        return buildGraph(nodes, ...edges, 'http_request error end');
      };
      const assigned = { account: '{{vars.customer}}', customer: 'victim', q: 'opened', color: 'red' };
      const asking = buildNode('question', { text: 'Your order?', input: 'text', variable: 'order' });
      async function save(graph: FlowGraph): Promise<string[][]> {
        const saved = await org.client.put(path, { ...flow, graph });
        assert.equal(saved.status, 200, JSON.stringify(saved.body));
        await endGathering(parley);
        return newItems();
      }

      beforeEach(async () => {
        assert.deepEqual(await save(buildFilledGraph(assigned, [asking])), [
          [`“Orders” sends requests to ${url}`],
        ]);
      });

      const changed: [string, FlowGraph][] = [
        ['another value of a variable', buildFilledGraph({ ...assigned, q: '{{last_message}}' }, [asking])],
        [
          'another value of a variable that another one contains',
          buildFilledGraph({ ...assigned, customer: 'attacker' }, [asking]),
        ],
        [
          'a question that assigns a variable',
          buildFilledGraph(assigned, [{ ...asking, data: { ...asking.data, variable: 'q' } }]),
        ],
        [
          'a model’s text in a variable',
          buildFilledGraph(assigned, [
            asking,
            buildNode('model_answer', { instructions: 'Write “attacker”.', save_as: 'account' }),
          ]),
        ],
        [
          'a value of the response in a variable',
          buildFilledGraph(assigned, [asking], { save: [{ path: 'account', variable: 'account' }] }),
        ],
      ];
      for (const [what, graph] of changed)
        it(`with ${what} emails the owners`, async () => {
          const edges = graph.nodes.some(({ type }) => type === 'model_answer')
            ? [...graph.edges, { source: 'model_answer', port: 'error', target: 'end' }]
            : graph.edges;
          assert.deepEqual(await save({ ...graph, edges }), [[item]]);
        });

      it('with other texts, other unused values or another order of nodes sends no email', async () => {
        const words = { ...asking, data: { ...asking.data, text: 'Which order?', variable: 'parcel' } };
        assert.deepEqual(await save(buildFilledGraph({ ...assigned, color: 'blue' }, [words])), []);
        const { nodes, ...graph } = buildFilledGraph({ ...assigned, color: 'blue' }, [words]);
        assert.deepEqual(await save({ ...graph, nodes: nodes.toReversed() }), []);
      });
    });

    it('of a request with the bot’s name emails the new URL after updateBot', async () => {
      const url = 'https://hooks.example.com/hooks/catch/{{vars.account}}';
      const graph = buildGraph(
        [
          buildNode('set', { assignments: [{ variable: 'account', op: 'set', value: '{{bot.name}}' }] }),
          buildNode('http_request', { method: 'GET', url }),
          buildNode('end'),
        ],
        'set http_request',
        'http_request end',
        'http_request error end',
      );
      assert.equal((await org.client.put(path, { ...flow, graph })).status, 200);
      await endGathering(parley);
      await newItems();
      const bot = `/api/bots/${flow.bot_id}` as const;
      assert.equal((await org.client.patch(bot, { system_prompt: 'Our prices.' })).status, 200);
      assert.equal((await org.client.patch(bot, { name: 'attacker' })).status, 200);
      await endGathering(parley);
      assert.deepEqual(await newItems(), [[`A flow of “attacker” changed: it sends requests to ${url}`]]);
    });

    it('of a flow that jumps to a flow with a request emails the owners about other values for the request', async () => {
      const url = 'https://hooks.example.com/hooks/catch/{{vars.account}}';
      const buildJumpGraph = (value: string, flowId: string): FlowGraph =>
        buildGraph(
          [
            buildNode('set', { assignments: [{ variable: 'account', op: 'set', value }] }),
            buildNode('jump', { flow_id: flowId }),
          ],
          'set jump',
        );
      const sending = buildHttpGraph({ method: 'GET', url });
      const led = await org.client.post('/api/flows', { ...flow, trigger: null, graph: sending });
      assert.equal(led.status, 201, JSON.stringify(led.body));
      const first = await org.client.put(path, { ...flow, graph: buildJumpGraph('victim', led.body.id) });
      assert.equal(first.status, 200, JSON.stringify(first.body));
      await endGathering(parley);
      assert.deepEqual(await newItems(), [[`“Orders” sends requests to ${url}`]]);
      const second = await org.client.put(path, {
        ...flow,
        graph: buildJumpGraph('attacker', led.body.id),
      });
      assert.equal(second.status, 200, JSON.stringify(second.body));
      await endGathering(parley);
      assert.deepEqual(await newItems(), [
        [`“Orders” sends other headers, another body or other values to ${url}`],
      ]);
    });

    it('names all URLs', async () => {
      const nodes = Array.from({ length: 12 }, (_, n) =>
        buildNode('http_request', { method: 'GET', url: `https://api.example.com/${n}` }, `ask${n}`),
      );
      const edges = nodes.flatMap(({ id }, n) => [
        `${id} out ${nodes[n + 1]?.id ?? 'end'}`,
        `${id} error end`,
      ]);
      const graph = buildGraph([...nodes, buildNode('end')], ...edges);
      assert.equal((await org.client.put(path, { ...flow, graph })).status, 200);
      const [items] = await newItems();
      assert.equal(items!.length, 12);
      assert.equal(items!.at(-1), '“Orders” sends requests to https://api.example.com/11');
    });
  });

  it('duplicateBot into another workspace emails the owners of both about the copy and its destination', async () => {
    const other = await parley.buildOrg();
    const { client } = await parley.signIn(org);
    const member = { id: newId(), orgId: other.orgId, userId: org.userId, role: 'admin' } as const;
    await parley.database.repository(Membership).insert(member);
    const bot = await client.post('/api/bots', { name: 'Guide', system_prompt: 'Our prices.' });
    const copy = await client.post(`/api/bots/${bot.body.id}/duplicate`, { org_id: other.orgId });
    assert.equal(copy.status, 201, JSON.stringify(copy.body));
    const item = '“Guide” was copied to the workspace “Acme” as “Guide (copy)”, with its settings and flows.';
    assert.deepEqual(await newItems(), [[item]]);
    const [mail] = await readAccessMails(parley, other.userId);
    assert.equal(mail!['items'], item);
    assert.equal(mail!['subject'], 'A bot of Acme was copied to another workspace');
  });

  it('duplicateBot within the workspace sends no email', async () => {
    const bot = await org.client.post('/api/bots', { name: 'Guide' });
    assert.equal((await org.client.post(`/api/bots/${bot.body.id}/duplicate`, {})).status, 201);
    assert.deepEqual(await newItems(), []);
  });
});
