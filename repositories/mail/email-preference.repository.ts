import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { EmailPreference } from '../../entities/mail/email-preference.entity.ts';

export class EmailPreferenceRepository {
  async listTurnedOff(db: Database, userId: string): Promise<string[]> {
    const preference = await db.repository(EmailPreference).findOneBy({ userId });
    return preference?.turnedOff ?? [];
  }

  /**
   * Adds and removes a person's email preferences in one locked update, so that concurrent changes are not
   * lost. Has no effect on a deleted account.
   */
  update(database: Database, userId: string, changes: { on: string[]; off: string[] }): Promise<void> {
    return database.transaction(async (db) => {
      const account = await db
        .repository(User)
        .findOne({ where: { id: userId }, select: { id: true }, lock: { mode: 'for_key_share' } });
      if (!account) return;
      const preferences = db.repository(EmailPreference);
      if (await insertOrIgnore(preferences, { userId, turnedOff: changes.off })) return;
      const lock = { mode: 'pessimistic_write' } as const;
      const { turnedOff } = await preferences.findOneOrFail({ where: { userId }, lock });
      const remaining = turnedOff.filter((category) => !changes.on.includes(category));
      await preferences.update(userId, {
        turnedOff: [...new Set([...remaining, ...changes.off])],
        updatedAt: () => 'now()',
      });
    });
  }
}
