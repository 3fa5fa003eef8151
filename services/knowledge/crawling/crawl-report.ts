import type { Document, SkippedPage } from '../../../entities/knowledge/document.entity.ts';
import type { Discovery } from './site-discovery.ts';

/** Pages that a crawl of a website has found, grouped by outcome. */
export interface CrawledPages {
  fetched: Document[];
  failed: SkippedPage[];
  skipped: SkippedPage[];
}

/** Maximum number of skipped pages that the message about a crawl names. */
const MAX_REPORTED = 10;

export function groupByOutcome(pages: readonly Document[]): CrawledPages {
  const crawled: CrawledPages = { fetched: [], failed: [], skipped: [] };
  for (const page of pages) {
    const { sourceUrl, errorMessage, status, gone } = page;
    const entry = {
      url: sourceUrl ?? '',
      reason: gone?.reason ?? errorMessage ?? 'The crawl ended before this page was finished.',
    };
    if (gone?.kind === 'left_out') crawled.skipped.push(entry);
    else if (gone || status !== 'indexed' || errorMessage !== null) crawled.failed.push(entry);
    else crawled.fetched.push(page);
  }
  return crawled;
}

/** Returns the message that users see about a crawled website; null if the crawl had no problems. */
export function createCrawlReport(
  discovery: Discovery,
  { fetched, failed, skipped }: CrawledPages,
  note: string | null,
): string | null {
  const { found, overLimit } = discovery;
  const skippedCount = discovery.skippedCount + failed.length + skipped.length;
  const lines: string[] = [];
  if (found === 0 && skippedCount === 0) lines.push('The sitemap lists no pages.');
  else if (fetched.length === 0) lines.push('No page could be indexed:');
  else if (skippedCount > 0) lines.push(`${skippedCount} of ${found} pages were skipped:`);
  const all = [...failed, ...skipped, ...discovery.skipped];
  const reportedLines = all.slice(0, MAX_REPORTED).map(toReportLine);
  const unreportedCount = skippedCount - reportedLines.length;
  lines.push(...reportedLines, ...(unreportedCount > 0 ? [`and ${unreportedCount} more.`] : []));
  if (overLimit > 0) lines.push(`${overLimit} of ${found} pages are beyond max_pages and were not read.`);
  lines.push(...(discovery.notes ?? []));
  if (note !== null) lines.push(note);
  return lines.length > 0 ? lines.join('\n') : null;
}

function toReportLine(page: SkippedPage | string): string {
  return typeof page === 'string' ? page : `${page.url}: ${page.reason}`;
}
