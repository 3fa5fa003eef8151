import type { WorkflowHandle } from '@temporalio/client';
import { webhookDeliveryWorkflowId } from '../../core/workflows/commands.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { SharedParleyWithWorker } from '../support/worker.ts';

/** What the tests read of it. */
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

/** The first one that is ready, once there is one. */
export async function deliveryThat(org: TestOrg, isReady: (each: Delivery) => boolean): Promise<Delivery> {
  let found: Delivery | undefined;
  await waitUntil(
    async () => (found = (await listDeliveries(org)).find(isReady)) !== undefined,
    'the delivery',
  );
  return found!;
}

/** Its workflow, once that is there. */
export async function deliveryWorkflow(
  { temporal }: SharedParleyWithWorker,
  { id }: Pick<Delivery, 'id'>,
): Promise<WorkflowHandle> {
  const handle = temporal.workflow.getHandle(webhookDeliveryWorkflowId(id));
  const isThere = () =>
    handle.describe().then(
      () => true,
      () => false,
    );
  await waitUntil(isThere, 'the workflow');
  return handle;
}
