import { Client, Connection } from '@temporalio/client';
import type { Figure } from '../support/figure.ts';
import { readWorkerPeakMegabytes } from '../support/installation.ts';
import { readMonotonicMs } from '../support/monotonic.ts';
import { pollWithin } from '../support/poll-within.ts';
import { commitEvents } from './backlog.ts';
import type { DeliveryArrival } from './receiver.ts';
import {
  buildMinWebhookFigure,
  buildMaxWebhookFigure,
  buildWebhookFigure,
  checkDeliveries,
  waitUntilDelivered,
  type Scene,
} from './scene.ts';
import { createWorkspace } from './workspace.ts';
import type { Endpoint } from './endpoint.ts';

const WORKSPACES = 10;
const ENDPOINTS_EACH = 10;
const EVENTS_EACH = 1000;
const TIMEOUT_MS = 240_000;
/** Pauses between the delivery attempts at a failing webhook endpoint, in seconds. */
const RETRY_SECONDS = 10;
const RUN = 'backlog of 100,000 to 100 endpoints';

export const failingEndpointsSettings = {
  webhookRetrySchedule: Array.from({ length: 20 }, () => RETRY_SECONDS).join(','),
};

/**
 * Measures deliveries to ten workspaces with ten webhook endpoints each, of which the first fails until the
 * other endpoints have received all deliveries.
 */
export async function benchFailingEndpoints(scene: Scene): Promise<Figure[]> {
  const { installation, db, receiver } = scene;
  const workspaces = [];
  for (let index = 0; index < WORKSPACES; index += 1) {
    workspaces.push(await createWorkspace(scene, ENDPOINTS_EACH));
  }
  const endpoints = workspaces.flatMap((workspace) => workspace.endpoints);
  const failing = workspaces.map((workspace) => workspace.endpoints[0]!);
  const healthy = endpoints.filter((endpoint) => !failing.includes(endpoint));
  for (const { hook } of failing) await receiver.answerWith(hook, 503);
  let startedAtMs = 0;
  await commitEvents(db, workspaces, EVENTS_EACH, async () => {
    startedAtMs = readMonotonicMs();
  });
  const drained = await waitUntilDelivered(scene, healthy, EVENTS_EACH, TIMEOUT_MS);
  const drainSeconds = (drained.lastAtMs - startedAtMs) / 1000;
  const workflows = await openWorkflowsByEndpoint(scene);
  const recovery = await recover(scene, failing[0]!);
  await Promise.all(failing.slice(1).map(({ hook }) => receiver.answerWith(hook, 200)));
  const all = await waitUntilDelivered(scene, endpoints, EVENTS_EACH, TIMEOUT_MS);
  return [
    buildMinWebhookFigure(
      `${RUN}, 10 failing: drained to the others`,
      drained.accepted / drainSeconds,
      2000,
      'deliveries/s',
    ),
    buildMaxWebhookFigure(
      `${RUN}: worker’s peak RSS`,
      readWorkerPeakMegabytes(installation) ?? NaN,
      400,
      'MB',
    ),
    buildMaxWebhookFigure(
      `${RUN}: open workflows of a failing endpoint`,
      Math.max(0, ...workflows),
      30,
      'workflows',
    ),
    buildWebhookFigure(`${RUN}: held of a failing endpoint`, recovery.held, 'deliveries'),
    buildMaxWebhookFigure(`${RUN}: held ones out after its first success`, recovery.seconds, 5, 's'),
    // Count repeated deliveries at the working endpoints, because a failing endpoint receives the same
    // delivery several times.
    ...(await checkDeliveries(scene, RUN, endpoints, endpoints.length * EVENTS_EACH, {
      ...all,
      repeated: drained.repeated,
    })),
  ];
}

/**
 * Lets a failing webhook endpoint succeed, and measures how fast it gets the deliveries that it had not
 * received before.
 */
async function recover({ receiver }: Scene, { hook }: Endpoint): Promise<{ held: number; seconds: number }> {
  await receiver.answerWith(hook, 200);
  const recoveredAtMs = readMonotonicMs();
  const isHeld = ({ firstAtMs }: DeliveryArrival) => firstAtMs > recoveredAtMs;
  const isDone = async () => (await receiver.readSummaries([hook]))[0]!.accepted >= EVENTS_EACH;
  await pollWithin(TIMEOUT_MS, isDone);
  const { arrivals } = await receiver.readHook(hook);
  const acceptedAtMs = (arrival: DeliveryArrival) => arrival.acceptedAtMs ?? Infinity;
  const heldArrivals = arrivals.filter(isHeld);
  const firstSuccess = Math.min(...arrivals.map(acceptedAtMs));
  const lastHeld = Math.max(...heldArrivals.map(acceptedAtMs), firstSuccess);
  return { held: heldArrivals.length, seconds: (lastHeld - firstSuccess) / 1000 };
}

/** Counts the running delivery workflows of each webhook endpoint by their ids, which need no search attribute. */
async function openWorkflowsByEndpoint({ installation, db }: Scene): Promise<number[]> {
  const connection = await Connection.connect({ address: installation.environment['TEMPORAL_ADDRESS']! });
  const deliveries: string[] = [];
  try {
    const query = "WorkflowType = 'webhookDelivery' AND ExecutionStatus = 'Running'";
    for await (const { workflowId } of new Client({ connection }).workflow.list({ query })) {
      deliveries.push(workflowId.split('/').at(-1)!);
    }
  } finally {
    await connection.close();
  }
  const rows = await db.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_deliveries WHERE id = ANY($1) GROUP BY webhook_id',
    [deliveries],
  );
  return rows.map(({ count }) => count);
}
