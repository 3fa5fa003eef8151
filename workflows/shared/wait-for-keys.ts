import { proxyActivities, sleep, type WorkflowInterceptors } from '@temporalio/workflow';
import type { KeyWaitActivities } from '../../activities/encryption/key-wait.activities.ts';
import { databaseActivity } from './activity-options.ts';
import { isKeyUnavailable } from '../../core/workflows/failures.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

const { awaitKey } = proxyActivities<KeyWaitActivities>({
  ...databaseActivity,
  summary: 'Wait for the key of the workspace',
});

/**
 * Pauses between checks whether a workspace's key is available again. The pauses grow, so that a key that is
 * available only at times does not fill the workflow's history.
 */
const PAUSES = { firstMs: 1000, maxMs: 60_000 };

/**
 * Interceptors of all workflows. If an activity fails because the workspace's key is unavailable, the
 * interceptors wait for the key and run the activity again. The failure does not count as an attempt.
 */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity: (input, next) => withKey(input.args, () => next(input)),
      scheduleLocalActivity: (input, next) => withKey(input.args, () => next(input)),
    },
  ],
});

async function withKey<T>(args: readonly unknown[], run: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await run();
    } catch (error) {
      const orgId = findOrgId(args);
      if (!isKeyUnavailable(error) || orgId === null) throw error;
      await awaitKey({ orgId });
      await sleep(backoffMs(failures, PAUSES));
    }
  }
}

function findOrgId([input]: readonly unknown[]): string | null {
  const { orgId } = (input ?? {}) as { orgId?: unknown };
  return typeof orgId === 'string' ? orgId : null;
}
