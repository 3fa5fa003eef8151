import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import type { Figure } from './support/figure.ts';
import { startInstallation } from './support/installation.ts';
import { benchFailingEndpoints, failingEndpointsSettings } from './webhooks/failing-endpoints.ts';
import { benchIsolation, benchLatency } from './webhooks/latency.ts';
import { startReceiver } from './webhooks/receiver.ts';
import type { Scene } from './webhooks/scene.ts';
import { benchSteady } from './webhooks/steady.ts';
import { benchFanOut, benchThroughput } from './webhooks/throughput.ts';
import type { TestSettings } from '../test/support/test-settings.ts';

/**
 * Benches of webhooks, from an event, or the request that causes it, to the workspace's endpoints. Each bench
 * starts a separate Parley.
 */
export const webhookBenches: Record<string, () => Promise<Figure[]>> = {
  'webhooks/steady': () => runOnWebhookScene({}, benchSteady),
  'webhooks/fan-out': () => runOnWebhookScene({}, benchFanOut),
  'webhooks/latency': () => runOnWebhookScene({}, benchLatency),
  'webhooks/throughput': () => runOnWebhookScene({}, benchThroughput),
  'webhooks/isolation': () => runOnWebhookScene({}, benchIsolation),
  'webhooks/failing': () => runOnWebhookScene(failingEndpointsSettings, benchFailingEndpoints),
};

/** Runs `bench` on a separate Parley, with a server that receives webhooks in a separate process. */
export async function runOnWebhookScene(
  env: TestSettings,
  bench: (scene: Scene) => Promise<Figure[]>,
): Promise<Figure[]> {
  const receiver = await startReceiver();
  try {
    const installation = await startInstallation(env);
    const { databaseUrl } = installation;
    const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
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
