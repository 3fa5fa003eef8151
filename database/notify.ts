import type { Database } from './database.ts';

const NOTIFY = { name: 'notify', isPrepared: true, text: 'SELECT pg_notify($1, $2)' };

/** Wakes who listens to the channel once the transaction has committed, with whose COMMIT it goes out. */
export async function notify(db: Database, channel: string, payload = ''): Promise<void> {
  if (db.isTransaction) db.runWithCommit(NOTIFY, [channel, payload]);
  else await db.run(NOTIFY, [channel, payload]);
}
