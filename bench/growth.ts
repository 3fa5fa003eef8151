import { Client, Connection } from '@temporalio/client';
import { subtractCost, readCost } from './support/cost.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { pollWithin } from './support/poll-within.ts';
import { prepareBulkLoads } from './growth/bulk-load.ts';
import { chunks } from './growth/chunks.ts';
import { conversations } from './growth/conversations.ts';
import { deliveryLog } from './growth/delivery-log.ts';
import type { Dimension, GrowthScene, Probe } from './growth/dimension.ts';
import { endpoints } from './growth/endpoints.ts';
import { captureExecution, preparePlans, withPlans, type Execution } from './growth/plans.ts';
import { getBot, probes } from './growth/probes.ts';
import { CHUNKS_PER_DOCUMENT, indexTexts } from './growth/texts.ts';
import { workspaces } from './growth/workspaces.ts';
import { runOnWebhookScene } from './webhooks.ts';
import type { Scene } from './webhooks/scene.ts';
import { nameTaskQueues } from '../core/workflows/task-queues.ts';
import { createWorkspace } from './webhooks/workspace.ts';

const WARM_UP_SHARE = 0.2;
const READY_MS = 30_000;

/**
 * Measures the same operations at several sizes of an installation: median and p95 times, CPU time of all
 * processes, and query plans.
 */
export const growthBenches: Record<string, () => Promise<Figure[]>> = Object.fromEntries(
  Object.entries({ workspaces, endpoints, deliveries: deliveryLog, conversations, passages: chunks }).map(
    ([name, dimension]) => [`growth/${name}`, () => benchGrowth(dimension)],
  ),
);

function benchGrowth(dimension: Dimension): Promise<Figure[]> {
  return runOnWebhookScene({}, (scene) =>
    withGrowth(scene, (growthScene) => measure(growthScene, dimension)),
  );
}

async function withGrowth(scene: Scene, bench: (scene: GrowthScene) => Promise<Figure[]>): Promise<Figure[]> {
  const { environment } = scene.installation;
  const connection = await Connection.connect({ address: environment['TEMPORAL_ADDRESS']! });
  try {
    const temporal = new Client({ connection, namespace: environment['TEMPORAL_NAMESPACE'] ?? 'default' });
    const workspace = await createWorkspace(scene, 1);
    const neighbor = await createWorkspace(scene, 1);
    const taskQueue = nameTaskQueues(environment['PARLEY_TASK_QUEUE_PREFIX'] ?? 'parley').core;
    const growthScene = { ...scene, workspace, neighbor, temporal, taskQueue };
    await preparePlans(scene.installation);
    await prepareBulkLoads(scene.installation);
    await pollWithin(READY_MS, () =>
      getBot.run(growthScene).then(
        () => true,
        () => false,
      ),
    );
    await indexTexts(growthScene, CHUNKS_PER_DOCUMENT);
    return await bench(growthScene);
  } finally {
    await connection.close();
  }
}

async function measure(scene: GrowthScene, dimension: Dimension): Promise<Figure[]> {
  const { installation, db } = scene;
  const figures: Figure[] = [];
  const all = [...probes, ...dimension.probes];
  let previousSize = 0;
  for (const size of dimension.sizes) {
    const startedAt = performance.now();
    await dimension.grow(scene, previousSize, size);
    await db.sql('ANALYZE');
    previousSize = size;
    const grownAt = performance.now();
    const speeds: ProbeTimes[] = [];
    for (const probe of all) speeds.push(await measureSpeed(scene, probe));
    const executions: Execution[] = [];
    await withPlans(installation, async () => {
      for (const probe of all) {
        await probe.prepare?.(scene);
        executions.push(
          await captureExecution(installation, () => probe.run(scene), probe.includesQueues ?? false),
        );
      }
    });
    const seconds = (from: number, to: number) => roundTo((to - from) / 1000, 0);
    process.stderr.write(
      `${size} ${dimension.name}: there within ${seconds(startedAt, grownAt)} s, measured within ${seconds(grownAt, performance.now())} s.\n`,
    );
    all.forEach(({ name }, index) =>
      figures.push(
        ...toProbeFigures(`${dimension.name}, ${size}: ${name}`, speeds[index]!, executions[index]!),
      ),
    );
  }
  return figures;
}

interface ProbeTimes {
  times: number[];
  /** CPU time of the API, the worker and PostgreSQL for each call, in milliseconds. */
  cpuMs: number;
}

async function measureSpeed(scene: GrowthScene, probe: Probe): Promise<ProbeTimes> {
  const { installation, db } = scene;
  for (let call = 0; call < probe.calls * WARM_UP_SHARE; call += 1) {
    await probe.prepare?.(scene);
    await probe.run(scene);
  }
  const times: number[] = [];
  let cpuMs = 0;
  if (probe.prepare)
    for (let call = 0; call < probe.calls; call += 1) {
      await probe.prepare(scene);
      cpuMs += await measureCpu(scene, async () => void times.push(await probe.run(scene)));
    }
  else
    cpuMs = await measureCpu({ installation, db }, async () => {
      for (let call = 0; call < probe.calls; call += 1) times.push(await probe.run(scene));
    });
  return { times, cpuMs: cpuMs / probe.calls };
}

async function measureCpu(
  { installation, db }: Pick<GrowthScene, 'installation' | 'db'>,
  work: () => Promise<void>,
): Promise<number> {
  const before = await readCost(installation, db);
  await work();
  const { apiMs, workerMs, postgresMs } = subtractCost(before, await readCost(installation, db));
  return apiMs + workerMs + postgresMs;
}

function toProbeFigures(
  name: string,
  { times, cpuMs }: ProbeTimes,
  { plan, pages, statements }: Execution,
): Figure[] {
  const of = (what: string, value: number, unit = 'ms'): Figure => ({
    bench: 'growth',
    figure: `${name}: ${what}`,
    value: roundTo(value, 1),
    unit,
  });
  return [
    of('p50', median(times)),
    of('p95', percentile(times, 0.95)),
    of('CPU', cpuMs),
    of('statements', statements, ''),
    { ...of('pages', pages, '8 kB'), note: plan },
  ];
}
