import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DocumentRead } from '../client/types.ts';
import { usePages } from '../state/use-pages.ts';
import { useSession } from '../session/session.tsx';
import { formatCount } from '../components/format-count.ts';
import { MoreButton } from '../components/more-button.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';
import { DocumentRow } from './document-row.tsx';
import { isFinal } from './use-progress.ts';

export interface SiteRowsProps {
  /** URL of the bot's documents in the API. */
  url: string;
  site: DocumentRead;
  columnCount: number;
  onChange(document: DocumentRead): void;
  onDeleted(): void;
  /** Changes whenever the pages must be loaded again. */
  round: number;
  /**
   * Called when pages of any website may have changed: a page found by two websites moves from one to the
   * other.
   */
  onPagesChanged(): void;
}

const MAX_PAGES = 100;

/** Table rows of a website and its pages, which appear during the crawl. */
export function SiteRows({
  url,
  site,
  columnCount,
  onChange,
  onDeleted,
  round,
  onPagesChanged,
}: SiteRowsProps) {
  const { client } = useSession();
  const [isOpen, setOpen] = useState(true);
  const pages = usePages<DocumentRead>(client, url, { parent_id: site.id, page_size: MAX_PAGES });
  const isRead = isFinal(site);
  // Load the pages again when `round` changes, or when the crawl ends or starts again.
  useEffect(() => {
    if (pages.data !== undefined) pages.reload();
  }, [round, isRead]);
  const { data, problem } = pages;
  return (
    <>
      <DocumentRow
        url={`${url}/${site.id}`}
        document={site}
        onChange={(changed) => {
          onChange(changed);
          if (isFinal(changed)) onPagesChanged();
          else pages.reload();
        }}
        onDeleted={onDeleted}
      >
        {data && data.total > 0 && (
          <Button variant="subtle" color="gray" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} {formatCount(data.total, 'page')}
          </Button>
        )}
      </DocumentRow>
      {isOpen &&
        data?.items.map((page) => (
          <DocumentRow
            key={page.id}
            url={`${url}/${page.id}`}
            document={page}
            isPageOfSite
            pollsProgress={isRead}
            onChange={pages.replace}
            onDeleted={pages.reload}
          />
        ))}
      {isOpen && (problem !== null || (data && data.nextCursor !== null)) && (
        <tr className="of-site">
          <td colSpan={columnCount}>
            <ProblemMessage problem={problem} onRetry={pages.reload} />
            <MoreButton pages={pages} noun="page" />
          </td>
        </tr>
      )}
    </>
  );
}
