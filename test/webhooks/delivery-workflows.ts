import type { WorkflowHandle } from '@temporalio/client';
import { webhookDeliveryWorkflowId } from '../../core/workflows/commands.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { SharedParleyWithWorker } from '../support/worker.ts';

/** Fields of a webhook delivery that these tests read. */
export interface Delivery {
  id: string;
  status: string;
  attempts: number;
  reason: string | null;
  response_body: string | null;
  replay_of_id: string | null;
  next_attempt_at: string | null;
}

export async function listDeliveries({ client }: TestOrg, query = ''): Promise<Delivery[]> {
  const { body } = await client.get(`/api/webhooks/deliveries?page_size=100${query}`);
  return body.items as Delivery[];
}

/** Waits for a webhook delivery that satisfies `isReady`. */
export async function waitForDeliveryThat(
  org: TestOrg,
  isReady: (each: Delivery) => boolean,
): Promise<Delivery> {
  let found: Delivery | undefined;
  await waitUntil(
    async () => (found = (await listDeliveries(org)).find(isReady)) !== undefined,
    'the delivery',
  );
  return found!;
}

/** Waits for the workflow of a webhook delivery. */
export async function waitForDeliveryWorkflow(
  { temporal }: SharedParleyWithWorker,
  { id }: Pick<Delivery, 'id'>,
): Promise<WorkflowHandle> {
  const handle = temporal.workflow.getHandle(webhookDeliveryWorkflowId(id));
  const hasStarted = () =>
    handle.describe().then(
      () => true,
      () => false,
    );
  await waitUntil(hasStarted, 'the workflow');
  return handle;
}
