import type { ReactNode } from 'react';
import { toLocalPath } from '../client/paths.ts';
import type { DocumentDownload, DocumentRead } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { ActionButton } from '../components/action-button.tsx';
import { Badge } from '../components/badge.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { showConfirmation } from '../components/notices.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { SafeLink } from '../components/safe-link.tsx';
import { followLink } from '../components/save-file.ts';
import { TimeText } from '../components/time-text.tsx';
import { CrawlFacts } from './crawl-facts.tsx';
import { RefreshField } from './refresh-field.tsx';
import { formatSize } from './format-size.ts';
import { isFinal, useProgress } from './use-progress.ts';

export interface DocumentRowProps {
  url: string;
  document: DocumentRead;
  onChange(document: DocumentRead): void;
  onDeleted(): void;
  /** Whether the document is a page of a website, whose row is above. */
  isPageOfSite?: boolean;
  /** Whether this row polls for the progress of indexing; false if another component does. */
  pollsProgress?: boolean;
  /** Content in an additional row below the document. */
  children?: ReactNode;
}

const sourceNames: Record<DocumentRead['source_type'], string> = {
  file: 'file',
  raw_text: 'text',
  url: 'page',
  sitemap: 'site',
};

export function DocumentRow(props: DocumentRowProps) {
  const { url, document, onChange, onDeleted, isPageOfSite = false, pollsProgress = true, children } = props;
  const { problem, progress } = useProgress(url, document, pollsProgress, onChange);
  const mayWrite = usePermission()('knowledge:write', 'member');
  return (
    <tr data-id={document.id} className={isPageOfSite ? 'of-site' : ''}>
      <td className="wide">
        <strong>{document.title}</strong> <span className="hint">{sourceNames[document.source_type]}</span>
        {document.source_url !== null && (
          <p>
            <SafeLink href={document.source_url}>{document.source_url}</SafeLink>
          </p>
        )}
        <CrawlFacts document={document} progress={progress} />
        <Remark document={document} />
        {mayWrite && !isPageOfSite && document.source_url !== null && (
          <RefreshField url={url} document={document} onChange={onChange} />
        )}
        <ProblemMessage problem={problem} />
        {children}
      </td>
      <td aria-live="polite">
        <Badge state={document.status} />
        {!isFinal(document) && <progress aria-label="Indexing" />}
      </td>
      <td>{formatPassageCount(document)}</td>
      <td>{formatSize(document.size_bytes)}</td>
      <td>
        <TimeText at={document.created_at} />
      </td>
      <td>
        <DocumentActions url={url} document={document} onChange={onChange} onDeleted={onDeleted} />
      </td>
    </tr>
  );
}

function DocumentActions({ url, document, onChange, onDeleted }: DocumentRowProps) {
  const { client } = useSession();
  const mayWrite = usePermission()('knowledge:write', 'member');
  const downloadDocument = async (): Promise<void> => {
    const { url: link, filename } = await client.get<DocumentDownload>(`${url}/download`);
    followLink(toLocalPath(link, '/api/files/') ?? link, filename);
  };
  return (
    <div className="row end">
      {document.size_bytes > 0 && document.source_type !== 'sitemap' && (
        <ActionButton about={document.title} onAction={downloadDocument}>
          Download
        </ActionButton>
      )}
      {mayWrite && (
        <>
          <ActionButton
            about={document.title}
            isDisabled={!isFinal(document)}
            onAction={async () => onChange(await client.post<DocumentRead>(`${url}/reindex`))}
          >
            Index again
          </ActionButton>
          <ConfirmButton
            about={document.title}
            question={`Delete ${document.title}?`}
            consequence={
              document.source_type === 'sitemap'
                ? 'Answers no longer use any of its pages, and they are permanently deleted.'
                : 'Answers no longer use it, and the original is permanently deleted.'
            }
            onConfirm={async () => {
              await client.delete(url);
              showConfirmation('The document is deleted.');
              onDeleted();
            }}
          >
            Delete
          </ConfirmButton>
        </>
      )}
    </div>
  );
}

/** Shows the error or hint of a document. Omits lines about pages that `CrawlFacts` lists. */
function Remark({ document: { status, crawl, error_message: message } }: { document: DocumentRead }) {
  const listed = (status === 'indexed' && crawl?.left_out) || [];
  const isListed = (line: string): boolean =>
    listed.some(({ url }) => line.startsWith(`${url}: `)) || /:$|^and \d+ more\.$/.test(line);
  const lines = (message ?? '').split('\n').filter((line) => listed.length === 0 || !isListed(line));
  const text = lines.join('\n');
  return text === '' ? null : <p className="reason">{text}</p>;
}

/**
 * Formats the number of passages, which for a website includes its pages. Before a website's first crawl,
 * returns a dash.
 */
function formatPassageCount({ source_type: type, chunk_count: count }: DocumentRead): string {
  return type === 'sitemap' && count === 0 ? '–' : String(count);
}
