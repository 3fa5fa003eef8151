import type { DocumentRead } from '../client/types.ts';
import { Table } from '../ui/table.tsx';
import { DocumentRow } from './document-row.tsx';

export interface DocumentTableProps {
  /** Of the bot’s documents. */
  url: string;
  documents: readonly DocumentRead[];
  onChange(document: DocumentRead): void;
  onDeleted(): void;
}

export function DocumentTable({ url, documents, onChange, onDeleted }: DocumentTableProps) {
  return (
    <Table columns={['Document', 'Status', 'Passages', 'Size', 'Added']} hasActions>
      {documents.map((document) => (
        <DocumentRow
          key={document.id}
          url={`${url}/${document.id}`}
          document={document}
          onChange={onChange}
          onDeleted={onDeleted}
        />
      ))}
    </Table>
  );
}
