import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { keyRetryDelayMs } from '../../core/encryption/key-retry.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import type { WorkspaceContentKeys } from '../../services/encryption/workspace-content-keys.ts';

export type KeyWaitActivities = ReturnType<typeof createKeyWaitActivities>;

export function createKeyWaitActivities({ contentKeys }: { contentKeys: WorkspaceContentKeys }) {
  return {
    /**
     * Throws while the workspace's key is unavailable. Temporal retries the activity until the key is
     * available.
     */
    awaitKey: async ({ orgId }: { orgId: string }): Promise<void> => {
      const { currentAttemptScheduledTimestampMs, scheduledTimestampMs } = activityInfo();
      try {
        await contentKeys.require(orgId);
      } catch (error) {
        if (!isKeyUnavailable(error)) throw error;
        throw ApplicationFailure.create({
          message: error.message,
          type: 'KeyAway',
          category: 'BENIGN',
          nextRetryDelay: keyRetryDelayMs(currentAttemptScheduledTimestampMs - scheduledTimestampMs),
        });
      }
    },
  };
}
