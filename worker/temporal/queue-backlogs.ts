import type { Connection } from '@temporalio/client';
import type { Settings } from '../../core/settings/settings.ts';
import { nameTaskQueues, type TaskQueues } from '../../core/workflows/task-queues.ts';
import type { WorkerRole } from '../../core/settings/worker-roles.ts';
import { QUEUE_ROLES } from './task-queues.ts';

/** Amount of work that waits for a role of the workers. */
export interface RoleBacklog {
  role: WorkerRole;
  waiting: number;
  /** Age in seconds of the work that waits longest; 0 if none waits. */
  oldestSeconds: number;
}

/** Values of TaskQueueType (kind of tasks) in Temporal's API. */
const WORKFLOW = 1;
const ACTIVITY = 2;

/**
 * Reads how many tasks wait in Temporal's task queues of each worker role. Temporal's numbers are
 * approximate.
 * @throws Error if the server cannot be reached
 */
export async function readQueueBacklogs(
  connection: Connection,
  {
    temporalNamespace: namespace,
    temporalTaskQueue,
  }: Pick<Settings, 'temporalNamespace' | 'temporalTaskQueue'>,
): Promise<RoleBacklog[]> {
  const queues = Object.entries(nameTaskQueues(temporalTaskQueue)) as [keyof TaskQueues, string][];
  const backlogs = await Promise.all(
    queues.flatMap(([queue, name]) =>
      (queue === 'core' ? [WORKFLOW, ACTIVITY] : [ACTIVITY]).map(async (taskQueueType) => {
        const { stats } = await connection.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name },
          taskQueueType,
          reportStats: true,
        });
        return {
          role: QUEUE_ROLES[queue],
          waiting: Number(stats?.approximateBacklogCount ?? 0),
          oldestSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
        };
      }),
    ),
  );
  return mergeByRole(backlogs);
}

function mergeByRole(backlogs: readonly RoleBacklog[]): RoleBacklog[] {
  return [...new Set(backlogs.map(({ role }) => role))].map((role) => {
    const own = backlogs.filter((each) => each.role === role);
    return {
      role,
      waiting: own.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestSeconds: Math.max(...own.map(({ oldestSeconds }) => oldestSeconds)),
    };
  });
}
