import type { QuickEnd } from '../ingestion/source-fetch.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { IndexedDocument, Revision } from '../../../repositories/knowledge/revision.repository.ts';

/**
 * What a batch has made of a page. `later` is one that needs more than a batch gives: time, memory, its turn, or another
 * try.
 */
export type PageOutcome = { documentId: string } & (
  | ({ state: 'indexed' } & IndexedDocument)
  | { state: 'failed'; reason: string }
  | { state: QuickEnd | 'superseded' | 'later' }
);

/** Fetches and indexes one page. */
export type IngestPage = (scope: OrgScope, page: Revision, signal: AbortSignal) => Promise<PageOutcome>;

/** At a time, of one site. */
const PAGES_AT_ONCE = 3;
/** No page is begun after it: others wait for the slot that a batch holds. */
const BATCH_MS = 5000;

/**
 * Ingests some pages of a site, a few at a time, for some seconds. Those for which there was no time are not among the
 * outcomes.
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
    Array.from({ length: PAGES_AT_ONCE }, async () => {
      for (const page of waiting) {
        // A signal for each, since what listens to it may go on to do so for as long as it is there.
        outcomes.push(await ingest(scope, page, AbortSignal.any([signal])));
        if (performance.now() > endsAt) return;
      }
    }),
  );
  return outcomes;
}
