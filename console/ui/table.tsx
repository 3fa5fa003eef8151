import type { ComponentChildren } from 'preact';

export interface TableProps {
  /** Their heads. */
  columns: readonly ComponentChildren[];
  /** Whether the last cell of each row has what can be done with it. */
  hasActions?: boolean;
  /** The rows. */
  children: ComponentChildren;
}

/** A table that scrolls in its own frame where the page is narrower. */
export function Table({ columns, hasActions = false, children }: TableProps) {
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
                <span class="unseen">What can be done</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
