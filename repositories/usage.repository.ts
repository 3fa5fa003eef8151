import { AppError } from '../core/errors.ts';
import type { Bot } from '../entities/bot.entity.ts';
import type { OrgScope } from './org-scope.ts';

export class UsageRepository {
  /**
   * Counts one answer of the present month (UTC), exactly under concurrency.
   * @throws AppError `quota_exceeded` when the bot's monthly_message_cap is reached
   */
  async countAnswer({ db, orgId }: OrgScope, { id, monthlyMessageCap }: Bot): Promise<void> {
    const counted = await db.sql(
      `INSERT INTO monthly_usage AS usage (bot_id, month, org_id, messages)
       SELECT $1, date_trunc('month', now() AT TIME ZONE 'UTC')::date, $2, 1 WHERE $3::int IS NULL OR $3::int > 0
       ON CONFLICT (bot_id, month) DO UPDATE SET messages = usage.messages + 1
       WHERE $3::int IS NULL OR usage.messages < $3::int
       RETURNING messages`,
      [id, orgId, monthlyMessageCap],
    );
    if (counted.length === 0) {
      throw new AppError('quota_exceeded', 'The bot has used up its messages of this month.');
    }
  }
}
