import { useState } from 'react';
import { Table } from '../table.tsx';
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
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={`Show as table: ${title}`}>Show as table</summary>
      {isOpen && (
        <Table columns={[rowName, ...series.map(({ name }) => name)]}>
          {rows.map(({ name }, index) => (
            <tr key={name}>
              <td>{name}</td>
              {series.map((each) => (
                <td key={each.name}>{formatOptional(each.values[index], format)}</td>
              ))}
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}
