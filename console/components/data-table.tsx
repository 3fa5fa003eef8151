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
import { IconChevron } from '../shell/icons.ts';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

export interface DataColumn<T> {
  name: string;
  render(row: T): ReactNode;
  /** Value by which the user can sort the rows. Undefined if the column cannot be sorted. */
  sortBy?: (row: T) => string | number;
  /** `number` aligns the cells at the right. `actions` has no visible heading. */
  kind?: 'text' | 'number' | 'actions';
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
            {columns.map(({ name, kind = 'text', sortBy }, index) => {
              const column = headers[index]?.column;
              const order = column?.getIsSorted() || undefined;
              return (
                <th
                  key={name}
                  data-kind={kind}
                  aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
                >
                  {kind === 'actions' ? (
                    <span className="unseen">{name}</span>
                  ) : sortBy === undefined ? (
                    name
                  ) : (
                    <UnstyledButton
                      className="sort-button"
                      data-order={order}
                      onClick={() => column?.toggleSorting()}
                    >
                      {name}
                      <IconChevron size={14} />
                    </UnstyledButton>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map(({ id, original }) => (
            <tr key={id} data-id={id}>
              {columns.map(({ name, kind = 'text', render }) => (
                <td key={name} data-kind={kind} data-label={kind === 'actions' ? undefined : name}>
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
