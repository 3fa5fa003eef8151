import { Agent } from 'node:http';
import { newId } from '../../core/ids.ts';
import { pollWithin } from '../support/poll-within.ts';
import { hasPending } from '../webhooks/scene.ts';
import { openSession } from '../webhooks/sessions.ts';
import { createRequestProbe, measureMs, type GrowthScene, type Probe } from './dimension.ts';
import { purges } from './purges.ts';
import { pickQuestion } from './texts.ts';

const agent = new Agent({ keepAlive: true });
const TIMEOUT_MS = 30_000;

export const getBot = createRequestProbe('getBot', ({ workspace }) => `/api/bots/${workspace.botId}`);

const startSession: Probe = {
  name: 'startWidgetSession',
  calls: 60,
  run: async ({ workspace }) => {
    const { askedAtMs, answeredAtMs } = await openSession(workspace.sessionsUrl, agent);
    return answeredAtMs - askedAtMs;
  },
};

/** Measures the time from the API's response until all subscribed webhook endpoints have accepted the event. */
const eventToDelivery: Probe = {
  name: 'event to delivery',
  calls: 15,
  includesQueues: true,
  prepare: async ({ workspace: { endpoints }, db }) => {
    const ids = endpoints.map(({ id }) => id);
    await pollWithin(TIMEOUT_MS, async () => !(await hasPending(db, ids)));
  },
  run: async ({ workspace: { endpoints, sessionsUrl }, receiver }) => {
    const hooks = endpoints.map(({ hook }) => hook);
    const before = await receiver.readSummaries(hooks);
    const { answeredAtMs } = await openSession(sessionsUrl, agent);
    let after = before;
    const hasArrived = await pollWithin(TIMEOUT_MS, async () => {
      after = await receiver.readSummaries(hooks);
      return after.every(({ accepted }, index) => accepted > before[index]!.accepted);
    });
    if (!hasArrived) throw new Error('An event did not reach all endpoints.');
    return Math.max(...after.map(({ lastAcceptedAtMs }) => lastAcceptedAtMs)) - answeredAtMs;
  },
};

/**
 * Builds a probe (a measured operation) that runs a scheduled workflow. A run that finds no work costs as
 * much as its queries.
 */
function createWorkflowProbe(name: string): Probe {
  return {
    name,
    calls: 3,
    run: ({ temporal, taskQueue }: GrowthScene) =>
      measureMs(() => temporal.workflow.execute(name, { taskQueue, workflowId: `bench/${name}/${newId()}` })),
  };
}

/** Probes (measured operations) that all dimensions have. */
export const probes: readonly Probe[] = [
  getBot,
  startSession,
  eventToDelivery,
  createRequestProbe('listInbox', () => '/api/inbox?page_size=20'),
  createRequestProbe(
    'listConversations status=waiting_human',
    () => '/api/conversations?page_size=20&status=waiting_human',
    {
      calls: 40,
    },
  ),
  createRequestProbe('listConversations q', () => '/api/conversations?page_size=20&q=order%2077123', {
    calls: 40,
  }),
  createRequestProbe(
    'listDeliveries status=failed',
    () => '/api/webhooks/deliveries?page_size=20&status=failed',
    {
      calls: 40,
    },
  ),
  createRequestProbe('searchKnowledge', ({ workspace }) => `/api/bots/${workspace.botId}/knowledge/search`, {
    method: 'POST',
    body: (call) => ({ query: pickQuestion(call) }),
    calls: 100,
  }),
  ...['sweepConversations', 'sweepDeliveries', 'sweepDocuments', 'sweepNotices', 'purgeExpired'].map(
    createWorkflowProbe,
  ),
  ...purges,
];
