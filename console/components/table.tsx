import { useLayoutEffect, useRef, type ReactNode } from 'react';

export interface TableProps {
  /** Headings of the columns. */
  columns: readonly ReactNode[];
  /** Whether the last column contains buttons. */
  hasActions?: boolean;
  children: ReactNode;
}

/**
 * Table that scrolls sideways if it is too wide. On a phone, each row becomes a card with its cells below
 * each other.
 */
export function Table({ columns, hasActions = false, children }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    for (const row of body.current?.rows ?? [])
      for (const [index, cell] of [...row.cells].entries())
        cell.dataset['label'] = getColumnName(columns[index]);
  });
  return (
    <div className="table-frame">
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index}>{column}</th>
            ))}
            {hasActions && (
              <th>
                <span className="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </div>
  );
}

function getColumnName(column: ReactNode): string {
  return typeof column === 'string' ? column : '';
}
