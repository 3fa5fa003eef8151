import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import type { AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertInbound, AlertProvider } from '../../entities/alerts/alert-provider.entity.ts';

/** Accounts at providers, and what they have handed in. */
export class AlertProviderRepository {
  async getCursor(db: Database, channel: AlertChannel, account: string): Promise<number> {
    const row = await db.repository(AlertProvider).findOneBy({ channel, account });
    return Number(row?.cursor ?? 0);
  }

  async moveCursor(db: Database, channel: AlertChannel, account: string, cursor: number): Promise<void> {
    await db
      .repository(AlertProvider)
      .upsert({ channel, account, cursor: String(cursor) }, ['channel', 'account']);
  }

  /** Returns whether it has not been handed in before. */
  async note(db: Database, id: string): Promise<boolean> {
    return (await insertOrIgnore(db.repository(AlertInbound), { id })) !== null;
  }
}
