import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { ConsolePreference } from '../../entities/accounts/console-preference.entity.ts';

export class ConsolePreferenceRepository {
  find(db: Database, userId: string): Promise<ConsolePreference | null> {
    return db.repository(ConsolePreference).findOneBy({ userId });
  }

  /**
   * Returns the person's preferences for the console, locked until the transaction ends. Inserts a row with
   * defaults if none exists.
   */
  async upsertLocked(db: Database, userId: string): Promise<ConsolePreference> {
    const rows = db.repository(ConsolePreference);
    await insertOrIgnore(rows, { userId });
    return rows.findOneOrFail({ where: { userId }, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    db: Database,
    userId: string,
    changes: Partial<Omit<ConsolePreference, 'userId' | 'updatedAt'>>,
  ): Promise<void> {
    await db.repository(ConsolePreference).update(userId, { ...changes, updatedAt: () => 'now()' });
  }
}
