import { DataTable, type DataColumn } from '../lists/data-table.tsx';
import { Details } from '../page/details.tsx';
import { formatOptional, type ChartData, type Format } from './chart-data.ts';

export interface ChartTableProps {
  title: string;
  data: ChartData;
  format: Format;
}

/**
 * Shows the values of a chart as a table, which the page renders only while it is open: the table may have
 * 366 rows.
 */
export function ChartTable({ title, data: { rowName, rows, series }, format }: ChartTableProps) {
  const columns: DataColumn<{ id: string; at: number }>[] = [
    { name: rowName, render: ({ id }) => id },
    ...series.map(({ name, values }) => ({
      name,
      kind: 'number' as const,
      render: ({ at }: { at: number }) => formatOptional(values[at], format),
    })),
  ];
  return (
    <Details title="Show as table" about={title}>
      <DataTable label={title} rows={rows.map(({ name }, at) => ({ id: name, at }))} columns={columns} />
    </Details>
  );
}
