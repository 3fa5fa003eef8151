import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../../activities/installation/sweep.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { counted, detailsOf } from '../../core/workflows/format.ts';

/** What is left after so many batches waits for the next run. */
const MAX_BATCHES = 200;

const { endIdleConversations } = proxyActivities<SweepActivities>({
  ...databaseActivity,
  summary: 'End a batch of conversations that have been idle',
});

/** Ends the conversations that nobody has written in for a while; returns how many. */
export async function sweepConversations(): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { ended, isMore } = await endIdleConversations();
    total += ended;
    setCurrentDetails(detailsOf('Idle conversations', [`${counted(total, 'conversation')} ended`]));
    if (!isMore) break;
  }
  return total;
}
