import { Agent } from 'node:http';
import { newId } from '../../core/ids.ts';
import { until } from '../support/until.ts';
import { hasPending } from '../webhooks/scene.ts';
import { openSession } from '../webhooks/sessions.ts';
import { request, timed, type GrowthScene, type Probe } from './dimension.ts';

const agent = new Agent({ keepAlive: true });
const TIMEOUT_MS = 30_000;

export const getBot = request('getBot', ({ workspace }) => `/api/bots/${workspace.botId}`);

export const startSession: Probe = {
  name: 'startWidgetSession',
  calls: 60,
  run: async ({ workspace }) => {
    const { askedAtMs, answeredAtMs } = await openSession(workspace.sessionsUrl, agent);
    return answeredAtMs - askedAtMs;
  },
};

/** From the API's answer until all endpoints that want the event have accepted it. */
export const eventToDelivery: Probe = {
  name: 'event to delivery',
  calls: 20,
  run: async ({ workspace: { endpoints, sessionsUrl }, receiver, db }) => {
    const hooks = endpoints.map(({ hook }) => hook);
    const ids = endpoints.map(({ id }) => id);
    await until(TIMEOUT_MS, async () => !(await hasPending(db, ids)));
    const before = await receiver.summaries(hooks);
    const { answeredAtMs } = await openSession(sessionsUrl, agent);
    let after = before;
    await until(TIMEOUT_MS, async () => {
      after = await receiver.summaries(hooks);
      return after.every(({ accepted }, index) => accepted > before[index]!.accepted);
    });
    return Math.max(...after.map(({ lastAcceptedAtMs }) => lastAcceptedAtMs)) - answeredAtMs;
  },
};

export const inboxPage = request('listInbox', () => '/api/inbox?page_size=20');

/** A workflow of the house, as its schedule starts it; with nothing to do it costs what looking costs. */
function housework(name: string): Probe {
  return {
    name,
    calls: 3,
    run: ({ temporal, taskQueue }: GrowthScene) =>
      timed(() => temporal.workflow.execute(name, { taskQueue, workflowId: `bench/${name}/${newId()}` })),
  };
}

export const sweeps = [
  'sweepConversations',
  'sweepDeliveries',
  'sweepDocuments',
  'sweepNotices',
  'purgeExpired',
].map(housework);
