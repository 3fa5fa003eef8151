import type { Database } from './database.ts';

/**
 * Locks a name until the transaction ends. Used for rows that do not exist yet, and therefore cannot be
 * locked themselves.
 */
export async function lockName(db: Database, name: string): Promise<void> {
  await db.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
