import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../entities/database.ts';
import type { Installation } from './installation.ts';

/**
 * Counts the statements that PostgreSQL executes during `work`, by their beginning. The server logs each, which costs
 * time, so this is no run to measure speed in.
 * @param db one connection, whose own statements are not counted
 */
export async function statementsDuring(
  { folder }: Installation,
  db: Database,
  work: () => Promise<void>,
): Promise<Map<string, number>> {
  const log = join(folder, 'logs/postgres.log');
  await db.sql("SET log_statement = 'none'");
  await setForAll(db, { log_statement: "'all'", log_parameter_max_length: '0' });
  const from = statSync(log).size;
  await work();
  const text = readFrom(log, from);
  await setForAll(db, { log_statement: 'DEFAULT', log_parameter_max_length: 'DEFAULT' });
  const counts = new Map<string, number>();
  for (const [, beginning = ''] of text.matchAll(/LOG: {2}(?:statement|execute [^:]+):\s+(.{0,80})/g)) {
    counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
  }
  return counts;
}

async function setForAll(db: Database, settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await db.sql(`ALTER SYSTEM SET ${name} = ${value}`);
  await db.sql('SELECT pg_reload_conf()');
}

function readFrom(file: string, position: number): string {
  const bytes = Buffer.alloc(statSync(file).size - position);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
  return bytes.toString('utf8');
}
