import assert from 'node:assert/strict';
import { weekdays } from '../../core/conversations/handoff-config.ts';
import { FlowRevision } from '../../entities/flows/flow-revision.entity.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { findOutboxEvents } from '../support/widget.ts';
import { buildGraph, buildNode } from './graphs.ts';
import { ASKING, buildFlowBot, OPTIONS } from './flow-visits.ts';
import { openShop, type Shop } from './shop.ts';

const FIRST = 'first_message';
const buildSayingGraph = (text: string) => buildGraph([buildNode('end', { message: text })]);

describe('a conversation in a flow', () => {
  let parley: TestParley;
  let second: TestProcess;
  let shop: Shop;
  let release: Promise<unknown>;
  before(async () => {
    parley = await startParley({ flowRevisionsKept: 1 });
    second = await parley.startAnother();
    shop = await openShop(async (_request, response) => {
      await release;
      response.end('{}');
    });
  });
  beforeEach(() => {
    release = Promise.resolve();
    shop.requests.length = 0;
  });
  after(async () => {
    await shop.close();
    await parley.stop();
  });

  /** Builds the graph of a flow that asks the visitor, and then sends a request to a server. */
  const buildAskThenRequest = () =>
    buildGraph(
      [
        buildNode('question', { text: 'Which order?', input: 'text', variable: 'order' }, 'which'),
        buildNode('http_request', { method: 'POST', url: shop.origin, timeout_ms: 10_000 }, 'ask'),
        buildNode('question', { text: 'And now, {{vars.order}}?', input: 'text', variable: 'next' }, 'next'),
        buildNode('end', { message: '{{vars.order}} {{vars.next}}' }),
      ],
      'which ask',
      'ask next',
      'ask error next',
      'next end',
    );

  it('finishes with the graph that it began with, even if the flow is saved and deactivated meanwhile', async () => {
    const { visit, active, client, bot } = await buildFlowBot(parley, [{ graph: ASKING, trigger: FIRST }]);
    const [flow] = active;
    const { say } = await visit();
    await say('Hello');
    for (const text of ['a', 'b'])
      await client.put(`/api/flows/${flow!.id}`, {
        bot_id: bot.id,
        name: 'Flow',
        graph: buildSayingGraph(text),
        trigger: FIRST,
      });
    await client.post(`/api/flows/${flow!.id}/deactivate`);
    assert.equal((await say('A refund', { option_id: 'refund' })).content, 'So A refund.');
    await client.put(`/api/flows/${flow!.id}`, {
      bot_id: bot.id,
      name: 'Flow',
      graph: buildSayingGraph('c'),
    });
    const kept = await parley.database.repository(FlowRevision).findBy({ flowId: flow!.id });
    assert.deepEqual(
      kept.map(({ revision }) => revision),
      [4],
    );
  });

  itInSoak('answers concurrent messages one after the other', async () => {
    let open!: () => void;
    release = new Promise<void>((resolve) => (open = resolve));
    const { visit } = await buildFlowBot(parley, [{ graph: buildAskThenRequest(), trigger: FIRST }]);
    const { say, session, path, id } = await visit();
    await say('Hi');
    const first = say('one');
    await shop.asked(1);
    const other = second.client(session.visitor_token).post(`${path}/messages`, { content: 'two' });
    await waitUntil(async () => {
      const [row] = await parley.database.sql<{ count: string }>(
        "SELECT count(*) FROM messages WHERE conversation_id = $1 AND state = 'generating'",
        [id],
      );
      return row!.count === '2';
    }, 'the other message');
    open();
    assert.equal((await first).content, 'And now, one?');
    assert.equal((await other).body.content, 'one two');
    assert.equal(shop.requests.length, 1);
  });

  it('answers a repeated message once', async () => {
    const { visit } = await buildFlowBot(parley, [{ graph: buildAskThenRequest(), trigger: FIRST }]);
    const { say, session, path } = await visit();
    await say('Hi');
    const sent = { content: 'one', client_id: 'c1' };
    const other = second.client(session.visitor_token);
    const [one, two] = await Promise.all([
      say('one', { client_id: 'c1' }),
      other.post(`${path}/messages`, sent),
    ]);
    assert.equal(one.content, 'And now, one?');
    assert.equal(two.body.id, one.id);
    assert.equal(shop.requests.length, 1);
    const reused = await other.post(`${path}/messages`, { ...sent, option_id: 'refund' });
    assert.equal(formatOutcome(reused), '409 conflict');
  });

  itInSoak(
    'resumes at its node, with the same idempotency key, after the process of a turn has crashed',
    async () => {
      let open!: () => void;
      release = new Promise<void>((resolve) => (open = resolve));
      const { visit } = await buildFlowBot(parley, [{ graph: buildAskThenRequest(), trigger: FIRST }]);
      const { say, id, findFlowSession } = await visit();
      await say('Hi');
      const dying = say('one');
      await shop.asked(1);
      await parley.database.sql(
        "UPDATE messages SET lease_expires_at = now() - interval '1 second' WHERE conversation_id = $1 AND state = 'generating'",
        [id],
      );
      await second.runtime.services.conversations.answerRunner.recoverAbandoned();
      await shop.asked(2);
      open();
      assert.equal((await dying).content, 'And now, one?');
      const [before, after] = shop.requests.map(({ headers }) => headers['idempotency-key']);
      assert.equal(before, after);
      assert.equal((await findFlowSession())!.steps, 4);
      assert.equal((await say('two')).content, 'one two');
    },
  );

  itInSoak('ends the flow silently if a member takes over in the middle of a turn', async () => {
    release = new Promise(() => undefined);
    const { visit, client, activate } = await buildFlowBot(parley, [
      { graph: buildAskThenRequest(), trigger: FIRST },
    ]);
    await activate({ graph: buildSayingGraph('The keyword.'), trigger: 'keyword:refund' });
    const { say, id, findFlowSession } = await visit();
    await say('Hi');
    const silenced = say('one');
    await shop.asked(1);
    assert.equal(formatOutcome(await client.post(`/api/inbox/${id}/claim`)), '200');
    assert.deepEqual([(await silenced).role, (await silenced).content], ['user', 'one']);
    const { status, sealedState } = (await findFlowSession())!;
    assert.deepEqual([status, sealedState], ['closed', null]);
    assert.equal((await say('refund')).role, 'user');
    await client.post(`/api/inbox/${id}/release`);
    assert.equal((await say('refund')).content, 'The keyword.');
  });

  it('waits for an agent after a handoff node, as after requestWidgetHandoff, but stays with the bot outside opening hours', async () => {
    const graph = buildGraph(
      [
        buildNode('question', { text: 'Why?', input: 'text', variable: 'why' }, 'why'),
        buildNode('handoff', { reason: 'Wants {{vars.why}}', message: 'I ask somebody.' }),
        buildNode('end', { message: 'Nobody is there.' }),
      ],
      'why handoff',
      'handoff unavailable end',
    );
    const { visit, client, bot, orgId } = await buildFlowBot(parley, [], { handoff_enabled: true });
    const flow = { bot_id: bot.id, name: 'Ask', graph, trigger: FIRST };
    const { body } = await client.post('/api/flows', flow);
    await client.post(`/api/flows/${body.id}/activate`);
    const { say, id, history, findFlowSession } = await visit();
    await say('Hi');
    assert.equal((await say('x'.repeat(2000))).content, 'I ask somebody.');
    assert.deepEqual(
      (await history()).slice(-2).map(({ role, event }) => [role, event?.kind, event?.requested_by]),
      [
        ['assistant', undefined, undefined],
        ['system', 'handoff_requested', 'flow'],
      ],
    );
    const { body: item } = await client.get(`/api/conversations/${id}`);
    assert.equal(item.status, 'waiting_human');
    assert.equal(item.messages.at(-1)!.event!.reason!.length, 1000);
    assert.equal((await findFlowSession())!.status, 'handed_over');
    assert.equal(
      (await findOutboxEvents(parley, orgId)).filter((name) => name === 'handoff.requested').length,
      1,
    );
    assert.equal((await say('Hello?')).role, 'user');
    const otherDay = weekdays[(new Date().getUTCDay() + 3) % 7]!;
    const periods = [{ days: [otherDay], opens: '09:00', closes: '09:01' }];
    const closed = { hours: { timezone: 'UTC', periods }, accepts_when_closed: false };
    assert.equal(formatOutcome(await client.patch(`/api/bots/${bot.id}`, { handoff_config: closed })), '200');
    const late = await visit();
    await late.say('Hi');
    assert.equal((await late.say('Help')).content, 'Nobody is there.');
  });

  it('stores the flow’s contact fields, unless the visitor refused consent', async () => {
    const assignments = [
      { variable: 'email', op: 'set', value: 'ada@example.com' },
      { variable: 'size', op: 'set', value: '{{last_message}}' },
    ];
    const graph = buildGraph(
      [buildNode('set', { assignments, to_contact: true }), buildNode('end', { message: 'Kept.' })],
      'set end',
    );
    const { visit, client, orgId } = await buildFlowBot(parley, [{ graph, trigger: FIRST }]);
    const { say } = await visit();
    assert.equal((await say('XL')).content, 'Kept.');
    const { body: contacts } = await client.get('/api/contacts');
    assert.deepEqual(
      contacts.items.map(({ email, custom_fields: { size } }) => [email, size]),
      [['ada@example.com', 'XL']],
    );
    assert.equal(
      (await findOutboxEvents(parley, orgId)).filter((name) => name === 'lead.captured').length,
      1,
    );
    const shy = await visit();
    await shy.visitor.post(`${shy.path}/consent`, { consent: 'denied' });
    assert.equal((await shy.say('XS')).content, 'Kept.');
    assert.equal((await client.get('/api/contacts')).body.items.length, 1);
  });

  itInSoak(
    'stores no more custom fields than the API accepts, and keeps existing custom fields',
    async () => {
      const names = Array.from({ length: 40 }, (_, n) => `field_${n}`);
      const kept = [0, 1].map((part) =>
        buildNode(
          'set',
          {
            assignments: names
              .slice(part * 20, part * 20 + 20)
              .map((variable) => ({ variable, op: 'set', value: 'ä'.repeat(450) })),
            to_contact: true,
          },
          `set${part}`,
        ),
      );
      const graph = buildGraph([...kept, buildNode('end', { message: 'Kept.' })], 'set0 set1', 'set1 end');
      const { visit, client } = await buildFlowBot(parley, [{ graph, trigger: FIRST }]);
      const { say } = await visit();
      assert.equal((await say('Hello')).content, 'Kept.');
      const { body: contacts } = await client.get('/api/contacts');
      const { body: conversations } = await client.get('/api/conversations');
      const { body: conversation } = await client.get(`/api/conversations/${conversations.items[0]!.id}`);
      for (const fields of [contacts.items[0]!.custom_fields, conversation.custom_fields]) {
        assert.deepEqual(Object.keys(fields), names.slice(0, 21));
        assert.ok(Buffer.byteLength(JSON.stringify(fields)) <= 20_000);
      }
    },
  );

  it('takes the `submitted` port of a lead form only if the visitor has submitted the form', async () => {
    const graph = buildGraph(
      [
        buildNode('lead_form', { text: 'How do we reach you?' }),
        buildNode('end', { message: 'We write.' }, 'sent'),
        buildNode('end', { message: 'As you like.' }, 'refused'),
      ],
      'lead_form submitted sent',
      'lead_form refused refused',
    );
    const form = { enabled: true, fields: [{ key: 'email', label: 'Email', type: 'email' }] };
    const { visit, activate } = await buildFlowBot(parley, [], { lead_capture_config: form });
    await activate({ graph, trigger: FIRST });
    const [lead, liar] = [await visit(), await visit()];
    assert.equal((await lead.say('Hi')).input!.kind, 'form');
    await liar.say('Hi');
    await lead.visitor.post(`${lead.path}/lead`, { fields: { email: 'ada@example.com' } });
    const submitted = { option_id: 'submitted' };
    assert.equal((await lead.say('Submitted', submitted)).content, 'We write.');
    assert.equal((await liar.say('Submitted', submitted)).content, 'As you like.');
  });

  it('sends the link of the directory entry that the visitor chooses', async () => {
    const graph = buildGraph(
      [
        buildNode('directory', { text: 'Where are you?' }),
        buildNode('end', { message: 'There you go.' }, 'found'),
        buildNode('end', { message: 'Not known.' }, 'lost'),
      ],
      'directory resolved found',
      'directory not_found lost',
    );
    const entries = [{ name: 'Lisbon', link: 'https://shop.example/lisbon' }, { name: 'Porto' }];
    const { visit, activate } = await buildFlowBot(parley, [], {
      directory_config: { enabled: true, entries },
    });
    await activate({ graph, trigger: FIRST });
    const { say } = await visit();
    assert.deepEqual(
      (await say('Hi')).input!.options.map(({ label }) => label),
      ['Lisbon', 'Porto'],
    );
    assert.equal((await say('lisbon')).content, '[Lisbon](https://shop.example/lisbon)\n\nThere you go.');
  });

  for (const [what, end] of selectCases(
    [
      ['its visitor ends it', 'end'],
      ['it is deleted', 'delete'],
      ['its flow is deleted', 'flow'],
      ['its contact is erased', 'erase'],
    ] as const,
    2,
  ))
    it(`leaves the flow once ${what}`, async () => {
      const { visit, client, active } = await buildFlowBot(parley, [{ graph: ASKING, trigger: FIRST }]);
      const { say, findFlowSession, visitor, path, id } = await visit();
      await say('Write to ada@example.com');
      assert.equal((await findFlowSession())!.status, 'waiting');
      if (end === 'end') await visitor.post(`${path}/end`);
      if (end === 'delete') await client.delete(`/api/conversations/${id}`);
      if (end === 'flow') {
        await client.post(`/api/flows/${active[0]!.id}/deactivate`);
        await client.delete(`/api/flows/${active[0]!.id}`);
        assert.equal((await say('A refund', { option_id: 'refund' })).input, null);
      }
      if (end === 'erase') {
        const { body } = await client.get('/api/contacts');
        await client.post(`/api/contacts/${body.items[0]!.id}/erase`);
      }
      const left = await parley.database.repository(FlowSession).findOneBy({ conversationId: id });
      assert.equal(left?.status ?? 'gone', end === 'end' ? 'closed' : 'gone');
      if (end !== 'end') return;
      await client.post(`/api/conversations/${id}/reopen`);
      assert.equal((await say('A refund', { option_id: 'refund' })).input, null);
    });

  itInSoak('walks a graph of nearly 200 KB', async () => {
    const nodes = Array.from({ length: 97 }, (_, at) =>
      buildNode('message', { text: `${'x'.repeat(1960)} ${at}` }, `n${at}`),
    );
    const edges = nodes.slice(1).map(({ id }, at) => `n${at} ${id}`);
    const ask = buildNode('question', { text: 'Well?', input: 'choice', options: OPTIONS }, 'ask');
    const graph = buildGraph([ask, ...nodes.slice(0, 40)], 'ask n0', ...edges.slice(0, 39));
    graph.nodes.push(...nodes.slice(40), buildNode('end'));
    graph.edges.push(
      ...edges.slice(39).map((edge) => ({ source: edge.split(' ')[0]!, target: edge.split(' ')[1]! })),
    );
    graph.edges.push({ source: 'n96', target: 'end' });
    assert.ok(Buffer.byteLength(JSON.stringify(graph)) > 190 * 1024);
    const { visit } = await buildFlowBot(parley, [{ graph, trigger: FIRST }], { fallback_message: 'Sorry.' });
    const { say, findFlowSession } = await visit();
    assert.equal((await say('Hi')).content, 'Well?');
    assert.equal((await say('1')).content, 'Sorry.');
    assert.equal((await findFlowSession())!.status, 'failed');
  });
});
