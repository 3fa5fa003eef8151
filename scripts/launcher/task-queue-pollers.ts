import type { Connection } from '@temporalio/client';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';
import { withTemporalConnection } from './temporal-connection.ts';

/**
 * Milliseconds since the last poll after which a worker counts as absent. Longer than a poll, which takes one
 * minute at most.
 */
const SILENT_MS = 75_000;
/** Number of the task queue type for activities (TASK_QUEUE_TYPE_ACTIVITY) in Temporal's API. */
const ACTIVITY = 2;

/**
 * Returns Temporal's task queues that no worker has recently polled for activities.
 * @throws Error if the server cannot be reached
 */
export function findQueuesWithoutWorker(
  address: string,
  namespace: string,
  prefix: string,
): Promise<string[]> {
  return withTemporalConnection(address, async (connection) => {
    const queues = Object.values(nameTaskQueues(prefix));
    const polled = await Promise.all(queues.map((queue) => isPolled(connection, namespace, queue)));
    return queues.filter((_, index) => !polled[index]);
  });
}

async function isPolled({ workflowService }: Connection, namespace: string, name: string): Promise<boolean> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType: ACTIVITY,
  });
  return pollers.some(
    ({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < SILENT_MS,
  );
}
