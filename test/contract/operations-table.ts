import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** A row of docs/operations.csv or docs/operations-ext.csv. */
export interface TableRow {
  method: string;
  path: string;
  operationId: string;
  tag: string;
  required_scope: string;
  minimum_role: string;
  success_status: string;
}

/** Operations of the API's contract, as documented in docs/operations.csv. */
export const operationsTable = readTable('operations.csv');

/** Operations beyond the contract, as documented in docs/operations-ext.csv. */
export const extensionsTable = readTable('operations-ext.csv');

function readTable(file: string): TableRow[] {
  const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
  return parse<TableRow>(text, { columns: true });
}
