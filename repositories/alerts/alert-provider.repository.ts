import type { Database } from '../../database/database.ts';
import { isNewerThan } from '../../database/times.ts';
import type { AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertInbound, AlertProvider } from '../../entities/alerts/alert-provider.entity.ts';

/** Telegram forgets after a day what nobody has read, so there is nothing between that is read twice. */
const LONGEST_QUIET = `interval '3 days'`;

/** Accounts at providers, and what they have handed in. */
export class AlertProviderRepository {
  /** Zero where nothing was read for days: Telegram counts on from any number, also a lower one, after a week without updates. */
  async getCursor(db: Database, channel: AlertChannel, account: string): Promise<number> {
    const cursorAt = isNewerThan(LONGEST_QUIET);
    const row = await db.repository(AlertProvider).findOneBy({ channel, account, cursorAt });
    return Number(row?.cursor ?? 0);
  }

  async moveCursor(db: Database, channel: AlertChannel, account: string, cursor: number): Promise<void> {
    await db
      .repository(AlertProvider)
      .upsert({ channel, account, cursor: String(cursor), cursorAt: () => 'now()' }, ['channel', 'account']);
  }

  /** Records what a provider has handed in, and returns the ids that it had not handed in before. */
  async note(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
    // In one order, so that two processes that record the same ids wait for each other and do not deadlock.
    const rows = [...new Set(ids)].toSorted().map((id) => ({ id }));
    if (rows.length === 0) return new Set();
    const query = db.repository(AlertInbound).createQueryBuilder().insert().values(rows).orIgnore();
    const { raw } = await query.returning(['id']).updateEntity(false).execute();
    return new Set((raw as { id: string }[]).map(({ id }) => id));
  }
}
