import type { Database } from './database.ts';

const NOTIFY = { name: 'notify', isPrepared: true, text: 'SELECT pg_notify($1, $2)' };

/** Notifies a channel. In a transaction, the notification is sent together with COMMIT. */
export async function notifyChannel(db: Database, channel: string, payload = ''): Promise<void> {
  if (db.isTransaction) db.runWithCommit(NOTIFY, [channel, payload]);
  else await db.run(NOTIFY, [channel, payload]);
}
