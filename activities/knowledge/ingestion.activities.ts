import { cancellationSignal } from '@temporalio/activity';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { IngestionService } from '../../services/knowledge/ingestion/ingestion-service.ts';
import type { PayerQueue } from '../../services/requests/payer-queue.ts';
import { OutboundError } from '../../adapters/http/outbound-error.ts';
import { ingestBatch, type IngestPage } from '../../services/knowledge/crawling/page-batch.ts';
import type { IngestDocumentInput } from '../../core/workflows/commands.ts';
import type { QueueTicket } from '../../core/workflows/queue-ticket.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { isNonRetryable } from '../../core/workflows/failures.ts';
import { toActivityFailure } from '../activity-failure.ts';
import { LONG_READS_AT_ONCE, MAX_WAITING_LONG_READS, ReadingQueue } from './reading-queue.ts';
import { withHeartbeat } from '../with-heartbeat.ts';
import type { RegisteredPage } from '../../repositories/knowledge/site-page.sql.ts';

export type IngestionActivities = ReturnType<typeof createIngestionActivities>;

/**
 * Maximum number of documents that wait for each slot in which a worker reads a document. Waiting is cheap
 * and keeps the slots busy.
 */
const MAX_WAITING_PER_SLOT = 4;
/**
 * Maximum time in milliseconds that an activity waits for a slot to read a document, in one run. The wait is
 * longer than reading takes for most documents, and leaves most of the activity's timeout to the reading. The
 * next run may be in another worker.
 */
const MAX_WAIT_MS = 120_000;
/**
 * Maximum number of workflow tasks that a worker runs at once. Each may read a small file in a local
 * activity.
 */
export const WORKFLOW_TASKS_AT_ONCE = 16;
/**
 * Maximum wait in milliseconds for a slot to read a small file, when all workflow tasks of a busy worker need
 * slots at once. After this time, a separate activity reads the file, which costs half as much again. The
 * wait is short, since it delays other workflows of this worker.
 */
const SMALL_FILE_WAIT_MS = 3000;
/**
 * Maximum wait in milliseconds for a slot to read a page that was just downloaded. After this time, a
 * separate activity waits for the slot, so that this activity's slot can download another page.
 */
const WAIT_AFTER_FETCH_MS = 2000;
/**
 * Maximum wait in milliseconds for a slot to read a page of a batch. This wait is longer, since the batch
 * occupies its activity slot anyway.
 */
const WAIT_IN_BATCH_MS = 10_000;
/**
 * Number of documents whose text a worker recognizes at once, apart from `LONG_READS_AT_ONCE`. Recognition
 * fills a CPU core for minutes, so it has a queue of its own.
 */
const RECOGNIZED_AT_ONCE = 1;
/** Maximum number of documents that wait for text recognition in one worker. */
const MAX_WAITING_FOR_RECOGNITION = 8;
/**
 * Number of activities that a worker runs beyond its slots and waiting lists. They find no room in these
 * lists and return at once.
 */
const SPARE_ACTIVITIES = 4;
/**
 * Limits for the download of a web page in a batch. They are lower than usual, since a batch has several
 * pages in memory.
 */
const QUICK_FETCH = { timeoutMs: 10_000, maxBytes: 2 * 1024 * 1024 };

/**
 * Returns how many activities that index documents a worker runs at once: those that read or wait, and some
 * that find no room. Temporal therefore always passes the documents of a new payer on, so that they can wait
 * here.
 */
export function countIndexingSlots({ readingSlots }: Pick<Settings, 'readingSlots'>): number {
  const reading = readingSlots + countWaitingSlots(readingSlots);
  const recognizing = RECOGNIZED_AT_ONCE + MAX_WAITING_FOR_RECOGNITION;
  const long = LONG_READS_AT_ONCE + MAX_WAITING_LONG_READS;
  return reading + long + recognizing + long + SPARE_ACTIVITIES;
}

function countWaitingSlots(readingSlots: number): number {
  // Each workflow task takes two places, since a single payer may fill at most half of the waiting list.
  return readingSlots * MAX_WAITING_PER_SLOT + 2 * WORKFLOW_TASKS_AT_ONCE;
}

export interface IngestPagesInput {
  orgId: string;
  botId: string;
  pages: RegisteredPage[];
}

export function createIngestionActivities({
  database: db,
  ingestion,
  fetches,
  settings: { readingSlots, recognitionTurnMs },
}: {
  database: Database;
  fetches: PayerQueue;
  ingestion: IngestionService;
  settings: Pick<Settings, 'readingSlots' | 'recognitionTurnMs'>;
}) {
  const reading = new ReadingQueue({
    slots: readingSlots,
    maxWaiting: countWaitingSlots(readingSlots),
    maxWaitMs: MAX_WAIT_MS,
  });
  const recognizing = new ReadingQueue({
    slots: RECOGNIZED_AT_ONCE,
    maxWaiting: MAX_WAITING_FOR_RECOGNITION,
    maxWaitMs: MAX_WAIT_MS,
    turnMs: recognitionTurnMs,
  });
  const ingestPage = createPageIngestion(ingestion, reading);
  const fetchAndIndex = createFetching(ingestion, reading);
  return {
    /**
     * Downloads and indexes a batch of web pages until its time is over. Returns results for the pages that
     * it reached, or `out_of_turn` if the workspace's payer gets no slot in time.
     */
    ingestPages: ({ orgId, botId, pages, waitingSince }: IngestPagesInput & QueueTicket) =>
      withHeartbeat((signal) => {
        const scope = { orgId, db };
        const revisions = pages.map((page) => ({ ...page, botId, isRefresh: true }));
        const ingest = () => ingestBatch(scope, revisions, ingestPage, signal);
        return fetches.run(scope, ingest, signal, { waitingSince });
      }),
    beginOrIndex: ({ orgId, ...revision }: IngestDocumentInput) => {
      const scope = { orgId, db };
      const signal = cancellationSignal();
      const slot = { maxWaitMs: SMALL_FILE_WAIT_MS };
      return ingestion.beginOrIndex(scope, revision, (work) => reading.run(scope, work, signal, slot));
    },
    beginIngestion: ({ orgId, ...revision }: IngestDocumentInput) => ingestion.begin({ orgId, db }, revision),
    /**
     * Downloads a document, and indexes it if a reading slot is free soon. If none is free, the workflow must
     * run `indexDocument`. Returns `out_of_turn` without a download if the workspace's payer gets no slot in
     * time.
     */
    fetchAndIndex: ({ orgId, waitingSince, ...revision }: IngestDocumentInput & QueueTicket) =>
      withHeartbeat((signal) => {
        const scope = { orgId, db };
        const fetchInTurn = () => fetchAndIndex(scope, revision, signal);
        return fetches.run(scope, fetchInTurn, signal, { waitingSince });
      }),
    indexDocument: ({ orgId, waitingSince, ...revision }: IngestDocumentInput & QueueTicket) =>
      withHeartbeat((signal) => {
        const scope = { orgId, db };
        const index = (read: AbortSignal) => ingestion.index(scope, revision, read);
        return reading.runToEnd(scope, index, signal, { waitingSince });
      }),
    recognizeDocument: ({ orgId, waitingSince, ...revision }: IngestDocumentInput & QueueTicket) =>
      withHeartbeat((signal) => {
        const scope = { orgId, db };
        const recognize = (read: AbortSignal) => ingestion.recognizeAndIndex(scope, revision, read);
        return recognizing.runToEnd(scope, recognize, signal, { waitingSince });
      }),
    failIngestion: ({
      orgId,
      reason,
      isForNow,
      ...revision
    }: IngestDocumentInput & { reason: string; isForNow?: boolean }) =>
      ingestion.fail({ orgId, db }, revision, reason, isForNow),
  };
}

/** Creates a function that downloads a document, and indexes it if a reading slot is free soon. */
function createFetching(ingestion: IngestionService, reading: ReadingQueue) {
  return async (scope: OrgScope, revision: Omit<IngestDocumentInput, 'orgId'>, signal: AbortSignal) => {
    const fetched = await ingestion.fetchSource(scope, revision, signal);
    const indexRevision = (read: AbortSignal) => ingestion.index(scope, revision, read);
    if (typeof fetched === 'string') return { sizeBytes: 0, indexed: fetched };
    if (fetched) {
      const indexed = await reading.run(scope, indexRevision, signal, { maxWaitMs: WAIT_AFTER_FETCH_MS });
      return { ...fetched, indexed };
    }
    // A null result may also mean that a previous attempt indexed the document, but the worker died before it
    // could report the result.
    const indexed = await indexRevision(signal);
    return indexed && { sizeBytes: typeof indexed === 'string' ? 0 : indexed.sizeBytes, indexed };
  };
}

/**
 * Creates a function that downloads and indexes one web page of a batch. The function leaves large, slow,
 * scanned and temporarily failing pages to a separate workflow.
 */
function createPageIngestion(ingestion: IngestionService, reading: ReadingQueue): IngestPage {
  return async (scope, page, signal) => {
    const { documentId } = page;
    try {
      const started = await ingestion.beginOrIndex(scope, page);
      if (started === null) return { documentId, state: 'superseded' };
      if ('chunkCount' in started) return { documentId, state: 'indexed', ...started };
      const fetched = await ingestion.fetchSource(scope, page, signal, QUICK_FETCH);
      if (fetched === null) return { documentId, state: 'superseded' };
      if (typeof fetched === 'string') return { documentId, state: fetched };
      const indexPage = (read: AbortSignal) => ingestion.index(scope, page, read);
      const indexed = await reading.run(scope, indexPage, signal, { maxWaitMs: WAIT_IN_BATCH_MS });
      if (indexed === 'out_of_turn' || indexed === 'has_scans') return { documentId, state: 'later' };
      if (typeof indexed === 'string') return { documentId, state: indexed };
      return indexed ? { documentId, state: 'indexed', ...indexed } : { documentId, state: 'superseded' };
    } catch (error) {
      signal.throwIfAborted();
      const failure = toActivityFailure(error, 1);
      if (!isNonRetryable(failure) || isTooLargeForBatch(error) || isKeyUnavailable(error))
        return { documentId, state: 'later' };
      await ingestion.fail(scope, page, failure.message);
      return { documentId, state: 'failed', reason: failure.message };
    }
  };
}

function isTooLargeForBatch(error: unknown): boolean {
  return error instanceof OutboundError && error.kind === 'too_large';
}
