import type { KnowledgeDocument, DocumentStatus } from '../client/types.ts';
import { formatCount } from '../components/text/format-count.ts';
import { SafeLink } from '../components/text/safe-link.tsx';

export interface CrawlFactsProps {
  document: KnowledgeDocument;
  /** Progress of a website's crawl; null if no crawl is running. */
  progress: DocumentStatus['progress'];
}

/** Shows the progress of a website's crawl, or the result of the last crawl. */
export function CrawlFacts({ document: { crawl }, progress }: CrawlFactsProps) {
  if (progress)
    return (
      <span className="cell-note" aria-live="polite">
        {describeCrawlProgress(progress)}
      </span>
    );
  return crawl ? <span className="cell-note">{describeCrawl(crawl)}</span> : null;
}

/** Lists the pages of a website that the last crawl skipped, with the reasons. */
export function SkippedPages({ document: { crawl } }: Pick<CrawlFactsProps, 'document'>) {
  const { left_out: leftOut = [] } = crawl ?? {};
  if (leftOut.length === 0) return null;
  return (
    <section>
      <h3>{formatCount(leftOut.length, 'page')} not imported</h3>
      <ul className="left-out">
        {leftOut.map(({ url, reason }) => (
          <li key={url}>
            <SafeLink href={url}>{url}</SafeLink>
            <p className="hint">{reason}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeCrawlProgress({
  found,
  indexed,
  skipped,
  failed,
}: NonNullable<CrawlFactsProps['progress']>): string {
  if (found === 0) return 'Finding pages…';
  return [
    `Crawling ${indexed} of ${formatCount(found, 'page')}`,
    ...describeSkipped({ skipped, failed }),
  ].join(', ');
}

function describeCrawl({
  found,
  fetched,
  skipped,
  failed,
  unchanged = 0,
  removed = 0,
}: NonNullable<KnowledgeDocument['crawl']>): string {
  return [
    `${fetched} of ${formatCount(found, 'page')} imported`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...describeSkipped({ skipped, failed }),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ].join(', ');
}

function describeSkipped({ skipped, failed }: { skipped: number; failed: number }): string[] {
  return [...(skipped > 0 ? [`${skipped} skipped`] : []), ...(failed > 0 ? [`${failed} failed`] : [])];
}
