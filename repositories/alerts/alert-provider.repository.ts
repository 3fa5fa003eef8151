import type { Database } from '../../database/database.ts';
import { isNewerThan } from '../../database/times.ts';
import type { AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertInbound, AlertProvider } from '../../entities/alerts/alert-provider.entity.ts';

/**
 * Age after which a stored cursor of Telegram updates is not used. Telegram deletes unread updates after a
 * day, so a later start without a cursor reads no update twice.
 */
const MAX_IDLE_TIME = `interval '3 days'`;

/** Stores the accounts at messaging providers, and the ids of updates received from them. */
export class AlertProviderRepository {
  /**
   * Returns the cursor of the updates received from a messaging app, or 0 if no update was received for three
   * days. After a week without updates, Telegram may number them from a lower value.
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

  /** Stores the ids of updates received from a messaging app. Returns the ids that are new. */
  async recordInbound(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
    // Insert ids in sorted order in all processes, so that two processes with the same ids do not deadlock.
    const rows = [...new Set(ids)].toSorted().map((id) => ({ id }));
    if (rows.length === 0) return new Set();
    const query = db.repository(AlertInbound).createQueryBuilder().insert().values(rows).orIgnore();
    const { raw } = await query.returning(['id']).updateEntity(false).execute();
    return new Set((raw as { id: string }[]).map(({ id }) => id));
  }
}
