import { Checkbox, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { KnowledgeDocument } from '../client/types.ts';
import { usePermission } from '../session/use-permission.ts';
import { IconChevron } from '../shell/icons.ts';
import { BulkBar } from './bulk-bar.tsx';
import { DocumentRow, type RowContext } from './document-row.tsx';
import { SiteRows } from './site-rows.tsx';

export interface DocumentTableProps {
  /** URL of the bot's documents in the API. */
  url: string;
  documents: readonly KnowledgeDocument[];
  /** Returns the URL that opens the details of a document. */
  toHref(id: string): string;
  onChange(document: KnowledgeDocument): void;
  onReload(): void;
}

const columns: readonly (readonly [
  name: string,
  sortBy: (document: KnowledgeDocument) => string | number,
  kind?: 'number',
])[] = [
  ['Document', ({ title }) => title.toLowerCase()],
  ['Status', ({ status }) => status],
  ['Passages', ({ chunk_count: count }) => count, 'number'],
  ['Size', ({ size_bytes: size }) => size, 'number'],
  ['Added', ({ created_at: at }) => at],
];

/** Table of documents, which the user can sort and select. */
export function DocumentTable({ url, documents, toHref, onChange, onReload }: DocumentTableProps) {
  const mayWrite = usePermission()('knowledge:write', 'member');
  const [sort, setSort] = useState<{ column: number; isDescending: boolean } | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  const selectedDocuments = documents.filter(({ id }) => selected.has(id));
  const areAllSelected = selectedDocuments.length === documents.length;
  const reloadPages = (): void => {
    setRound((count) => count + 1);
    onReload();
  };
  const context: RowContext = {
    toHref,
    mayWrite,
    isSelected: (id) => selected.has(id),
    onSelect: (id, isChecked) =>
      setSelected((before) => {
        const next = new Set(before);
        if (isChecked) next.add(id);
        else next.delete(id);
        return next;
      }),
  };
  return (
    <>
      <div className="data-frame">
        <table className="data-table documents" aria-label="Documents">
          <thead>
            <tr>
              {mayWrite && (
                <th data-kind="check">
                  <Checkbox
                    size="xs"
                    aria-label="Select all documents"
                    checked={areAllSelected}
                    indeterminate={selectedDocuments.length > 0 && !areAllSelected}
                    onChange={() => setSelected(new Set(areAllSelected ? [] : documents.map(({ id }) => id)))}
                  />
                </th>
              )}
              {columns.map(([name, , kind], column) => {
                const isSorted = sort?.column === column;
                const order = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined;
                return (
                  <th key={name} data-kind={kind} aria-sort={order}>
                    <UnstyledButton
                      className="sort-button"
                      data-order={order && (order === 'ascending' ? 'asc' : 'desc')}
                      onClick={() => setSort({ column, isDescending: isSorted && !sort.isDescending })}
                    >
                      {name}
                      <IconChevron size={14} />
                    </UnstyledButton>
                  </th>
                );
              })}
              <th data-kind="actions">
                <span className="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sortDocuments(documents, sort).map((document) =>
              document.source_type === 'sitemap' ? (
                <SiteRows
                  key={document.id}
                  url={url}
                  site={document}
                  context={context}
                  columnCount={columns.length + (mayWrite ? 2 : 1)}
                  round={round}
                  onChange={onChange}
                  onDeleted={onReload}
                  onPagesChanged={reloadPages}
                />
              ) : (
                <DocumentRow
                  key={document.id}
                  url={`${url}/${document.id}`}
                  document={document}
                  context={context}
                  onChange={onChange}
                  onDeleted={onReload}
                />
              ),
            )}
          </tbody>
        </table>
      </div>
      {selectedDocuments.length > 0 && (
        <BulkBar
          url={url}
          documents={selectedDocuments}
          onDone={() => {
            setSelected(new Set());
            reloadPages();
          }}
          onClear={() => setSelected(new Set())}
        />
      )}
    </>
  );
}

function sortDocuments(
  documents: readonly KnowledgeDocument[],
  sort: { column: number; isDescending: boolean } | null,
): readonly KnowledgeDocument[] {
  if (sort === null) return documents;
  const sortBy = columns[sort.column]![1];
  const direction = sort.isDescending ? -1 : 1;
  return documents.toSorted((a, b) => {
    const [first, second] = [sortBy(a), sortBy(b)];
    return first === second ? 0 : (first < second ? -1 : 1) * direction;
  });
}
