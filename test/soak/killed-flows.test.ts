import assert from 'node:assert/strict';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { buildFlowBot } from '../flows/flow-visits.ts';
import { openShop } from '../flows/shop.ts';
import { startApiProcess } from '../support/api-process.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createTemporalClient, buildTemporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';

describe('a flow after its process was killed', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({
      ...buildTemporalEnv(),
      flowMinuteMs: 3000,
      PARLEY_SHUTDOWN_GRACE_MS: '4000',
    });
  });
  after(() => parley.stop());

  const followedByAnother = useSuccessor(() => parley);

  it('during a request repeats the request once, with the same key', async () => {
    let open!: () => void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const shop = await openShop(async (_request, response) => {
      await opened;
      response.end('{"state":"sent"}');
    });
    const request = { method: 'POST', url: shop.origin, timeout_ms: 10_000 };
    const graph = buildGraph(
      [
        buildNode('question', { text: 'Which order?', input: 'text', variable: 'order' }, 'which'),
        buildNode('http_request', { ...request, save: [{ path: 'state', variable: 'state' }] }, 'ask'),
        buildNode('set', { assignments: [{ variable: 'seen', op: 'add', value: 1 }], to_contact: true }),
        buildNode('end', { message: '{{vars.order}}: {{vars.state}} {{vars.seen}}' }),
      ],
      'which ask',
      'ask set',
      'ask error end',
      'set end',
    );
    const { visit, client } = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }]);
    const { say, history, session, path } = await visit();
    await say('Hi');
    const doomed = await startApiProcess(parley.runtime.settings);
    const lost = fetch(`${doomed.baseUrl}${path}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.visitor_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'A-1', client_id: 'c1' }),
    }).catch(() => null);
    await shop.asked(1);
    await doomed.stop('SIGKILL');
    assert.equal(await lost, null);
    await shop.asked(2);
    open();
    await waitUntil(async () => (await history()).length === 4, 'the answer');
    assert.equal((await history()).at(-1)!.content, 'A-1: sent 1');
    assert.equal((await say('A-1', { client_id: 'c1' })).content, 'A-1: sent 1');
    assert.equal(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size, 1);
    const { body } = await client.get('/api/contacts');
    assert.deepEqual(
      body.items.map(({ custom_fields: { seen } }) => seen),
      ['1'],
    );
    await shop.close();
  });

  it('during flowWait continues once with another worker', async () => {
    const asked = { text: 'What is it about?', input: 'text', timeout_minutes: 1 };
    const graph = buildGraph(
      [buildNode('question', asked, 'ask'), buildNode('end', { message: 'Bye.' }, 'late'), buildNode('end')],
      'ask end',
      'ask timeout late',
    );
    const { visit } = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }]);
    const { say, history, id } = await visit();
    const first = new WorkerProcess(parley.runtime.settings);
    await first.waitForLog('polling');
    await say('Hi');
    const { client, close } = createTemporalClient(parley.runtime.settings);
    const query = `ConversationId = "${id}" AND WorkflowType = "flowWait"`;
    await waitUntil(async () => (await client.workflow.count(query)).count === 1, 'the wait');
    await first.end('SIGKILL');
    await followedByAnother();
    await waitUntil(async () => (await history()).length === 3, 'the flow to go on');
    assert.equal((await history()).at(-1)!.content, 'Bye.');
    const session = await parley.database.repository(FlowSession).findOneByOrFail({ conversationId: id });
    assert.equal(session.status, 'completed');
    for await (const { workflowId } of client.workflow.list({ query }))
      assert.equal(await client.workflow.getHandle(workflowId).result(), 'expired');
    assert.equal((await history()).length, 3);
    await close();
  });
});
