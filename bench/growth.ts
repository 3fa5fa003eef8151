import { Client, Connection } from '@temporalio/client';
import { costBetween, costSoFar } from './support/cost.ts';
import { median, percentile, rounded, type Figure } from './support/figure.ts';
import { until } from './support/until.ts';
import { chunks } from './growth/chunks.ts';
import { conversations } from './growth/conversations.ts';
import { deliveryLog } from './growth/delivery-log.ts';
import type { Dimension, GrowthScene, Probe } from './growth/dimension.ts';
import { endpoints } from './growth/endpoints.ts';
import { planOf, preparePlans } from './growth/plans.ts';
import { getBot } from './growth/probes.ts';
import { workspaces } from './growth/workspaces.ts';
import { onScene } from './webhooks.ts';
import type { Scene } from './webhooks/scene.ts';
import { taskQueuesOf } from '../workflows/shared/task-queues.ts';
import { createWorkspace } from './webhooks/workspace.ts';

const WARM_UP_SHARE = 0.2;
const READY_MS = 30_000;

/** What the same acts cost as an installation comes to hold more: p50, p95, CPU of all processes, and the plan. */
export const growthBenches: Record<string, () => Promise<Figure[]>> = Object.fromEntries(
  Object.entries({ workspaces, endpoints, deliveries: deliveryLog, conversations, passages: chunks }).map(
    ([name, dimension]) => [`growth/${name}`, () => benchGrowth(dimension)],
  ),
);

function benchGrowth(dimension: Dimension): Promise<Figure[]> {
  return onScene({}, (scene) => withGrowth(scene, (inside) => measure(inside, dimension)));
}

async function withGrowth(scene: Scene, bench: (scene: GrowthScene) => Promise<Figure[]>): Promise<Figure[]> {
  const { environment } = scene.installation;
  const connection = await Connection.connect({ address: environment['TEMPORAL_ADDRESS']! });
  try {
    const temporal = new Client({ connection, namespace: environment['TEMPORAL_NAMESPACE'] ?? 'default' });
    const workspace = await createWorkspace(scene, 1);
    const neighbour = await createWorkspace(scene, 1);
    const taskQueue = taskQueuesOf(environment['PARLEY_TASK_QUEUE_PREFIX'] ?? 'parley').core;
    const inside = { ...scene, workspace, neighbour, temporal, taskQueue };
    await preparePlans(scene.installation);
    await until(READY_MS, () =>
      getBot.run(inside).then(
        () => true,
        () => false,
      ),
    );
    return await bench(inside);
  } finally {
    await connection.close();
  }
}

async function measure(scene: GrowthScene, dimension: Dimension): Promise<Figure[]> {
  const figures: Figure[] = [];
  let held = 0;
  for (const size of dimension.sizes) {
    const startedAt = performance.now();
    await dimension.grow(scene, held, size);
    await scene.db.sql('ANALYZE');
    held = size;
    const seconds = rounded((performance.now() - startedAt) / 1000, 0);
    process.stderr.write(`${size} ${dimension.name} are there, ${seconds} s later.\n`);
    for (const probe of dimension.probes) {
      figures.push(...(await measureProbe(scene, probe, { name: dimension.name, size })));
    }
  }
  return figures;
}

async function measureProbe(
  scene: GrowthScene,
  probe: Probe,
  { name, size }: { name: string; size: number },
): Promise<Figure[]> {
  const { installation, db } = scene;
  for (let call = 0; call < probe.calls * WARM_UP_SHARE; call += 1) await probe.run(scene);
  const before = await costSoFar(installation, db);
  const times: number[] = [];
  for (let call = 0; call < probe.calls; call += 1) times.push(await probe.run(scene));
  const { apiMs, workerMs, postgresMs } = costBetween(before, await costSoFar(installation, db));
  const plan = await planOf(installation, () => probe.run(scene));
  const of = (what: string, value: number): Figure => ({
    bench: 'growth',
    figure: `${name}, ${size}: ${probe.name}: ${what}`,
    value: rounded(value, 1),
    unit: 'ms',
  });
  return [
    of('p50', median(times)),
    of('p95', percentile(times, 0.95)),
    { ...of('CPU', (apiMs + workerMs + postgresMs) / probe.calls), note: plan },
  ];
}
