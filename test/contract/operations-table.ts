import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** A row of docs/operations.csv. */
export interface TableRow {
  method: string;
  path: string;
  operationId: string;
  tag: string;
  required_scope: string;
  minimum_role: string;
  success_status: string;
}

/** Every operation that the API must implement. */
export const operationsTable: TableRow[] = parse(
  readFileSync(new URL('../../docs/operations.csv', import.meta.url), 'utf8'),
  { columns: true },
);
