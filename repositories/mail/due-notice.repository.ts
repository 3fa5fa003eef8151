import { And, In, LessThan, MoreThan, type SelectQueryBuilder } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { isNewerThan, isOlderThan } from '../../database/times.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { MonthlyUsage } from '../../entities/bots/monthly-usage.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { ContentNotice } from '../../entities/mail/content-notice.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** A bot of which documents have failed in the last two days that the team was not told of. */
export interface FailingBot {
  orgId: string;
  orgName: string;
  botId: string;
  botName: string;
  /** How many documents that are. */
  count: number;
  /** When the team was told of the bot last. */
  toldAt: Date | null;
  toldSecondsAgo: number | null;
  /** Since the first of them has failed. */
  oldestSeconds: number;
  /** Other documents of the bot are still being read. */
  isReading: boolean;
}

export interface UsedMonth {
  orgId: string;
  orgName: string;
  botId: string;
  botName: string;
  /** The first day. */
  month: string;
  percent: number;
  used: number;
  cap: number;
}

const FAILURES_LAST = "interval '2 days'";
const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";

type JoinedUsage = MonthlyUsage & { bot: Bot & { org: Org } };

const secondsSince = (time: string) => `extract(epoch FROM now() - ${time})::float8`;

/** What teams are to be told: each is claimed or locked before, so that of several sweeps one tells it. */
export class DueNoticeRepository {
  /** In the order of the bots. */
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
      .addSelect('notice.toldAt', 'toldAt')
      .addSelect(secondsSince('notice.toldAt'), 'toldSecondsAgo')
      .addSelect(secondsSince('min(failed.failedAt)'), 'oldestSeconds')
      .addSelect(`EXISTS ${unfinished.getQuery()}`, 'isReading')
      .where({ status: 'failed', failedAt: isNewerThan(FAILURES_LAST) })
      .andWhere('(notice.toldAt IS NULL OR failed.failedAt > notice.toldAt)')
      .groupBy('org.id')
      .addGroupBy('bot.id')
      .addGroupBy('notice.botId')
      .orderBy('bot.id')
      .getRawMany<FailingBot>();
  }

  /** Returns false where somebody else has just told it. @param interval that one notice keeps from the last, in SQL */
  async claimContentNotice(db: Database, botId: string, interval: string): Promise<boolean> {
    const notices = db.repository(ContentNotice);
    if (await insertOrIgnore(notices, { botId })) return true;
    const { affected } = await notices.update(
      { botId, toldAt: isOlderThan(interval) },
      { toldAt: () => 'now()' },
    );
    return affected === 1;
  }

  /** The newest of the documents that the team was not told of, at most so many. */
  listFailures(
    db: Database,
    { orgId, botId, toldAt }: Pick<FailingBot, 'orgId' | 'botId' | 'toldAt'>,
    limit: number,
  ): Promise<Document[]> {
    const recent = isNewerThan(FAILURES_LAST);
    const failedAt = toldAt === null ? recent : And(recent, MoreThan(toldAt));
    return db.repository(Document).find({
      where: { orgId, botId, status: 'failed', failedAt },
      order: { failedAt: 'DESC' },
      take: limit,
    });
  }

  /** Whoever has raised a cap is told again when the bot comes near the new one. */
  async resetOutgrown(db: Database): Promise<void> {
    const outgrown = await lockedMonths(db)
      .andWhere('usage.toldPercent > 0')
      .andWhere(`${SHARES.used} < ${SHARES.capTimes('usage.toldPercent')}`)
      .getMany();
    await updateTold(db, outgrown, 0);
  }

  /** Bots that have used so much of their month's answers, each once for the share. */
  async claimUsedMonths(db: Database, percent: number, limit: number): Promise<UsedMonth[]> {
    const found = await lockedMonths(db)
      .innerJoinAndMapOne('bot.org', Org, 'org', 'org.id = bot.orgId')
      .andWhere({ toldPercent: LessThan(percent) })
      .andWhere('bot.monthlyMessageCap > 0 AND bot.deletedAt IS NULL')
      .andWhere(`${SHARES.used} >= ${SHARES.capTimes(':percent')}`, { percent })
      .limit(limit)
      .getMany();
    await updateTold(db, found, percent);
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

/** In hundredths of a cap. */
const SHARES = {
  used: 'CAST(usage.messages AS bigint) * 100',
  capTimes: (percent: string) => `CAST(bot.monthlyMessageCap AS bigint) * ${percent}`,
};

/** This month's rows, with their bots; those that another sweep is at are left to it. */
function lockedMonths(db: Database): SelectQueryBuilder<MonthlyUsage> {
  return db
    .repository(MonthlyUsage)
    .createQueryBuilder('usage')
    .innerJoinAndMapOne('usage.bot', Bot, 'bot', 'bot.id = usage.botId')
    .where(`usage.month = ${THIS_MONTH}`)
    .orderBy('usage.botId')
    .setLock('pessimistic_write', undefined, ['usage'])
    .setOnLocked('skip_locked');
}

async function updateTold(db: Database, months: MonthlyUsage[], toldPercent: number): Promise<void> {
  const [first] = months;
  if (!first) return;
  const botId = In(months.map((each) => each.botId));
  await db.repository(MonthlyUsage).update({ botId, month: first.month }, { toldPercent });
}
