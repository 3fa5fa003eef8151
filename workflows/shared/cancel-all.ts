import { getExternalWorkflowHandle } from '@temporalio/workflow';

/** Asks workflows to end; those that have ended already, or never ran, are no problem. */
export async function cancelAll(workflowIds: string[]): Promise<void> {
  await Promise.allSettled(workflowIds.map((id) => getExternalWorkflowHandle(id).cancel()));
}
