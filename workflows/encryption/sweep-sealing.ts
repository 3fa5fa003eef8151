import { proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { ResealActivities } from '../../activities/encryption/reseal.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { detailsOf } from '../../core/workflows/format.ts';

/** About as long as a small workspace takes. */
const UNTIL_PLACES_ARE_FREE = '15s';

const { beginReseals } = proxyActivities<ResealActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Begin to convert workspaces that are kept in another way than the operator wants',
});

/** Has all workspaces without a key of their own kept as the operator wants, some at once; returns with how many it has begun. */
export async function sweepSealing(): Promise<number> {
  for (let begun = 0; ;) {
    const some = await beginReseals();
    begun += some.begun;
    setCurrentDetails(
      detailsOf('Workspaces without a key of their own', [
        `${begun} begun`,
        `${some.left} waiting for their turn`,
      ]),
    );
    // The next one goes on.
    if (some.left === 0 || workflowInfo().continueAsNewSuggested) return begun;
    await sleep(UNTIL_PLACES_ARE_FREE);
  }
}
