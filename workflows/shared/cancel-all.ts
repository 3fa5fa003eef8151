import { getExternalWorkflowHandle } from '@temporalio/workflow';

/** Cancels Temporal workflows; ignores those that have ended or never ran. */
export async function cancelAll(workflowIds: string[]): Promise<void> {
  await Promise.allSettled(workflowIds.map((id) => getExternalWorkflowHandle(id).cancel()));
}
