import { Checkbox, Menu } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { IconFile, IconQuestion, IconWorld } from '../bots/icons.ts';
import type { KnowledgeDocument } from '../client/types.ts';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { showConfirmation, showError } from '../components/page/notices.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { RowMenu } from '../components/dialogs/row-menu.tsx';
import { Status } from '../components/lists/status.tsx';
import { goTo } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { IconList, IconRefresh, IconTrash } from '../shell/icons.ts';
import { useAction } from '../state/use-action.ts';
import { CrawlFacts } from './crawl-facts.tsx';
import { documentWords, sourceNames } from './document-words.ts';
import { DownloadItem, isDownloadable } from './download-item.tsx';
import { formatSize } from './format-size.ts';
import { IconText } from './icons.ts';
import { isFinal, useProgress } from './use-progress.ts';

/** State and functions that all rows of the table of documents share. */
export interface RowContext {
  mayWrite: boolean;
  toHref(id: string): string;
  isSelected(id: string): boolean;
  onSelect(id: string, isChecked: boolean): void;
}

export interface DocumentRowProps {
  url: string;
  document: KnowledgeDocument;
  context: RowContext;
  onChange(document: KnowledgeDocument): void;
  onDeleted(): void;
  /** Whether the document is a page of a website, whose row is above this row. */
  isPageOfSite?: boolean;
  /** Whether this row polls for the progress of indexing the document; false if another component does. */
  pollsProgress?: boolean;
  /** Button that shows or hides the pages of a website. */
  toggle?: ReactNode;
}

const sourceIcons: Record<KnowledgeDocument['source_type'], ReactNode> = {
  file: <IconFile />,
  raw_text: <IconText />,
  url: <IconWorld />,
  sitemap: <IconWorld />,
};

export function DocumentRow(props: DocumentRowProps) {
  const { url, document, context, onChange, isPageOfSite = false, pollsProgress = true, toggle } = props;
  const { problem, progress } = useProgress(url, document, pollsProgress, onChange);
  const [tone, name] = documentWords[document.status];
  return (
    <tr data-id={document.id} className={isPageOfSite ? 'of-site' : ''}>
      {context.mayWrite && (
        <td data-kind="check">
          {!isPageOfSite && (
            <Checkbox
              size="xs"
              aria-label={`Select ${document.title}`}
              checked={context.isSelected(document.id)}
              onChange={({ currentTarget }) => context.onSelect(document.id, currentTarget.checked)}
            />
          )}
        </td>
      )}
      <td data-kind="title">
        <div className="document-title">
          <span title={document.is_qa ? 'Q&A' : sourceNames[document.source_type]}>
            {document.is_qa ? <IconQuestion /> : sourceIcons[document.source_type]}
          </span>
          <div>
            <a className="cell-link" href={context.toHref(document.id)} title={document.title}>
              {document.title}
            </a>
            <Summary document={document} progress={progress} />
            <ProblemMessage problem={problem} />
          </div>
          {toggle}
        </div>
      </td>
      <td data-label="Status" aria-live="polite">
        <Status tone={tone}>{name}</Status>
      </td>
      <td data-label="Passages" data-kind="number">
        {formatPassageCount(document)}
      </td>
      <td data-label="Size" data-kind="number">
        {document.size_bytes === 0 ? '–' : formatSize(document.size_bytes)}
      </td>
      <td data-label="Added">
        <RelativeTime at={document.created_at} />
      </td>
      <td data-kind="actions">
        <Actions {...props} />
      </td>
    </tr>
  );
}

/** Shows one line below the document's title: the progress of a crawl, a problem, or the source. */
function Summary({
  document,
  progress,
}: Pick<DocumentRowProps, 'document'> & Parameters<typeof CrawlFacts>[0]) {
  const { status, error_message: message, source_url: source } = document;
  if (progress !== null || document.crawl) return <CrawlFacts document={document} progress={progress} />;
  if (status === 'failed')
    return (
      <span className="cell-note document-problem" title={message ?? undefined}>
        {message}
      </span>
    );
  const text = source ?? (message ? message.split('\n')[0] : null);
  return text ? (
    <span className="cell-note document-note" title={text}>
      {text}
    </span>
  ) : null;
}

function Actions({ url, document, context, onChange, onDeleted }: DocumentRowProps) {
  const { client } = useSession();
  const [isAsking, setAsking] = useState(false);
  const resync = useAction(
    async () => onChange(await client.post<KnowledgeDocument>(`${url}/reindex`)),
    ({ message }) => showError(message),
  );
  const isSite = document.source_type === 'sitemap';
  return (
    <>
      <RowMenu about={document.title}>
        <Menu.Item leftSection={<IconList />} onClick={() => goTo(context.toHref(document.id))}>
          View details
        </Menu.Item>
        {isDownloadable(document) && <DownloadItem url={url} />}
        {context.mayWrite && (
          <>
            <Menu.Item
              leftSection={<IconRefresh />}
              disabled={!isFinal(document)}
              onClick={() => resync.run()}
            >
              Re-sync
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash />} onClick={() => setAsking(true)}>
              Delete…
            </Menu.Item>
          </>
        )}
      </RowMenu>
      {isAsking && (
        <ConfirmDialog
          question={`Delete ${document.title}?`}
          consequence={`The bot will stop using ${isSite ? 'all of its pages' : 'it'}. This can't be undone.`}
          action="Delete"
          onConfirm={async () => {
            await client.delete(url);
            showConfirmation('Document deleted');
            onDeleted();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/**
 * Formats the number of a document's passages, which for a website includes its pages. Before a website's
 * first crawl, returns a dash.
 */
function formatPassageCount({ source_type: type, chunk_count: count }: KnowledgeDocument): string {
  return type === 'sitemap' && count === 0 ? '–' : String(count);
}
