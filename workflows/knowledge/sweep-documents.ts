import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../../activities/installation/sweep.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

const MAX_NAMED = 20;

const { restartStalledDocuments } = proxyActivities<SweepActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Find pending documents without a workflow, and restart their indexing',
});

/** Restarts the indexing of documents whose workflow was terminated or lost, so that none stays pending forever. */
export async function sweepDocuments(): Promise<{ checked: number; restarted: number }> {
  const restarted: string[] = [];
  let checked = 0;
  let after: string | null = null;
  do {
    const batch: Awaited<ReturnType<typeof restartStalledDocuments>> = await restartStalledDocuments({
      after,
    });
    checked += batch.checked;
    restarted.push(...batch.restarted);
    showSweepDetails(checked, restarted);
    after = batch.next;
  } while (after !== null);
  return { checked, restarted: restarted.length };
}

function showSweepDetails(checked: number, restarted: string[]): void {
  const unnamedCount = restarted.length - MAX_NAMED;
  setCurrentDetails(
    formatDetails(`Indexed again: ${pluralize(restarted.length, 'document')}`, [
      `checked: ${pluralize(checked, 'document')} unchanged for 15 minutes`,
      ...restarted.slice(0, MAX_NAMED).map((id) => `${id} had no workflow`),
      ...(unnamedCount > 0 ? [`and ${pluralize(unnamedCount, 'more document')}`] : []),
    ]),
  );
}
