import type { LockedWebhook, WorkflowCount } from '../../repositories/webhooks/delivery-results.sql.ts';
import type { RecordableResult } from './delivery-result.ts';

/**
 * Number of an endpoint's consecutive failures up to which each failed delivery gets a retry workflow.
 * Further permanent failures are only logged.
 */
export const WORKFLOWS_PER_STREAK = 25;
/**
 * Maximum number of a workspace's deliveries that workflows retry, and of failed deliveries that workflows
 * keep ready for a replay. One visitor's message can fail at all endpoints of a workspace.
 */
export const WORKFLOWS_PER_WORKSPACE = 100;

/**
 * Decides which failed webhook deliveries a retry workflow takes over. If the workspace has too many
 * workflows, a delivery to be retried stays pending, and the dispatcher retries it. An endpoint always gets a
 * first workflow, because its retry shows when the endpoint has recovered.
 * @param results results of claimed deliveries, oldest first
 * @param webhooks endpoints of the deliveries, as they were before these results
 * @param counts workflows of the endpoints' workspaces before these results
 */
export function assignWorkflows(
  results: readonly RecordableResult[],
  webhooks: readonly Pick<LockedWebhook, 'id' | 'orgId' | 'consecutiveFailures'>[],
  counts: readonly WorkflowCount[],
): RecordableResult[] {
  const endpoints = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  const workspaces = new Map(counts.map((count) => [count.orgId, { ...count }]));
  const retrying = new Set(counts.flatMap(({ retryingWebhookIds }) => retryingWebhookIds));
  return results.map((result) => {
    const endpoint = endpoints.get(result.webhookId);
    const workspace = endpoint && workspaces.get(endpoint.orgId);
    if (result.takeOver === null || !endpoint || !workspace) return result;
    if (result.status === 'retrying') {
      if (workspace.retrying >= WORKFLOWS_PER_WORKSPACE && retrying.has(endpoint.id))
        return { ...result, status: 'pending', takeOver: null };
      retrying.add(endpoint.id);
      workspace.retrying += 1;
      return result;
    }
    const isLogged =
      endpoint.consecutiveFailures >= WORKFLOWS_PER_STREAK || workspace.failed >= WORKFLOWS_PER_WORKSPACE;
    if (isLogged) return { ...result, takeOver: null };
    workspace.failed += 1;
    return result;
  });
}
