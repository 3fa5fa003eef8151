import type { EarlyEnd } from '../ingestion/source-fetch.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { IndexedDocument, Revision } from '../../../repositories/knowledge/revision.repository.ts';

/**
 * Outcome of a page in a batch. `later` means that the page needs more than the batch allows: more time or memory, a
 * free slot, or a retry.
 */
export type PageOutcome = { documentId: string } & (
  | ({ state: 'indexed' } & IndexedDocument)
  | { state: 'failed'; reason: string }
  | { state: EarlyEnd | 'superseded' | 'later' }
);

/** Fetches and indexes one page. */
export type IngestPage = (scope: OrgScope, page: Revision, signal: AbortSignal) => Promise<PageOutcome>;

/** Concurrent pages of one site. */
const MAX_CONCURRENT_PAGES = 3;
/** No page is begun after this time, since others wait for the batch's slot. */
const BATCH_MS = 5000;

/** Ingests pages of a site concurrently for some seconds. Pages for which no time remains have no outcome. */
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
        // A derived signal for each page, so that leftover listeners do not accumulate on the batch's signal.
        outcomes.push(await ingest(scope, page, AbortSignal.any([signal])));
        if (performance.now() > endsAt) return;
      }
    }),
  );
  return outcomes;
}
