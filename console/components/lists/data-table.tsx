import { UnstyledButton } from '@mantine/core';
import {
  createSortedRowModel,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useMemo, type ReactNode } from 'react';
import { IconChevron } from '../../shell/icons.ts';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

export interface DataColumn<T> {
  name: string;
  render(row: T): ReactNode;
  /** Value by which the user can sort the table's rows. Undefined if the column cannot be sorted. */
  sortBy?: (row: T) => string | number;
  /**
   * State of sorting the list by this column in the API, with the highest value first. Undefined if the API
   * does not sort the list by this column.
   */
  apiOrder?: { isActive: boolean; apply(): void };
  /** Control in the heading of the column, instead of the name. */
  heading?: ReactNode;
  /**
   * Kind of the column. `number` aligns the cells at the right. `actions` has no visible heading, `check`
   * contains checkboxes.
   */
  kind?: 'text' | 'number' | 'actions' | 'check';
  /** Whether the column is omitted on a phone, where each row is a card. */
  isSecondary?: boolean;
}

export interface DataTableProps<T> {
  /** Accessible name of the table. */
  label: string;
  rows: readonly T[];
  columns: readonly DataColumn<T>[];
}

/** Table whose rows the user can sort by a heading. On a phone, each row becomes a card. */
export function DataTable<T extends { id: string }>({ label, rows, columns }: DataTableProps<T>) {
  const definitions = useMemo(
    () =>
      columns.map(({ name, sortBy }): ColumnDef<typeof features, T> => ({
        id: name,
        accessorFn: sortBy ?? (() => ''),
        enableSorting: sortBy !== undefined,
        sortFn: 'basic',
      })),
    [columns],
  );
  const table = useTable({ features, columns: definitions, data: rows as T[], getRowId: ({ id }: T) => id });
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  return (
    <div className="data-frame">
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, kind = 'text', sortBy, apiOrder, heading }, index) => {
              const column = sortBy && headers[index]?.column;
              const order = apiOrder?.isActive ? 'desc' : column?.getIsSorted() || undefined;
              const sort = apiOrder ? () => apiOrder.apply() : column && (() => column.toggleSorting());
              return (
                <th
                  key={name}
                  data-kind={kind}
                  aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
                >
                  {heading ?? (
                    <Heading name={name} isHidden={kind === 'actions'} order={order} onSort={sort} />
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <tr key={id} data-id={id}>
              {columns.map(({ name, kind = 'text', isSecondary, render }) => (
                <td
                  key={name}
                  data-kind={kind}
                  data-secondary={isSecondary || undefined}
                  data-label={kind === 'text' || kind === 'number' ? name : undefined}
                >
                  {render(original)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps {
  name: string;
  isHidden: boolean;
  order: 'asc' | 'desc' | undefined;
  onSort: (() => void) | undefined;
}

function Heading({ name, isHidden, order, onSort }: HeadingProps) {
  if (isHidden) return <span className="unseen">{name}</span>;
  if (onSort === undefined) return name;
  return (
    <UnstyledButton className="sort-button" data-order={order} onClick={onSort}>
      {name}
      <IconChevron size={14} />
    </UnstyledButton>
  );
}
