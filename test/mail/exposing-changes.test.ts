import assert from 'node:assert/strict';
import { buildFlowBot } from '../flows/flow-visits.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { endGathering, watchAccessItems } from '../support/access-mails.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

const HOOK = 'https://hooks.example.com/hooks/catch';

describe('email to owners about a change that exposes conversations:', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  describe('activateFlow', () => {
    for (const [field, value, words] of [
      ['email', 'c-{{conversation.id}}@evil.example', 'email address'],
      ['phone', '+351210000000', 'phone number'],
    ] as const)
      it(`of a flow that sets the ${field} of visitors names it`, async () => {
        const org = await buildFlowBot(parley, []);
        const newItems = watchAccessItems(parley, org.userId);
        const assignments = [{ variable: field, op: 'set', value }];
        const graph = buildGraph(
          [buildNode('set', { assignments, to_contact: true }), buildNode('end')],
          'set end',
        );
        await org.activate({ graph, trigger: 'first_message', name: 'Orders' });
        assert.deepEqual(await newItems(), [
          [`“Orders” stores ${value} as the ${words} of visitors, and replies are sent to it`],
        ]);
      });

    it('of a flow that sets other fields, or variables only, sends no email', async () => {
      const org = await buildFlowBot(parley, []);
      const assignments = [{ variable: 'email', op: 'set', value: 'a@example.com' }];
      const kept = [{ variable: 'plan', op: 'set', value: 'pro' }];
      const nodes = [
        buildNode('set', { assignments }),
        buildNode('set', { assignments: kept, to_contact: true }, 'keep'),
        buildNode('end'),
      ];
      await org.activate({ graph: buildGraph(nodes, 'set keep', 'keep end'), trigger: 'first_message' });
      assert.deepEqual(await watchAccessItems(parley, org.userId)(), []);
    });
  });

  it('saveFlow of an inactive flow to which a waiting conversation may jump names its requests', async () => {
    const end = buildGraph([buildNode('end')]);
    const org = await buildFlowBot(parley, []);
    const newItems = watchAccessItems(parley, org.userId);
    const target = await org.draw({ graph: end, name: 'Target' });
    const asking = await org.activate({
      graph: buildGraph(
        [
          buildNode('question', { text: 'Your account?', input: 'text', variable: 'acct' }),
          buildNode('jump', { flow_id: target.id }),
          buildNode('end'),
        ],
        'question jump',
        'question invalid end',
      ),
      trigger: 'first_message',
    });
    const { say } = await org.visit();
    await say('Hello');
    const { status } = await org.client.post(`/api/flows/${asking.id}/deactivate`);
    assert.equal(status, 200);
    const graph = buildGraph(
      [buildNode('http_request', { method: 'POST', url: HOOK, body: '{{vars.acct}}' }), buildNode('end')],
      'http_request end',
      'http_request error end',
    );
    const saved = await org.client.put(`/api/flows/${target.id}`, {
      bot_id: org.bot.id,
      name: 'Target',
      graph,
      trigger: null,
    });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.deepEqual(await newItems(), [[`“Target” sends requests to ${HOOK}`]]);
  });

  describe('updateBot', () => {
    for (const [what, before, change, items] of [
      [
        'a private bot public',
        { is_public: false },
        { is_public: true },
        ['“Guide” is public: anyone can talk to it.'],
      ],
      [
        'a bot run on all websites',
        { allowed_domains: ['shop.example'] },
        { allowed_domains: null },
        ['“Guide” can run on all websites.'],
      ],
      [
        'a bot run on more websites',
        { allowed_domains: ['shop.example'] },
        { allowed_domains: ['shop.example', 'evil.example', '*.evil.example'] },
        ['“Guide” can also run on evil.example, *.evil.example'],
      ],
    ] as const)
      it(`that lets ${what} emails the owners`, async () => {
        const org = await buildActiveBot(parley, { name: 'Guide', ...before });
        const { status } = await org.client.patch(`/api/bots/${org.bot.id}`, change);
        assert.equal(status, 200);
        assert.deepEqual(await watchAccessItems(parley, org.userId)(), [items]);
      });

    it('that limits the access to a bot sends no email', async () => {
      const { userId, bot, client } = await buildActiveBot(parley);
      for (const change of [
        { allowed_domains: ['a.example', 'b.example'] },
        { allowed_domains: ['a.example'] },
        { is_public: false },
      ])
        assert.equal((await client.patch(`/api/bots/${bot.id}`, change)).status, 200);
      await endGathering(parley);
      assert.deepEqual(await watchAccessItems(parley, userId)(), []);
    });
  });
});
