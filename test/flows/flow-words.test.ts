import assert from 'node:assert/strict';
import { selectCases } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildGraph, buildNode } from './graphs.ts';
import { buildFlowBot } from './flow-visits.ts';
import { openShop, type Shop } from './shop.ts';

const FIRST = 'first_message';
const HALF = String.raw`\ud83d`;

describe('texts of visitors and servers in a flow', () => {
  let parley: SharedParley;
  let shop: Shop;
  let reply = '';
  before(async () => {
    parley = await startSharedParley();
    shop = await openShop((_request, response) => void response.end(reply));
  });
  after(async () => {
    await shop.close();
  });

  it('are stored verbatim, even if they look like JSON escapes', async () => {
    const graph = buildGraph(
      [
        buildNode('question', { text: 'Which path?', input: 'text', variable: 'path' }, 'which'),
        buildNode('question', { text: 'Sure?', input: 'text' }, 'sure'),
        buildNode('end', { message: 'It is {{vars.path}}' }),
      ],
      'which sure',
      'sure end',
    );
    const { visit } = await buildFlowBot(parley, [{ graph, trigger: FIRST }]);
    const { say } = await visit();
    await say('Hi');
    assert.equal((await say(String.raw`C:\u0000`)).content, 'Sure?');
    assert.equal((await say('Yes')).content, String.raw`It is C:\\u0000`);
  });

  for (const [what, sent, said] of selectCases(
    [
      ['a NUL', String.raw`{"word":"a\u0000b"}`, 'ab'],
      ['an escaped NUL', String.raw`{"word":"a\\u0000u0000b"}`, String.raw`a\\u0000u0000b`],
      ['a lone surrogate', `{"word":"a${HALF}b"}`, 'a\ufffdb'],
    ] as const,
    1,
  ))
    it(`reach visitor, contact and team if a server returns ${what}`, async () => {
      reply = sent;
      const graph = buildGraph(
        [
          buildNode('http_request', {
            method: 'GET',
            url: shop.origin,
            save: [{ path: 'word', variable: 'word' }],
          }),
          buildNode('set', {
            assignments: [{ variable: 'kept', op: 'set', value: '{{vars.word}}' }],
            to_contact: true,
          }),
          buildNode('handoff', { reason: '{{vars.word}}', message: 'It says {{vars.word}}' }),
          buildNode('end', {}, 'end'),
        ],
        'http_request set',
        'http_request error end',
        'set handoff',
        'handoff unavailable end',
      );
      const { visit, activate, client } = await buildFlowBot(parley, [], { handoff_enabled: true });
      await activate({ graph, trigger: FIRST });
      const { say, id } = await visit();
      assert.equal((await say('Hi')).content, `It says ${said}`);
      const { body } = await client.get(`/api/conversations/${id}`);
      assert.equal(body.status, 'waiting_human');
    });

  for (const trigger of ['no_answer', FIRST])
    it(`use the default handoff message in the visitor’s language if a flow with the trigger ${trigger} has no message of its own`, async () => {
      const graph = buildGraph(
        [buildNode('handoff', {}), buildNode('end', { message: 'Nobody.' })],
        'handoff unavailable end',
      );
      const { visit, activate, client } = await buildFlowBot(parley, [], { handoff_enabled: true });
      await activate({ graph, trigger });
      const { say, id } = await visit();
      assert.match((await say('Guten Tag, können Sie mir bitte helfen?')).content, /unser Team/);
      const { body } = await client.get(`/api/conversations/${id}`);
      assert.equal(body.status, 'waiting_human');
    });

  it('are requested again if they exceed a variable’s size', async () => {
    const graph = buildGraph(
      [
        buildNode('question', { text: 'Which path?', input: 'text', variable: 'path' }, 'which'),
        buildNode('end', { message: 'Done' }),
      ],
      'which end',
    );
    const { visit } = await buildFlowBot(parley, [{ graph, trigger: FIRST }]);
    const { say } = await visit();
    await say('Hi');
    assert.equal((await say('x'.repeat(4001))).content, 'Which path?');
    assert.equal((await say('\u{1f600}'.repeat(4000))).content, 'Done');
  });
});
