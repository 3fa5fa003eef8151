import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface TableProps {
  /** Headings of the columns. */
  columns: readonly ComponentChildren[];
  /** Whether the last column contains buttons. */
  hasActions?: boolean;
  children: ComponentChildren;
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
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index}>{column}</th>
            ))}
            {hasActions && (
              <th>
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </div>
  );
}

function getColumnName(column: ComponentChildren): string {
  return typeof column === 'string' ? column : '';
}
