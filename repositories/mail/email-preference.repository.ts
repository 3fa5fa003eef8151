import type { Database } from '../../database/database.ts';

export class EmailPreferenceRepository {
  async turnedOff(db: Database, userId: string): Promise<string[]> {
    const [row] = await db.sql<{ turnedOff: string[] }>(
      'SELECT turned_off AS "turnedOff" FROM email_preferences WHERE user_id = $1',
      [userId],
    );
    return row?.turnedOff ?? [];
  }

  /** Two changes at a time do not undo each other. Nothing happens to an account that is gone. */
  async change(db: Database, userId: string, changes: { on: string[]; off: string[] }): Promise<void> {
    await db.sql(
      `INSERT INTO email_preferences AS present (user_id, turned_off)
       SELECT id, $3::text[] FROM users WHERE id = $1
       ON CONFLICT (user_id) DO UPDATE SET updated_at = now(), turned_off = ARRAY(
         SELECT unnest(present.turned_off) EXCEPT SELECT unnest($2::text[]) UNION SELECT unnest($3::text[]))`,
      [userId, changes.on, changes.off],
    );
  }
}
