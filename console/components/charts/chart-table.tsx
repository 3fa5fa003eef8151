import { useState } from 'react';
import { DataTable, type DataColumn } from '../data-table.tsx';
import { formatOptional, type ChartData, type Format } from './chart-data.ts';

export interface ChartTableProps {
  title: string;
  data: ChartData;
  format: Format;
}

/**
 * Shows the values of a chart as a table. Renders the table only when the user opens it, since it may have
 * 366 rows.
 */
export function ChartTable({ title, data: { rowName, rows, series }, format }: ChartTableProps) {
  const [isOpen, setOpen] = useState(false);
  const columns: DataColumn<{ id: string; at: number }>[] = [
    { name: rowName, render: ({ id }) => id },
    ...series.map(({ name, values }) => ({
      name,
      kind: 'number' as const,
      render: ({ at }: { at: number }) => formatOptional(values[at], format),
    })),
  ];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={`Show as table: ${title}`}>Show as table</summary>
      {isOpen && (
        <DataTable label={title} rows={rows.map(({ name }, at) => ({ id: name, at }))} columns={columns} />
      )}
    </details>
  );
}
