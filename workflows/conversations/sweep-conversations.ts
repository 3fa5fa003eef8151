import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../../activities/installation/sweep.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

/** Maximum number of batches of conversations in a run; the next scheduled run continues. */
const MAX_BATCHES = 200;

const { endIdleConversations } = proxyActivities<SweepActivities>({
  ...databaseActivity,
  summary: 'End a batch of idle conversations',
});

/** Ends idle conversations in batches. Returns the number of ended conversations. */
export async function sweepConversations(): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { ended, isMore } = await endIdleConversations();
    total += ended;
    setCurrentDetails(formatDetails('Idle conversations', [`${pluralize(total, 'conversation')} ended`]));
    if (!isMore) break;
  }
  return total;
}
