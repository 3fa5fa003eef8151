import assert from 'node:assert/strict';
import { FlowRevision } from '../../entities/flows/flow-revision.entity.ts';
import { buildBot } from '../support/build-bot.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildGraph, buildNode } from './graphs.ts';

const ORIGIN = 'https://api.example.com';
const SECRET = 'Bearer hidden-1';
const given = { name: 'Authorization', secret: true, value: SECRET };
const unsaid = { name: 'Authorization', secret: true };
const kept = { ...unsaid, has_value: true };
const none = { ...unsaid, has_value: false };

function buildAskingGraph(header: object, url = `${ORIGIN}/orders/{{vars.order}}`, id = 'ask') {
  return buildGraph([buildNode('http_request', { method: 'GET', url, headers: [header] }, id)]);
}

describe('secret headers of flows:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function build(graph: object) {
    const { client, bot } = await buildBot(parley);
    const flow = { bot_id: bot.id, name: 'Orders' };
    const { body: made, status } = await client.post('/api/flows', { ...flow, graph });
    assert.equal(status, 201);
    const save = async (changed: object) => {
      const { body, status: saved } = await client.put(`/api/flows/${made.id}`, { ...flow, graph: changed });
      assert.equal(saved, 200, JSON.stringify(body));
      return readHeaders(body.graph);
    };
    /** Decrypts the flow's stored secret header, which is encrypted for requests to the origin. */
    const decryptHeader = async (origin = ORIGIN) => {
      const rows = await parley.database.repository(FlowRevision).findBy({ flowId: made.id });
      const { graph: present } = rows.toSorted((a, b) => b.revision - a.revision)[0]!;
      const [{ sealed }] = present.nodes[1]!.data['headers'] as [{ sealed?: string }];
      const place = `flow_revisions.header:${made.id}:${origin}:authorization`;
      return sealed === undefined ? null : parley.runtime.keyring.open(sealed, place);
    };
    return { client, made, save, decryptHeader };
  }

  function readHeaders(graph: object): unknown {
    const { nodes } = graph as { nodes: { data: { headers?: unknown } }[] };
    return nodes[1]!.data.headers;
  }

  it('createFlow encrypts secret headers, which no row and no response reveals', async () => {
    const { made, client, decryptHeader } = await build(buildAskingGraph(given));
    assert.deepEqual(readHeaders(made.graph), [kept]);
    const read = [await client.get(`/api/flows/${made.id}`), await client.get('/api/flows')];
    assert.equal(JSON.stringify(read.map(({ body }) => body)).includes('hidden'), false);
    const [row] = await parley.database.sql<{ text: string }>(
      'SELECT string_agg(r::text, $2) AS text FROM flow_revisions r WHERE flow_id = $1',
      [made.id, ' '],
    );
    assert.equal(row!.text.includes('hidden'), false);
    assert.equal(await decryptHeader(), SECRET);
  });

  it('createFlow refuses a secret header that cannot be sent', async () => {
    const { client, bot } = await buildBot(parley);
    for (const value of ['a\r\nX-Evil: 1', 'schlüssel']) {
      const graph = buildAskingGraph({ ...given, value });
      const response = await client.post('/api/flows', { bot_id: bot.id, name: 'Orders', graph });
      assert.deepEqual(
        [response.status, response.problem.details[0]!.field],
        [422, 'graph.nodes[1].data.headers[0].value'],
      );
      assert.equal(JSON.stringify(response.problem).includes('X-Evil'), false);
    }
  });

  it('createFlow returns other headers unchanged', async () => {
    const plain = { name: 'X-Shop', value: '{{vars.shop|1}}' };
    const { made } = await build(buildAskingGraph(plain));
    assert.deepEqual(readHeaders(made.graph), [plain]);
  });

  for (const [what, header, url, shown, value] of selectCases(
    [
      ['as it was read', kept, undefined, kept, SECRET],
      ['without a value', unsaid, undefined, kept, SECRET],
      [
        'with its name in other letter case',
        { ...unsaid, name: 'authorization' },
        undefined,
        { ...kept, name: 'authorization' },
        SECRET,
      ],
      ['for another path of the same server', unsaid, `${ORIGIN}/v2?x={{vars.a}}`, kept, SECRET],
      ['with another value', { ...given, value: 'Bearer 2' }, undefined, kept, 'Bearer 2'],
      ['with null', { ...unsaid, value: null }, undefined, none, null],
      ['for another server', kept, 'https://evil.example/', none, null],
      ['for another port', kept, `${ORIGIN}:8443/`, none, null],
      ['for another scheme', kept, 'http://api.example.com/', none, null],
      ['as a header without a secret', { name: 'Authorization' }, undefined, { name: 'Authorization' }, null],
      [
        'with an invented has_value',
        { ...kept, name: 'X-Other' },
        undefined,
        { ...none, name: 'X-Other' },
        null,
      ],
    ] as const,
    4,
  ))
    it(`saveFlow ${value === SECRET ? 'keeps' : value ? 'replaces' : 'drops'} a secret header that is sent ${what}`, async () => {
      const { save, decryptHeader } = await build(buildAskingGraph(given));
      assert.deepEqual(await save(buildAskingGraph(header, url)), [shown]);
      assert.equal(await decryptHeader(), value);
    });

  it('saveFlow drops the secret header of a deleted node', async () => {
    const { save } = await build(buildAskingGraph(given));
    assert.deepEqual(await save(buildAskingGraph(kept, undefined, 'other')), [none]);
  });

  it('saveFlow does not restore a secret header that was dropped before', async () => {
    const { save } = await build(buildAskingGraph(given));
    await save(buildAskingGraph(kept, 'https://evil.example/'));
    assert.deepEqual(await save(buildAskingGraph(kept)), [none]);
  });

  it('saveFlow creates no revision for an unchanged graph', async () => {
    const { made, client } = await build(buildAskingGraph(given));
    const { bot_id, name, graph } = made;
    const { body } = await client.put(`/api/flows/${made.id}`, { bot_id, name, graph });
    assert.deepEqual([body.revision, body.graph], [1, graph]);
  });
});
