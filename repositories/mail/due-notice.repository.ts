import { And, In, LessThan, MoreThan, type SelectQueryBuilder } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { isNewerThan, isOlderThan } from '../../database/times.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { MonthlyUsage } from '../../entities/bots/monthly-usage.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { ContentNotice } from '../../entities/mail/content-notice.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/**
 * A bot with documents that have failed in the last two days, and about which the team was not notified yet.
 */
export interface FailingBot {
  orgId: string;
  orgName: string;
  botId: string;
  botName: string;
  /** Number of failed documents of the bot. */
  count: number;
  /** Time at which the team was last notified about failed documents of the bot; null if never. */
  notifiedAt: Date | null;
  notifiedSecondsAgo: number | null;
  /** Seconds since the first of the bot's unreported documents failed. */
  oldestSeconds: number;
  /** True while other documents of the bot are being indexed. */
  isReading: boolean;
}

export interface UsedMonth {
  orgId: string;
  orgName: string;
  botId: string;
  botName: string;
  /** First day of the month to which the bot's usage belongs. */
  month: string;
  percent: number;
  used: number;
  cap: number;
}

const FAILURE_PERIOD = "interval '2 days'";
const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";

type JoinedUsage = MonthlyUsage & { bot: Bot & { org: Org } };

const toSecondsSince = (time: string) => `extract(epoch FROM now() - ${time})::float8`;

/**
 * Finds due emails to teams, such as emails about failed documents. A periodic sweep claims or locks each, so
 * that concurrent sweeps send it once.
 */
export class DueNoticeRepository {
  /** Lists bots with failed documents about which the team must be notified, sorted by bot id. */
  listFailingBots(db: Database): Promise<FailingBot[]> {
    const query = db.repository(Document).createQueryBuilder('failed');
    const unfinished = query
      .subQuery()
      .select('1')
      .from(Document, 'other')
      .where(`other.botId = bot.id AND other.status IN ('pending', 'processing')`);
    return query
      .innerJoin(Bot, 'bot', 'bot.id = failed.botId AND bot.deletedAt IS NULL')
      .innerJoin(Org, 'org', 'org.id = bot.orgId AND org.deletedAt IS NULL')
      .leftJoin(ContentNotice, 'notice', 'notice.botId = failed.botId')
      .select('org.id', 'orgId')
      .addSelect('org.name', 'orgName')
      .addSelect('bot.id', 'botId')
      .addSelect('bot.name', 'botName')
      .addSelect('count(*)::int', 'count')
      .addSelect('notice.notifiedAt', 'notifiedAt')
      .addSelect(toSecondsSince('notice.notifiedAt'), 'notifiedSecondsAgo')
      .addSelect(toSecondsSince('min(failed.failedAt)'), 'oldestSeconds')
      .addSelect(`EXISTS ${unfinished.getQuery()}`, 'isReading')
      .where({ status: 'failed', failedAt: isNewerThan(FAILURE_PERIOD) })
      .andWhere('(notice.notifiedAt IS NULL OR failed.failedAt > notice.notifiedAt)')
      .groupBy('org.id')
      .addGroupBy('bot.id')
      .addGroupBy('notice.botId')
      .orderBy('bot.id')
      .getRawMany<FailingBot>();
  }

  /**
   * Claims the email about a bot's failed documents, so that one sweep sends it.
   * @param interval SQL interval, the minimum between two notices
   * @returns false if another sweep has claimed the notice within the interval
   */
  async claimContentNotice(db: Database, botId: string, interval: string): Promise<boolean> {
    const notices = db.repository(ContentNotice);
    if (await insertOrIgnore(notices, { botId })) return true;
    const { affected } = await notices.update(
      { botId, notifiedAt: isOlderThan(interval) },
      { notifiedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /** Lists the newest failed documents of a bot about which the team was not notified yet. */
  listFailures(
    db: Database,
    { orgId, botId, notifiedAt }: Pick<FailingBot, 'orgId' | 'botId' | 'notifiedAt'>,
    limit: number,
  ): Promise<Document[]> {
    const recent = isNewerThan(FAILURE_PERIOD);
    const failedAt = notifiedAt === null ? recent : And(recent, MoreThan(notifiedAt));
    return db.repository(Document).find({
      where: { orgId, botId, status: 'failed', failedAt },
      order: { failedAt: 'DESC' },
      take: limit,
    });
  }

  /**
   * Resets the email notices about bots whose message limit was raised, so that teams are notified when usage
   * approaches the new limit.
   */
  async resetRaisedCaps(db: Database): Promise<void> {
    const outgrown = await lockMonths(db)
      .andWhere('usage.notifiedPercent > 0')
      .andWhere(`${SHARES.used} < ${SHARES.capTimes('usage.notifiedPercent')}`)
      .getMany();
    await updateNotifiedPercent(db, outgrown, 0);
  }

  /**
   * Claims the email notices about bots that have used this percentage of their monthly message limit. Each
   * notice can be claimed once a month.
   */
  async claimUsedMonths(db: Database, percent: number, limit: number): Promise<UsedMonth[]> {
    const found = await lockMonths(db)
      .innerJoinAndMapOne('bot.org', Org, 'org', 'org.id = bot.orgId')
      .andWhere({ notifiedPercent: LessThan(percent) })
      .andWhere('bot.monthlyMessageCap > 0 AND bot.deletedAt IS NULL')
      .andWhere(`${SHARES.used} >= ${SHARES.capTimes(':percent')}`, { percent })
      .limit(limit)
      .getMany();
    await updateNotifiedPercent(db, found, percent);
    return (found as JoinedUsage[]).map(({ bot, month, messages }) => ({
      orgId: bot.org.id,
      orgName: bot.org.name,
      botId: bot.id,
      botName: bot.name,
      month,
      percent,
      used: messages,
      cap: bot.monthlyMessageCap!,
    }));
  }
}

/**
 * SQL expressions that compare a bot's usage with a share of its limit. Both sides are multiplied, so that
 * the comparison needs no division.
 */
const SHARES = {
  used: 'CAST(usage.messages AS bigint) * 100',
  capTimes: (percent: string) => `CAST(bot.monthlyMessageCap AS bigint) * ${percent}`,
};

/**
 * Builds a query that selects and locks this month's usage of bots, and skips rows that another
 * sweep has locked.
 */
function lockMonths(db: Database): SelectQueryBuilder<MonthlyUsage> {
  return db
    .repository(MonthlyUsage)
    .createQueryBuilder('usage')
    .innerJoinAndMapOne('usage.bot', Bot, 'bot', 'bot.id = usage.botId')
    .where(`usage.month = ${THIS_MONTH}`)
    .orderBy('usage.botId')
    .setLock('pessimistic_write', undefined, ['usage'])
    .setOnLocked('skip_locked');
}

async function updateNotifiedPercent(
  db: Database,
  months: MonthlyUsage[],
  notifiedPercent: number,
): Promise<void> {
  const [first] = months;
  if (!first) return;
  const botId = In(months.map((each) => each.botId));
  await db.repository(MonthlyUsage).update({ botId, month: first.month }, { notifiedPercent });
}
