import type { Database } from './database.ts';

/** Keeps others who ask for the same name waiting until the transaction ends: what is not there yet cannot be locked. */
export async function lockName(db: Database, name: string): Promise<void> {
  await db.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
