import { proxyActivities, sleep, type WorkflowInterceptors } from '@temporalio/workflow';
import type { KeyWaitActivities } from '../../activities/encryption/key-wait.activities.ts';
import { databaseActivity } from './activity-options.ts';
import { isKeyUnavailable } from './failures.ts';

const { awaitKey } = proxyActivities<KeyWaitActivities>({
  ...databaseActivity,
  summary: 'Wait for the key of the workspace',
});

/** Keys that come and go must not fill the history. */
const LONGEST_PAUSE_SECONDS = 60;

/** Has activities that need the key of a workspace wait while it is away, in any workflow: that is no attempt, and nothing is lost. */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity: (input, next) => withKey(input.args, () => next(input)),
      scheduleLocalActivity: (input, next) => withKey(input.args, () => next(input)),
    },
  ],
});

async function withKey<T>(args: readonly unknown[], run: () => Promise<T>): Promise<T> {
  for (let pauseSeconds = 1; ; pauseSeconds = Math.min(pauseSeconds * 2, LONGEST_PAUSE_SECONDS)) {
    try {
      return await run();
    } catch (error) {
      const orgId = orgIdOf(args);
      if (!isKeyUnavailable(error) || orgId === null) throw error;
      await awaitKey({ orgId });
      await sleep(pauseSeconds * 1000);
    }
  }
}

function orgIdOf([input]: readonly unknown[]): string | null {
  const { orgId } = (input ?? {}) as { orgId?: unknown };
  return typeof orgId === 'string' ? orgId : null;
}
