import { cancellationSignal } from '@temporalio/activity';
import { FairQueue } from '../../core/concurrency/fair-queue.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { IngestionService } from '../../services/knowledge/ingestion/ingestion-service.ts';
import { OutboundError } from '../../adapters/http/outbound-error.ts';
import { ingestBatch, type IngestPage } from '../../services/knowledge/crawling/page-batch.ts';
import type { IngestDocumentInput } from '../../core/workflows/commands.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { isFinal } from '../../core/workflows/failures.ts';
import { toActivityFailure } from '../activity-failure.ts';
import { withHeartbeat } from '../with-heartbeat.ts';
import type { RegisteredPage } from '../../repositories/knowledge/site-page.sql.ts';

export type IngestionActivities = ReturnType<typeof createIngestionActivities>;

/** Waiting only costs a slot of Temporal, and provides the next document as soon as one is read. */
const WAITING_FOR_EACH_PLACE = 4;
/** A longer wait would leave no time to read and index before the activity's own timeout. */
const MAX_WAIT_MS = 30_000;
/** Maximum concurrent workflow tasks of a worker. Each may read a small file, or wait for a slot to do so. */
export const WORKFLOW_TASKS_AT_ONCE = 16;
/** Applies to small files: other workflows of this worker may wait as long. */
const WAIT_AT_ONCE_MS = 1000;
/** Applies to a page that was just fetched. Afterwards it waits in another queue, which blocks no download. */
const WAIT_AFTER_FETCH_MS = 2000;
/** Longer, since a batch of pages holds its slot anyway. */
const WAIT_IN_BATCH_MS = 10_000;
/** Lower than the usual limits, since a batch has several pages in memory. */
const QUICK_FETCH = { timeoutMs: 10_000, maxBytes: 2 * 1024 * 1024 };

/** Returns the maximum number of documents that one worker reads or has waiting. */
export function countIndexingSlots({ readingPlaces }: Pick<Settings, 'readingPlaces'>): number {
  return readingPlaces * (1 + WAITING_FOR_EACH_PLACE);
}

export interface IngestPagesInput {
  orgId: string;
  botId: string;
  pages: RegisteredPage[];
}

export function createIngestionActivities({
  database: db,
  ingestion,
  settings: { readingPlaces },
}: {
  database: Database;
  ingestion: IngestionService;
  settings: Pick<Settings, 'readingPlaces'>;
}) {
  const reading = new FairQueue({
    slots: readingPlaces,
    // A single workspace fills at most half of the queue.
    maxWaiting: readingPlaces * WAITING_FOR_EACH_PLACE + 2 * WORKFLOW_TASKS_AT_ONCE,
    maxWaitMs: MAX_WAIT_MS,
  });
  const ingestPage = createPageIngestion(ingestion, reading);
  return {
    /** Returns results for the pages that it had time for. */
    ingestPages: ({ orgId, botId, pages }: IngestPagesInput) =>
      withHeartbeat((signal) =>
        ingestBatch(
          { orgId, db },
          pages.map((page) => ({ ...page, botId, isRefresh: true })),
          ingestPage,
          signal,
        ),
      ),
    beginOrIndex: ({ orgId, ...revision }: IngestDocumentInput) => {
      const signal = cancellationSignal();
      const slot = { maxWaitMs: WAIT_AT_ONCE_MS };
      return ingestion.beginOrIndex({ orgId, db }, revision, (work) =>
        reading.run(orgId, () => work(signal), signal, slot),
      );
    },
    beginIngestion: ({ orgId, ...revision }: IngestDocumentInput) => ingestion.begin({ orgId, db }, revision),
    /** Releases the download slot soon: reading must begin within the wait. */
    fetchAndIndex: ({ orgId, ...revision }: IngestDocumentInput) =>
      withHeartbeat(async (signal) => {
        const fetched = await ingestion.fetchSource({ orgId, db }, revision, signal);
        const index = () => ingestion.index({ orgId, db }, revision, signal);
        if (typeof fetched === 'string') return { sizeBytes: 0, indexed: fetched };
        if (fetched)
          return {
            ...fetched,
            indexed: await reading.run(orgId, index, signal, { maxWaitMs: WAIT_AFTER_FETCH_MS }),
          };
        // An outdated revision may have been indexed by an attempt whose worker ended before it could respond.
        const indexed = await index();
        return indexed && { sizeBytes: typeof indexed === 'string' ? 0 : indexed.sizeBytes, indexed };
      }),
    indexDocument: ({ orgId, ...revision }: IngestDocumentInput) =>
      withHeartbeat((signal) =>
        reading.run(orgId, () => ingestion.index({ orgId, db }, revision, signal), signal),
      ),
    failIngestion: ({
      orgId,
      reason,
      isForNow,
      ...revision
    }: IngestDocumentInput & { reason: string; isForNow?: boolean }) =>
      ingestion.fail({ orgId, db }, revision, reason, isForNow),
  };
}

/**
 * Creates the ingestion of a page in a batch. Large, slow and temporarily failing pages are left to a separate
 * workflow, which can wait.
 */
function createPageIngestion(ingestion: IngestionService, reading: FairQueue): IngestPage {
  return async (scope, page, signal) => {
    const { documentId } = page;
    try {
      const begun = await ingestion.beginOrIndex(scope, page);
      if (begun === null) return { documentId, state: 'superseded' };
      if ('chunkCount' in begun) return { documentId, state: 'indexed', ...begun };
      const fetched = await ingestion.fetchSource(scope, page, signal, QUICK_FETCH);
      if (fetched === null) return { documentId, state: 'superseded' };
      if (typeof fetched === 'string') return { documentId, state: fetched };
      const index = () => ingestion.index(scope, page, signal);
      const indexed = await reading.run(scope.orgId, index, signal, { maxWaitMs: WAIT_IN_BATCH_MS });
      if (indexed === 'out_of_turn') return { documentId, state: 'later' };
      if (typeof indexed === 'string') return { documentId, state: indexed };
      return indexed ? { documentId, state: 'indexed', ...indexed } : { documentId, state: 'superseded' };
    } catch (error) {
      signal.throwIfAborted();
      const failure = toActivityFailure(error, 1);
      if (!isFinal(failure) || isTooLargeForNow(error) || isKeyUnavailable(error))
        return { documentId, state: 'later' };
      await ingestion.fail(scope, page, failure.message);
      return { documentId, state: 'failed', reason: failure.message };
    }
  };
}

function isTooLargeForNow(error: unknown): boolean {
  return error instanceof OutboundError && error.kind === 'too_large';
}
