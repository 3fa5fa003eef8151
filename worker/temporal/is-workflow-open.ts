import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { IsWorkflowOpen } from '../../services/knowledge/stalled-documents.ts';

const TIMEOUT_MS = 10_000;

/**
 * Creates a function that returns whether a workflow is running, by asking Temporal.
 * @throws Error if Temporal does not answer
 */
export function createIsWorkflowOpen(client: Client): IsWorkflowOpen {
  return async (workflowId) => {
    try {
      const { closeTime } = await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
        client.workflow.getHandle(workflowId).describe(),
      );
      return closeTime === undefined;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };
}
