import { proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { ResealActivities } from '../../activities/encryption/reseal.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { formatDetails } from '../../core/workflows/format.ts';

/**
 * Pause between batches of workspaces whose content is converted: about as long as converting a small
 * workspace takes.
 */
const PAUSE_BETWEEN_BATCHES = '15s';

const { beginReseals } = proxyActivities<ResealActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Start to reseal workspaces whose encryption differs from PARLEY_SEAL_CONTENT',
});

/**
 * Converts the content of workspaces without a key of their own to the encryption mode that the operator has
 * configured. Starts some workspaces at a time, and returns their total number.
 */
export async function sweepSealing(): Promise<number> {
  for (let startedCount = 0; ;) {
    const some = await beginReseals();
    startedCount += some.begun;
    setCurrentDetails(
      formatDetails('Workspaces that use the platform’s key', [
        `${startedCount} started`,
        `${some.left} pending`,
      ]),
    );
    // End here if the workflow's history is long; the next scheduled run continues.
    if (some.left === 0 || workflowInfo().continueAsNewSuggested) return startedCount;
    await sleep(PAUSE_BETWEEN_BATCHES);
  }
}
