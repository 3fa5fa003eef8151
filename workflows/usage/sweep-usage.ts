import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { UsageActivities } from '../../activities/usage/usage.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

/** Maximum number of batches of recorded usage in a run; the next scheduled run continues. */
const MAX_BATCHES = 100;

const { foldUsage, mailUsedPlans } = proxyActivities<UsageActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Sum the usage',
});

/**
 * Adds recorded changes of usage to the daily totals, and emails payers who have used most or all of their
 * monthly messages. Returns the number of added changes.
 */
export async function sweepUsage(): Promise<number> {
  let folded = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { count, isMore } = await foldUsage();
    folded += count;
    if (!isMore) break;
  }
  const mailedCount = await mailUsedPlans();
  setCurrentDetails(
    formatDetails('Usage', [
      `${pluralize(folded, 'delta')} summed`,
      `${pluralize(mailedCount, 'plan')} near the monthly limit of messages`,
    ]),
  );
  return folded;
}
