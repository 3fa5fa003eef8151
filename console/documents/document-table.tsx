import type { DocumentRead } from '../client/types.ts';
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
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th>Document</th>
            <th>Status</th>
            <th>Passages</th>
            <th>Size</th>
            <th>Added</th>
            <th>
              <span class="unseen">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <DocumentRow
              key={document.id}
              url={`${url}/${document.id}`}
              document={document}
              onChange={onChange}
              onDeleted={onDeleted}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
