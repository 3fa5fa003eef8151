import type { Database } from '../../entities/database.ts';
import { until } from './worker.ts';

/** Waits until a statement in this database waits for a lock that another one holds. */
export function untilBlocked(database: Database, what: string): Promise<void> {
  return until(async () => {
    const waiting = await database.sql(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  }, `${what} to wait`);
}
