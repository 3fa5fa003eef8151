import type { Database } from '../../database/database.ts';
import { waitUntil } from './wait-until.ts';

/** SQL that selects the statements in this database that wait for a lock. */
export const BLOCKED =
  "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/** Waits until `count` SQL statements in this database wait for locks. */
export function waitUntilBlocked(database: Database, what: string, count = 1): Promise<void> {
  return waitUntil(async () => (await database.sql(`SELECT ${BLOCKED}`)).length >= count, `${what} to wait`);
}
