import { defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { RefreshActivities } from '../../activities/knowledge/refresh.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { ScheduleRefreshesInput } from '../../core/workflows/commands.ts';
import { pluralize } from '../../core/workflows/format.ts';

const BATCH_SIZE = 20;

const { listRefreshes } = proxyActivities<RefreshActivities>(databaseActivity);
const { applyRefreshes } = proxyActivities<RefreshActivities>({
  ...databaseActivity,
  startToCloseTimeout: '3m',
  summary: 'Create, update or delete the schedules of some documents',
});

/**
 * Signal that the refresh setting of a document has changed. Without an id, all documents of the bot are
 * checked.
 */
const changedSignal = defineSignal<[documentId?: string]>('changed');

/**
 * Updates the refresh schedules of a bot's documents to match the database, and handles the workflow's
 * signals one after the other. Returns the number of checked documents.
 */
export async function scheduleRefreshes(input: ScheduleRefreshesInput): Promise<number> {
  const waiting = new Set<string>();
  let isAll = false;
  let count = 0;
  const note = (documentId?: string): void => {
    if (documentId === undefined) isAll = true;
    else waiting.add(documentId);
  };
  setHandler(changedSignal, note, {
    description:
      'Check the document with this id, which has changed; without an id, check all documents of the bot.',
  });
  if (waiting.size === 0) isAll = true;
  while (isAll || waiting.size > 0) {
    if (isAll) {
      isAll = false;
      for (let after: string | null = null; ;) {
        const ids: string[] = await listRefreshes({ ...input, after });
        ids.forEach((id) => waiting.add(id));
        after = ids.at(-1) ?? null;
        if (after === null) break;
      }
    }
    const documentIds = [...waiting].slice(0, BATCH_SIZE);
    documentIds.forEach((id) => waiting.delete(id));
    if (documentIds.length > 0) await applyRefreshes({ orgId: input.orgId, documentIds });
    count += documentIds.length;
    setCurrentDetails(`${pluralize(count, 'schedule')} updated.`);
  }
  return count;
}
