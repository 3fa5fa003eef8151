import { percentile, type Figure } from '../support/figure.ts';
import { pollWithin } from '../support/poll-within.ts';
import { commitEvents } from './backlog.ts';
import { buildMaxWebhookFigure, buildWebhookFigure, waitUntilDelivered, type Scene } from './scene.ts';
import { openAtRate, type OpenedSession } from './sessions.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const RATES = [50, 200];
const SECONDS = 10;
const WARM_UP = 200;
/** Number of events after which the API and the worker have compiled the code for the highest measured rate. */
const FIRST_WARM_UP = 5000;
const HEALTHY_EVENTS = 200;
const TIMEOUT_MS = 30_000;

/**
 * Measures the time from the API's response until the webhook arrives at the endpoint. Requests start at a
 * fixed rate, whether responses arrive or not.
 */
export async function benchLatency(scene: Scene): Promise<Figure[]> {
  const figures: Figure[] = [];
  const first = await createWorkspace(scene, 1);
  await openAtRate(first.sessionsUrl, Math.max(...RATES), FIRST_WARM_UP);
  await waitUntilDelivered(scene, first.endpoints, FIRST_WARM_UP, TIMEOUT_MS);
  for (const rate of RATES) {
    const workspace = await createWorkspace(scene, 1);
    const all = await openAtRate(workspace.sessionsUrl, rate, WARM_UP + rate * SECONDS);
    const { fromAnswer, fromRequest } = await computeLatencies(scene, workspace, all, all.slice(WARM_UP));
    const run = `accept → receive at ${rate}/s`;
    figures.push(
      buildMaxWebhookFigure(`${run}: p50`, percentile(fromAnswer, 0.5), 5, 'ms'),
      buildMaxWebhookFigure(`${run}: p99`, percentile(fromAnswer, 0.99), 30, 'ms'),
      buildWebhookFigure(`${run}: p50 from the API's request on`, percentile(fromRequest, 0.5), 'ms'),
      buildWebhookFigure(`${run}: p99 from the API's request on`, percentile(fromRequest, 0.99), 'ms'),
    );
  }
  return figures;
}

/** Measures webhook deliveries of a workspace while endpoints of another workspace never respond. */
export async function benchIsolation(scene: Scene): Promise<Figure[]> {
  return [...(await measureIsolation(scene, 1, 1200)), ...(await measureIsolation(scene, 50, 60))];
}

async function measureIsolation(scene: Scene, endpointCount: number, events: number): Promise<Figure[]> {
  const { receiver, db } = scene;
  const hanging = await createWorkspace(scene, endpointCount);
  const healthy = await createWorkspace(scene, 1);
  const hooks = hanging.endpoints.map(({ hook }) => hook);
  for (const hook of hooks) await receiver.answerWith(hook, 'hang');
  await commitEvents(db, [hanging], events);
  await pollWithin(TIMEOUT_MS, async () =>
    (await receiver.readSummaries(hooks)).every(({ requests }) => requests > 0),
  );
  const all = await openAtRate(healthy.sessionsUrl, HEALTHY_EVENTS, HEALTHY_EVENTS);
  const { fromAnswer } = await computeLatencies(scene, healthy, all, all);
  const p99 = percentile(fromAnswer, 0.99);
  const run = `beside ${events} events to ${endpointCount === 1 ? 'a hanging endpoint' : `${endpointCount} hanging endpoints`}`;
  return [
    buildWebhookFigure(`${run}: p50`, percentile(fromAnswer, 0.5), 'ms'),
    endpointCount === 1
      ? buildMaxWebhookFigure(`${run}: p99`, p99, 500, 'ms')
      : buildWebhookFigure(`${run}: p99`, p99, 'ms'),
  ];
}

export async function computeLatencies(
  scene: Scene,
  { endpoints }: Workspace,
  opened: OpenedSession[],
  measured: OpenedSession[],
): Promise<{ fromAnswer: number[]; fromRequest: number[] }> {
  await waitUntilDelivered(scene, endpoints, opened.length, TIMEOUT_MS);
  const { arrivals } = await scene.receiver.readHook(endpoints[0]!.hook);
  const atMs = new Map(arrivals.map(({ conversationId, firstAtMs }) => [conversationId, firstAtMs]));
  return {
    fromAnswer: measured.map(({ id, answeredAtMs }) => (atMs.get(id) ?? Infinity) - answeredAtMs),
    fromRequest: measured.map(({ id, askedAtMs }) => (atMs.get(id) ?? Infinity) - askedAtMs),
  };
}
