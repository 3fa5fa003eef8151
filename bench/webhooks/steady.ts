import { costBetween, costSoFar, type Cost } from '../support/cost.ts';
import { percentile, type Figure } from '../support/figure.ts';
import { statementsDuring } from '../support/statements.ts';
import { latencies } from './latency.ts';
import { atMost, plain, soundness, untilDelivered, type Scene } from './scene.ts';
import { openAtRate } from './sessions.ts';
import { createWorkspace } from './workspace.ts';

const RATE = 50;
const EVENTS = 1000;
const COUNTED = 200;
/** Load that both processes need to compile most of the code. */
const WARM_UP = { rate: 200, events: 3000 };
const TIMEOUT_MS = 30_000;
const RUN = `${RATE} events a second`;

/** Measures the everyday load of a small installation: each event comes alone, so that no batch shares its cost. */
export async function benchSteady(scene: Scene): Promise<Figure[]> {
  const { installation, db, receiver } = scene;
  const first = await createWorkspace(scene, 1);
  await openAtRate(first.sessionsUrl, WARM_UP.rate, WARM_UP.events);
  await untilDelivered(scene, first.endpoints, WARM_UP.events, TIMEOUT_MS);
  const workspace = await createWorkspace(scene, 1);
  const atSides = () => ({ load: process.cpuUsage(), receiverMs: receiver.cpuMs() });
  const sides = atSides();
  const before = await costSoFar(installation, db);
  const opened = await openAtRate(workspace.sessionsUrl, RATE, EVENTS);
  const delivered = await untilDelivered(scene, workspace.endpoints, EVENTS, TIMEOUT_MS);
  const cost = costBetween(before, await costSoFar(installation, db));
  const load = process.cpuUsage(sides.load);
  const { fromAnswer, fromRequest } = await latencies(scene, workspace, opened, opened);
  const statements = await statementsDuring(installation, db, async () => {
    const counted = await createWorkspace(scene, 1);
    await openAtRate(counted.sessionsUrl, RATE, COUNTED);
    await untilDelivered(scene, counted.endpoints, COUNTED, TIMEOUT_MS);
  });
  const each = (figure: string, value: number, unit: string) =>
    plain(`${RUN}: ${figure}`, value / EVENTS, unit);
  return [
    atMost(`${RUN}: accept → receive, p50`, percentile(fromAnswer, 0.5), 2, 'ms'),
    atMost(`${RUN}: accept → receive, p99`, percentile(fromAnswer, 0.99), 10, 'ms'),
    plain(`${RUN}: p50 from the API's request on`, percentile(fromRequest, 0.5), 'ms'),
    plain(`${RUN}: p99 from the API's request on`, percentile(fromRequest, 0.99), 'ms'),
    ...costFigures(cost),
    each('CPU of the load', (load.user + load.system) / 1000, 'ms'),
    each('CPU of the receiver', receiver.cpuMs() - sides.receiverMs, 'ms'),
    plain(`${RUN}: statements`, [...statements.values()].reduce((sum, n) => sum + n, 0) / COUNTED, 'each'),
    ...(await soundness(scene, RUN, workspace.endpoints, EVENTS, delivered)),
  ];
}

function costFigures({ apiMs, workerMs, postgresMs, temporalMs, ...rest }: Cost): Figure[] {
  const each = (figure: string, value: number, unit: string) =>
    plain(`${RUN}: ${figure}`, value / EVENTS, unit);
  return [
    atMost(`${RUN}: CPU in all`, (apiMs + workerMs + postgresMs) / EVENTS, 5.8, 'ms'),
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
