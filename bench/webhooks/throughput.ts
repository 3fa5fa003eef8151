import type { Database } from '../../database/database.ts';
import { subtractCost, readCost, type Cost } from '../support/cost.ts';
import type { Figure } from '../support/figure.ts';
import { load } from '../support/load.ts';
import { readMonotonicMs } from '../support/monotonic.ts';
import { countExecutedStatements } from '../support/statements.ts';
import { commitEvents } from './backlog.ts';
import {
  buildMinWebhookFigure,
  buildMaxWebhookFigure,
  buildWebhookFigure,
  checkDeliveries,
  waitUntilDelivered,
  type Scene,
} from './scene.ts';
import { sessionRequest } from './sessions.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const DELIVERIES = 20_000;
const WARM_UP = 2000;
const COUNTED = 2000;
const TIMEOUT_MS = 120_000;

/** Callback that runs when the measurement starts, with a database connection to read counters. */
type OnStart = (db: Database) => Promise<void>;

interface Throughput {
  run: string;
  endpoints: number;
  perSecond: number;
  cpuMs: number;
  /** Causes the given number of webhook events in the workspace. */
  emit(scene: Scene, workspace: Workspace, events: number, onStart: OnStart): Promise<void>;
}

const fanOutThroughApi: Throughput = {
  run: 'fan-out to 10 endpoints, accepted by startWidgetSession',
  endpoints: 10,
  perSecond: 4000,
  cpuMs: 0.45,
  emit: openSessions,
};

const throughputs: readonly Throughput[] = [
  { run: 'accepted by startWidgetSession', endpoints: 1, perSecond: 1000, cpuMs: 1.15, emit: openSessions },
  { run: 'backlog to 1 endpoint', endpoints: 1, perSecond: 2500, cpuMs: 0.7, emit: commitBacklog },
  { run: 'fan-out to 10 endpoints', endpoints: 10, perSecond: 3500, cpuMs: 0.45, emit: commitBacklog },
];

/** Measures webhook deliveries a second and the cost of each. */
export async function benchThroughput(scene: Scene): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const throughput of throughputs) figures.push(...(await measure(scene, throughput)));
  return figures;
}

/**
 * Measures webhook deliveries of sessions that 32 callers open, each caller one after the other. Each session
 * causes an event for ten endpoints.
 */
export function benchFanOut(scene: Scene): Promise<Figure[]> {
  return measure(scene, fanOutThroughApi);
}

async function measure(scene: Scene, throughput: Throughput): Promise<Figure[]> {
  const { run, endpoints, perSecond, cpuMs, emit } = throughput;
  await emitAndWait(scene, throughput, WARM_UP);
  const workspace = await createWorkspace(scene, endpoints);
  let startedAtMs = 0;
  let before: Cost | undefined;
  await emit(scene, workspace, DELIVERIES / endpoints, async (db) => {
    before = await readCost(scene.installation, db);
    startedAtMs = readMonotonicMs();
  });
  const delivered = await waitUntilDelivered(scene, workspace.endpoints, DELIVERIES / endpoints, TIMEOUT_MS);
  const cost = subtractCost(before!, await readCost(scene.installation, scene.db));
  const statements = await countExecutedStatements(scene.installation, scene.db, () =>
    emitAndWait(scene, throughput, COUNTED),
  );
  const seconds = (delivered.lastAtMs - startedAtMs) / 1000;
  return [
    buildMinWebhookFigure(run, delivered.accepted / seconds, perSecond, 'deliveries/s'),
    ...toCostFigures(run, cost, cpuMs),
    buildWebhookFigure(`${run}: statements a delivery`, sum(statements.values()) / COUNTED, 'statements'),
    ...(await checkDeliveries(scene, run, workspace.endpoints, DELIVERIES, delivered)),
  ];
}

function toCostFigures(
  run: string,
  { apiMs, workerMs, postgresMs, walBytes, commits }: Cost,
  limitMs: number,
) {
  const each = (figure: string, value: number, unit: string) =>
    buildWebhookFigure(`${run}: ${figure}`, value / DELIVERIES, unit, 3);
  const total = (apiMs + workerMs + postgresMs) / DELIVERIES;
  return [
    buildMaxWebhookFigure(`${run}: CPU a delivery`, total, limitMs, 'ms'),
    each('CPU a delivery, API', apiMs, 'ms'),
    each('CPU a delivery, worker', workerMs, 'ms'),
    each('CPU a delivery, PostgreSQL', postgresMs, 'ms'),
    each('WAL a delivery', walBytes, 'bytes'),
    each('commits a delivery', commits, 'commits'),
  ];
}

async function emitAndWait(scene: Scene, { endpoints, emit }: Throughput, deliveries: number) {
  const workspace = await createWorkspace(scene, endpoints);
  await emit(scene, workspace, deliveries / endpoints, async () => {});
  await waitUntilDelivered(scene, workspace.endpoints, deliveries / endpoints, TIMEOUT_MS);
}

async function openSessions(
  { db }: Scene,
  { sessionsUrl }: Workspace,
  events: number,
  onStart: OnStart,
): Promise<void> {
  await onStart(db);
  const { failures } = await load(sessionsUrl, { requests: events }, sessionRequest);
  if (failures > 0) throw new Error(`${failures} sessions were refused.`);
}

async function commitBacklog(
  { db }: Scene,
  workspace: Workspace,
  events: number,
  onStart: OnStart,
): Promise<void> {
  await commitEvents(db, [workspace], events, onStart);
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}
