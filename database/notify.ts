import type { Database, PreparedStatement } from './database.ts';

const NOTIFY: PreparedStatement = { name: 'notify', text: 'SELECT pg_notify($1, $2)' };

/** Wakes who listens to the channel once the transaction has committed, with whose COMMIT it goes out. */
export async function notify(db: Database, channel: string, payload = ''): Promise<void> {
  if (db.isTransaction) db.preparedWithCommit(NOTIFY, [channel, payload]);
  else await db.prepared(NOTIFY, [channel, payload]);
}
