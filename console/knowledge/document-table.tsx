import { useState } from 'react';
import type { DocumentRead } from '../client/types.ts';
import { Table } from '../components/table.tsx';
import { DocumentRow } from './document-row.tsx';
import { SiteRows } from './site-rows.tsx';

export interface DocumentTableProps {
  /** URL of the bot's documents in the API. */
  url: string;
  documents: readonly DocumentRead[];
  onChange(document: DocumentRead): void;
  onDeleted(): void;
  /** Called after a change that may affect pages of websites in other rows. */
  onPagesChanged(): void;
}

const columns = ['Document', 'Status', 'Passages', 'Size', 'Added'];

export function DocumentTable({ url, documents, onChange, onDeleted, onPagesChanged }: DocumentTableProps) {
  const [round, setRound] = useState(0);
  return (
    <Table columns={columns} hasActions>
      {documents.map((document) =>
        document.source_type === 'sitemap' ? (
          <SiteRows
            key={document.id}
            url={url}
            site={document}
            columnCount={columns.length + 1}
            onChange={onChange}
            onDeleted={onDeleted}
            round={round}
            onPagesChanged={() => {
              setRound((count) => count + 1);
              onPagesChanged();
            }}
          />
        ) : (
          <DocumentRow
            key={document.id}
            url={`${url}/${document.id}`}
            document={document}
            onChange={onChange}
            onDeleted={onDeleted}
          />
        ),
      )}
    </Table>
  );
}
