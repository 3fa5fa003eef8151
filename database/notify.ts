import type { Database } from './database.ts';

const NOTIFY = { name: 'notify', isPrepared: true, text: 'SELECT pg_notify($1, $2)' };

/**
 * Sends a notification on a PostgreSQL channel (NOTIFY). In a transaction, PostgreSQL sends the notification
 * with COMMIT.
 */
export async function notifyChannel(db: Database, channel: string, payload = ''): Promise<void> {
  if (db.isTransaction) db.runWithCommit(NOTIFY, [channel, payload]);
  else await db.run(NOTIFY, [channel, payload]);
}
