import { proxyActivities, sleep, type WorkflowInterceptors } from '@temporalio/workflow';
import type { KeyWaitActivities } from '../../activities/encryption/key-wait.activities.ts';
import { databaseActivity } from './activity-options.ts';
import { isKeyUnavailable } from '../../core/workflows/failures.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

const { awaitKey } = proxyActivities<KeyWaitActivities>({
  ...databaseActivity,
  summary: 'Wait for the key of the workspace',
});

/** Pauses between waits, so that an intermittent key does not fill the history. */
const PAUSES = { firstMs: 1000, maxMs: 60_000 };

/**
 * Makes activities of all workflows wait while the workspace's key they need is unavailable. That counts as no attempt,
 * and nothing is lost.
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
