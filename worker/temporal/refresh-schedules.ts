import { createHash } from 'node:crypto';
import {
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import type { Refresh } from '../../repositories/knowledge/document.repository.ts';
import type { RefreshSchedules } from '../../services/knowledge/crawling/refresh-service.ts';
import { refreshWorkflowId, type RefreshDocumentInput } from '../../core/workflows/commands.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { upsertSchedule } from './upsert-schedule.ts';

const TIMEOUT_MS = 5000;
/**
 * Time limit in milliseconds for listing all of Temporal's schedules; Temporal returns a thousand per page.
 */
const LIST_TIMEOUT_MS = 60_000;
const PREFIX = refreshWorkflowId('');
const DAY_MS = 24 * 60 * 60_000;
const periodsMs = { daily: DAY_MS, weekly: 7 * DAY_MS } as const;
const PAUSED = 'Paused by Parley while the bot is not active.';

/** Creates the adapter that gives each document with a regular refresh a schedule in Temporal. */
export function createRefreshSchedules(client: Client, taskQueue: string): RefreshSchedules {
  const runWithDeadline = <T>(work: () => Promise<T>) => client.withDeadline(Date.now() + TIMEOUT_MS, work);
  return {
    upsert: (refresh) =>
      runWithDeadline(() => {
        const schedule = toRefreshSchedule(refresh, taskQueue);
        return upsertSchedule(client, schedule, (current) =>
          current.paused && current.note !== PAUSED ? current : schedule.state,
        );
      }),
    remove: (documentId) =>
      runWithDeadline(async () => {
        try {
          await client.schedule.getHandle(refreshWorkflowId(documentId)).delete();
        } catch (error) {
          if (!(error instanceof ScheduleNotFoundError)) throw error;
        }
      }),
    list: () =>
      client.withDeadline(Date.now() + LIST_TIMEOUT_MS, async () => {
        const ids = new Set<string>();
        for await (const { scheduleId } of client.schedule.list({ pageSize: 1000 }))
          if (scheduleId.startsWith(PREFIX)) ids.add(scheduleId.slice(PREFIX.length));
        return ids;
      }),
  };
}

function toRefreshSchedule({ rate, isPaused, ...ids }: Refresh, taskQueue: string) {
  const input: RefreshDocumentInput = ids;
  const typedSearchAttributes = [
    { key: searchAttributes.orgId, value: ids.orgId },
    { key: searchAttributes.botId, value: ids.botId },
    { key: searchAttributes.documentId, value: ids.documentId },
  ];
  const id = refreshWorkflowId(ids.documentId);
  return {
    scheduleId: id,
    spec: {
      intervals: [{ every: periodsMs[rate], offset: computeOffset(ids.documentId, periodsMs[rate]) }],
      jitter: '10m',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '6h' },
    action: {
      type: 'startWorkflow',
      workflowType: 'refreshDocument',
      workflowId: id,
      taskQueue,
      args: [input],
      staticSummary: `Read a source again, ${rate}`,
      typedSearchAttributes,
    },
    state: { paused: isPaused, note: isPaused ? PAUSED : `Reads a source again, ${rate}.` },
    typedSearchAttributes,
  } satisfies ScheduleOptions;
}

/**
 * Returns the offset in milliseconds within its period at which a document is refreshed. Offsets are
 * distributed evenly over documents.
 */
function computeOffset(documentId: string, periodMs: number): number {
  const share = createHash('sha256').update(documentId).digest().readUInt32BE() / 2 ** 32;
  return Math.floor((share * periodMs) / 1000) * 1000;
}
