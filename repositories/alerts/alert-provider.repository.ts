import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
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

  /** Returns whether it has not been handed in before. */
  async note(db: Database, id: string): Promise<boolean> {
    return (await insertOrIgnore(db.repository(AlertInbound), { id })) !== null;
  }
}
