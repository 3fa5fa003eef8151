import { subtractCost, readCost, type Cost } from '../support/cost.ts';
import { percentile, type Figure } from '../support/figure.ts';
import { countExecutedStatements } from '../support/statements.ts';
import { computeLatencies } from './latency.ts';
import {
  buildMaxWebhookFigure,
  buildWebhookFigure,
  checkDeliveries,
  waitUntilDelivered,
  type Scene,
} from './scene.ts';
import { openAtRate } from './sessions.ts';
import { createWorkspace } from './workspace.ts';

const RATE = 50;
const EVENTS = 1000;
const COUNTED = 200;
/** Rate a second and number of events after which the API and the worker have compiled most of the code. */
const WARM_UP = { rate: 200, events: 3000 };
const TIMEOUT_MS = 30_000;
const RUN = `${RATE} events a second`;

/**
 * Measures webhooks under the everyday load of a small installation: each event comes alone, so that it
 * shares its cost with no other.
 */
export async function benchSteady(scene: Scene): Promise<Figure[]> {
  const { installation, db, receiver } = scene;
  const first = await createWorkspace(scene, 1);
  await openAtRate(first.sessionsUrl, WARM_UP.rate, WARM_UP.events);
  await waitUntilDelivered(scene, first.endpoints, WARM_UP.events, TIMEOUT_MS);
  const workspace = await createWorkspace(scene, 1);
  const readSideCosts = () => ({ load: process.cpuUsage(), receiverMs: receiver.readCpuMs() });
  const sides = readSideCosts();
  const before = await readCost(installation, db);
  const opened = await openAtRate(workspace.sessionsUrl, RATE, EVENTS);
  const delivered = await waitUntilDelivered(scene, workspace.endpoints, EVENTS, TIMEOUT_MS);
  const cost = subtractCost(before, await readCost(installation, db));
  const load = process.cpuUsage(sides.load);
  const { fromAnswer, fromRequest } = await computeLatencies(scene, workspace, opened, opened);
  const statements = await countExecutedStatements(installation, db, async () => {
    const counted = await createWorkspace(scene, 1);
    await openAtRate(counted.sessionsUrl, RATE, COUNTED);
    await waitUntilDelivered(scene, counted.endpoints, COUNTED, TIMEOUT_MS);
  });
  const each = (figure: string, value: number, unit: string) =>
    buildWebhookFigure(`${RUN}: ${figure}`, value / EVENTS, unit);
  return [
    buildMaxWebhookFigure(`${RUN}: accept → receive, p50`, percentile(fromAnswer, 0.5), 2, 'ms'),
    buildMaxWebhookFigure(`${RUN}: accept → receive, p99`, percentile(fromAnswer, 0.99), 10, 'ms'),
    buildWebhookFigure(`${RUN}: p50 from the API's request on`, percentile(fromRequest, 0.5), 'ms'),
    buildWebhookFigure(`${RUN}: p99 from the API's request on`, percentile(fromRequest, 0.99), 'ms'),
    ...toSteadyCostFigures(cost),
    each('CPU of the load', (load.user + load.system) / 1000, 'ms'),
    each('CPU of the receiver', receiver.readCpuMs() - sides.receiverMs, 'ms'),
    buildWebhookFigure(
      `${RUN}: statements`,
      [...statements.values()].reduce((sum, n) => sum + n, 0) / COUNTED,
      'each',
    ),
    ...(await checkDeliveries(scene, RUN, workspace.endpoints, EVENTS, delivered)),
  ];
}

function toSteadyCostFigures({ apiMs, workerMs, postgresMs, temporalMs, ...rest }: Cost): Figure[] {
  const each = (figure: string, value: number, unit: string) =>
    buildWebhookFigure(`${RUN}: ${figure}`, value / EVENTS, unit);
  return [
    buildMaxWebhookFigure(`${RUN}: CPU in all`, (apiMs + workerMs + postgresMs) / EVENTS, 5.8, 'ms'),
    each('CPU of the API', apiMs, 'ms'),
    each('CPU of the worker', workerMs, 'ms'),
    each('CPU of PostgreSQL', postgresMs, 'ms'),
    each('CPU of Temporal', temporalMs, 'ms'),
    each('WAL', rest.walBytes, 'bytes'),
    each('commits', rest.commits, 'each'),
    each('writes of the log that waited for the disk', rest.walSyncs, 'each'),
    each('wake-ups of the API', rest.apiWakeUps, 'each'),
    each('wake-ups of the worker', rest.workerWakeUps, 'each'),
  ];
}
