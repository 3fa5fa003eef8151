import type { DocumentRead, DocumentStatusRead } from '../client/types.ts';
import { formatCount } from '../components/format-count.ts';
import { SafeLink } from '../components/safe-link.tsx';

export interface CrawlFactsProps {
  document: DocumentRead;
  /** Progress of a website's crawl; null unless one is running. */
  progress: DocumentStatusRead['progress'];
}

/**
 * Shows the progress of a website's crawl. After the crawl, shows its result with the pages that were left
 * out.
 */
export function CrawlFacts({ document: { crawl }, progress }: CrawlFactsProps) {
  if (progress) return <p aria-live="polite">{describeCrawlProgress(progress)}</p>;
  if (!crawl) return null;
  const { left_out: leftOut = [] } = crawl;
  return (
    <>
      <p>{describeCrawl(crawl)}</p>
      {leftOut.length > 0 && (
        <details>
          <summary>
            Why {formatCount(leftOut.length, 'page')} {leftOut.length === 1 ? 'is' : 'are'} not here
          </summary>
          <ul className="plain-list">
            {leftOut.map(({ url, reason }) => (
              <li key={url}>
                <SafeLink href={url}>{url}</SafeLink>
                <p className="reason">{reason}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function describeCrawlProgress({
  found,
  indexed,
  skipped,
  failed,
}: NonNullable<CrawlFactsProps['progress']>): string {
  if (found === 0) return 'Looking for its pages …';
  return [
    `${indexed} of ${formatCount(found, 'page')} read so far`,
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
}: NonNullable<DocumentRead['crawl']>): string {
  return [
    `${fetched} of ${formatCount(found, 'page')} fetched`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...describeSkipped({ skipped, failed }),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ].join(', ');
}

function describeSkipped({ skipped, failed }: { skipped: number; failed: number }): string[] {
  return [...(skipped > 0 ? [`${skipped} skipped`] : []), ...(failed > 0 ? [`${failed} failed`] : [])];
}
