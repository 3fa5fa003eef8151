import type { Database } from '../../database/database.ts';
import { isNewerThan } from '../../database/times.ts';
import type { AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertInbound, AlertProvider } from '../../entities/alerts/alert-provider.entity.ts';

/** Telegram deletes unread updates after a day, so a new start after three days reads nothing twice. */
const MAX_IDLE_TIME = `interval '3 days'`;

/** Provider accounts, and the ids of messages received from them. */
export class AlertProviderRepository {
  /**
   * Returns zero if nothing was read for days. After a week without updates, Telegram may restart its numbering at a
   * lower number.
   */
  async getCursor(db: Database, channel: AlertChannel, account: string): Promise<number> {
    const cursorAt = isNewerThan(MAX_IDLE_TIME);
    const row = await db.repository(AlertProvider).findOneBy({ channel, account, cursorAt });
    return Number(row?.cursor ?? 0);
  }

  async moveCursor(db: Database, channel: AlertChannel, account: string, cursor: number): Promise<void> {
    await db
      .repository(AlertProvider)
      .upsert({ channel, account, cursor: String(cursor), cursorAt: () => 'now()' }, ['channel', 'account']);
  }

  /** Stores the ids of received messages. Returns those that are new. */
  async recordInbound(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
    // Uses one order, so that two processes that store the same ids wait and do not deadlock.
    const rows = [...new Set(ids)].toSorted().map((id) => ({ id }));
    if (rows.length === 0) return new Set();
    const query = db.repository(AlertInbound).createQueryBuilder().insert().values(rows).orIgnore();
    const { raw } = await query.returning(['id']).updateEntity(false).execute();
    return new Set((raw as { id: string }[]).map(({ id }) => id));
  }
}
