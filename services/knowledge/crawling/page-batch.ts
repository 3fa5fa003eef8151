import type { EarlyEnd } from '../ingestion/source-fetch.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { IndexedDocument, Revision } from '../../../repositories/knowledge/revision.repository.ts';

/**
 * Outcome of indexing a page. `later` means that the page must be retried outside the batch, since it needs
 * more time or memory, or a free slot.
 */
export type PageOutcome = { documentId: string } & (
  | ({ state: 'indexed' } & IndexedDocument)
  | { state: 'failed'; reason: string }
  | { state: EarlyEnd | 'superseded' | 'later' }
);

/** Function that fetches and indexes one page of a website. */
export type IngestPage = (scope: OrgScope, page: Revision, signal: AbortSignal) => Promise<PageOutcome>;

/** Maximum number of pages of one website that are indexed concurrently. */
const MAX_CONCURRENT_PAGES = 3;
/**
 * Milliseconds after which no further page of the batch is started, since other websites wait for the slot.
 */
const BATCH_MS = 5000;

/**
 * Indexes pages of a website concurrently for some seconds. Returns no outcome for pages that were not
 * started.
 */
export async function ingestBatch(
  scope: OrgScope,
  pages: readonly Revision[],
  ingest: IngestPage,
  signal: AbortSignal,
): Promise<PageOutcome[]> {
  const endsAt = performance.now() + BATCH_MS;
  const outcomes: PageOutcome[] = [];
  const waiting = pages.values();
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT_PAGES }, async () => {
      for (const page of waiting) {
        // Gives each page its own signal, so that listeners of finished pages do not accumulate on the
        // batch's signal.
        outcomes.push(await ingest(scope, page, AbortSignal.any([signal])));
        if (performance.now() > endsAt) return;
      }
    }),
  );
  return outcomes;
}
