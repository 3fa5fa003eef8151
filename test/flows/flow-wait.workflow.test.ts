import assert from 'node:assert/strict';
import { flowWaitWorkflowId } from '../../core/workflows/commands.ts';
import { openEventStream } from '../support/event-stream.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { buildGraph, buildNode } from './graphs.ts';
import { buildFlowBot, OPTIONS } from './flow-visits.ts';

const SHORT = 1;
const LONG = 1440;

describe('flowWait', () => {
  let parley: TestParleyWithWorker;
  before(async () => (parley = await startParleyWithWorker({ flowMinuteMs: 300 })));
  after(() => parley.stop());

  const waiting = (minutes: number) =>
    buildGraph(
      [
        buildNode(
          'question',
          { text: 'What is it about?', input: 'choice', options: OPTIONS, timeout_minutes: minutes },
          'ask',
        ),
        buildNode('end', { message: 'So be it.' }),
        buildNode('question', { text: 'Are you still there?', input: 'text' }, 'late'),
      ],
      'ask end',
      'ask invalid end',
      'ask timeout late',
      'late end',
    );

  async function ask(minutes: number) {
    const flow = { graph: waiting(minutes), trigger: 'first_message' };
    const { visit, ...built } = await buildFlowBot(parley, [flow], { handoff_enabled: true });
    const visitor = await visit();
    const asked = visitor.say('Hello');
    return { ...built, ...visitor, asked };
  }

  const readWaitResult = (id: string, waitId: string | null) =>
    parley.temporal.workflow.getHandle(flowWaitWorkflowId(id, waitId!)).result();
  const recover = () => parley.runtime.services.conversations.answerRunner.recoverAbandoned();

  it('continues the flow once after the time-out, and notifies the visitor', async () => {
    const { asked, id, visitor, path, history, say, findFlowSession } = await ask(SHORT);
    const events = await openEventStream(visitor, `${path}/events`);
    await asked;
    const { workflowId } = await waitForFlowWait(id);
    await waitUntil(async () => {
      await recover();
      return (await history()).length === 3;
    }, 'the flow to go on');
    const last = (await history()).at(-1)!;
    assert.deepEqual([last.content, last.input], ['Are you still there?', { kind: 'text', options: [] }]);
    assert.equal(await parley.temporal.workflow.getHandle(workflowId).result(), 'expired');
    let nextEvent = await events.next();
    while (nextEvent.event !== 'message') nextEvent = await events.next();
    assert.equal(nextEvent.data.message.id, last.id);
    events.close();
    assert.equal((await say('Yes')).content, 'So be it.');
    assert.equal((await findFlowSession())!.status, 'completed');
    assert.equal((await history()).length, 5);
  });

  it('ends when the visitor answers', async () => {
    const { asked, id, say, findFlowSession } = await ask(LONG);
    await asked;
    const { waitId } = (await findFlowSession())!;
    await waitForFlowWait(id);
    assert.equal((await say('1')).content, 'So be it.');
    assert.equal(await readWaitResult(id, waitId), 'answered');
  });

  itInSoak('ends without a message after the visitor has requested a handoff', async () => {
    const { asked, id, visitor, path, findFlowSession, history } = await ask(SHORT);
    await asked;
    const { waitId } = (await findFlowSession())!;
    await visitor.post(`${path}/handoff`, {});
    const before = (await history()).length;
    await waitUntil(async () => (await isStarted(id)) !== undefined, 'the workflow');
    assert.equal(await readWaitResult(id, waitId), 'over');
    assert.equal((await history()).length, before);
  });

  itInSoak('lets either the answer or the time-out win if both arrive at once', async () => {
    const { asked, id, say, findFlowSession, orgId, bot, history } = await ask(LONG);
    await asked;
    const { waitId } = (await findFlowSession())!;
    const wait = { orgId, botId: bot.id, conversationId: id, waitId: waitId!, waitMs: 0 };
    const expire = () => parley.runtime.services.conversations.flowWaits.expire(parley.database, wait);
    let isAnswered = false;
    const [answer, ...expired] = await Promise.all([
      say('1').finally(() => (isAnswered = true)),
      expire(),
      expire(),
      expire(),
      waitUntil(async () => {
        await recover();
        return isAnswered;
      }, 'an answer'),
    ]);
    const said = (await history()).map(({ content }) => content);
    const timesUp = expired.filter((each) => each === true).length;
    assert.equal(said.filter((content) => content === 'Are you still there?').length, timesUp);
    assert.ok(timesUp <= 1);
    assert.equal(answer.content, 'So be it.');
    assert.equal((await findFlowSession())!.status, 'completed');
  });

  async function isStarted(id: string): Promise<string | undefined> {
    const query = `ConversationId = "${id}" AND WorkflowType = "flowWait"`;
    for await (const { workflowId } of parley.temporal.workflow.list({ query })) return workflowId;
    return undefined;
  }

  /** Waits until the flow of this conversation has started its wait. */
  async function waitForFlowWait(id: string): Promise<{ workflowId: string; waitId: string }> {
    let workflowId: string | undefined;
    await waitUntil(async () => (workflowId = await isStarted(id)) !== undefined, 'the workflow');
    return { workflowId: workflowId!, waitId: workflowId!.split('/').at(-1)! };
  }
});
