import { ActionIcon } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { KnowledgeDocument } from '../client/types.ts';
import { ListFoot } from '../components/lists/list-view.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { IconChevron } from '../shell/icons.ts';
import { useList } from '../state/use-list.ts';
import { DocumentRow, type RowContext } from './document-row.tsx';
import { isFinal } from './use-progress.ts';

export interface SiteRowsProps {
  /** URL of the bot's documents in the API. */
  url: string;
  site: KnowledgeDocument;
  context: RowContext;
  columnCount: number;
  onChange(document: KnowledgeDocument): void;
  onDeleted(): void;
  /** Number that changes whenever the pages of the website must be loaded again. */
  round: number;
  /**
   * Called when pages of any website may have changed: a page that two websites contain moves from one
   * website to the other.
   */
  onPagesChanged(): void;
}

const MAX_PAGES = 100;

/** Table row of a website, which expands to rows of its pages. */
export function SiteRows({
  url,
  site,
  context,
  onChange,
  onDeleted,
  onPagesChanged,
  ...rest
}: SiteRowsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <DocumentRow
        url={`${url}/${site.id}`}
        document={site}
        context={context}
        onChange={(changed) => {
          onChange(changed);
          if (isFinal(changed)) onPagesChanged();
        }}
        onDeleted={onDeleted}
        toggle={
          <ActionIcon
            className="site-toggle"
            variant="subtle"
            color="gray"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Show'} pages of ${site.title}`}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevron />
          </ActionIcon>
        }
      />
      {isOpen && <PageRows {...rest} url={url} site={site} context={context} />}
    </>
  );
}

type PageRowsProps = Pick<SiteRowsProps, 'url' | 'site' | 'context' | 'columnCount' | 'round'>;

/** Rows of the pages of a website in the table of documents. They appear during the crawl. */
function PageRows({ url, site, context, columnCount, round }: PageRowsProps) {
  const pages = useList<KnowledgeDocument>(url, { parent_id: site.id, page_size: MAX_PAGES });
  const isRead = isFinal(site);
  // Load the pages again when the crawl of the website has found more pages, ends, or starts again.
  useEffect(() => {
    if (pages.data !== undefined) pages.reload();
  }, [round, isRead, site.chunk_count]);
  const { data, problem } = pages;
  return (
    <>
      {data?.map((page) => (
        <DocumentRow
          key={page.id}
          url={`${url}/${page.id}`}
          document={page}
          context={context}
          isPageOfSite
          pollsProgress={isRead}
          onChange={pages.replace}
          onDeleted={pages.reload}
        />
      ))}
      {(problem !== null || data?.length === 0 || pages.hasMore) && (
        <tr className="of-site">
          <td colSpan={columnCount}>
            <ProblemMessage problem={problem} onRetry={pages.reload} />
            {data?.length === 0 ? (
              <span className="hint">No pages yet</span>
            ) : (
              data && <ListFoot list={pages} noun="page" />
            )}
          </td>
        </tr>
      )}
    </>
  );
}
