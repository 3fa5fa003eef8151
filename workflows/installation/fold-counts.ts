import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { FoldActivities } from '../../activities/installation/fold.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

/** Maximum number of batches of recorded changes in a run; the next scheduled run continues. */
const MAX_BATCHES = 200;

const { foldBatch } = proxyActivities<FoldActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Fold a batch of deltas of each kind',
});

/**
 * Adds the recorded changes of all statistics to their stored totals. Returns the number of added changes.
 */
export async function foldCounts(): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const folded = await foldBatch();
    total += folded;
    setCurrentDetails(formatDetails('Figures', [`${pluralize(total, 'delta')} folded`]));
    if (folded === 0) break;
  }
  return total;
}
