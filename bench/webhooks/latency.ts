import { percentile, type Figure } from '../support/figure.ts';
import { until } from '../support/until.ts';
import { commitEvents } from './backlog.ts';
import { atMost, plain, untilDelivered, type Scene } from './scene.ts';
import { openAtRate, type OpenedSession } from './sessions.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const RATES = [50, 200];
const SECONDS = 10;
const WARM_UP = 200;
/** Events that both processes need to compile the code for such a rate. */
const FIRST_WARM_UP = 5000;
const HEALTHY_EVENTS = 200;
const TIMEOUT_MS = 30_000;

/** Measures from the API's response until the request arrives at the endpoint, in an open loop. */
export async function benchLatency(scene: Scene): Promise<Figure[]> {
  const figures: Figure[] = [];
  const first = await createWorkspace(scene, 1);
  await openAtRate(first.sessionsUrl, Math.max(...RATES), FIRST_WARM_UP);
  await untilDelivered(scene, first.endpoints, FIRST_WARM_UP, TIMEOUT_MS);
  for (const rate of RATES) {
    const workspace = await createWorkspace(scene, 1);
    const all = await openAtRate(workspace.sessionsUrl, rate, WARM_UP + rate * SECONDS);
    const { fromAnswer, fromRequest } = await latencies(scene, workspace, all, all.slice(WARM_UP));
    const run = `accept → receive at ${rate}/s`;
    figures.push(
      atMost(`${run}: p50`, percentile(fromAnswer, 0.5), 5, 'ms'),
      atMost(`${run}: p99`, percentile(fromAnswer, 0.99), 30, 'ms'),
      plain(`${run}: p50 from the API's request on`, percentile(fromRequest, 0.5), 'ms'),
      plain(`${run}: p99 from the API's request on`, percentile(fromRequest, 0.99), 'ms'),
    );
  }
  return figures;
}

/** Measures a workspace's deliveries while endpoints of another one never answer. */
export async function benchIsolation(scene: Scene): Promise<Figure[]> {
  return [...(await isolation(scene, 1, 1200)), ...(await isolation(scene, 150, 20))];
}

async function isolation(scene: Scene, endpointCount: number, events: number): Promise<Figure[]> {
  const { receiver, db } = scene;
  const hanging = await createWorkspace(scene, endpointCount);
  const healthy = await createWorkspace(scene, 1);
  const hooks = hanging.endpoints.map(({ hook }) => hook);
  for (const hook of hooks) await receiver.answerWith(hook, 'hang');
  await commitEvents(db, [hanging], events);
  await until(TIMEOUT_MS, async () =>
    (await receiver.summaries(hooks)).every(({ requests }) => requests > 0),
  );
  const all = await openAtRate(healthy.sessionsUrl, HEALTHY_EVENTS, HEALTHY_EVENTS);
  const { fromAnswer } = await latencies(scene, healthy, all, all);
  const p99 = percentile(fromAnswer, 0.99);
  const run = `beside ${events} events to ${endpointCount === 1 ? 'a hanging endpoint' : `${endpointCount} hanging endpoints`}`;
  return [
    plain(`${run}: p50`, percentile(fromAnswer, 0.5), 'ms'),
    endpointCount === 1 ? atMost(`${run}: p99`, p99, 500, 'ms') : plain(`${run}: p99`, p99, 'ms'),
  ];
}

export async function latencies(
  scene: Scene,
  { endpoints }: Workspace,
  opened: OpenedSession[],
  measured: OpenedSession[],
): Promise<{ fromAnswer: number[]; fromRequest: number[] }> {
  await untilDelivered(scene, endpoints, opened.length, TIMEOUT_MS);
  const { arrivals } = await scene.receiver.whole(endpoints[0]!.hook);
  const atMs = new Map(arrivals.map(({ conversationId, firstAtMs }) => [conversationId, firstAtMs]));
  return {
    fromAnswer: measured.map(({ id, answeredAtMs }) => (atMs.get(id) ?? Infinity) - answeredAtMs),
    fromRequest: measured.map(({ id, askedAtMs }) => (atMs.get(id) ?? Infinity) - askedAtMs),
  };
}
