import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../entities/database.ts';
import type { Figure } from './support/figure.ts';
import { startInstallation } from './support/installation.ts';
import { benchFailingEndpoints, failingEndpointsSettings } from './webhooks/failing-endpoints.ts';
import { benchIsolation, benchLatency } from './webhooks/latency.ts';
import { startReceiver } from './webhooks/receiver.ts';
import type { Scene } from './webhooks/scene.ts';
import { benchThroughput } from './webhooks/throughput.ts';

/** From an event, or the request that makes it happen, to the endpoints of its workspace. */
export async function benchWebhooks(): Promise<Figure[]> {
  return [
    ...(await onScene({}, async (scene) => [
      // First, while PostgreSQL has nothing to tidy up after a load.
      ...(await benchLatency(scene)),
      ...(await benchThroughput(scene)),
      ...(await benchIsolation(scene)),
    ])),
    ...(await onScene(failingEndpointsSettings, benchFailingEndpoints)),
  ];
}

async function onScene(
  env: Record<string, string>,
  bench: (scene: Scene) => Promise<Figure[]>,
): Promise<Figure[]> {
  const receiver = await startReceiver();
  try {
    const installation = await startInstallation(env);
    const { databaseUrl } = installation;
    const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }).initialize();
    try {
      return await bench({ installation, db: new Database(dataSource), receiver });
    } finally {
      await dataSource.destroy();
      await installation.stop();
    }
  } finally {
    receiver.stop();
  }
}
