import { And, LessThan, MoreThanOrEqual, type FindOptionsWhere } from 'typeorm';
import { decryptRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** Total number of rows that an alert digest reports, and the first few of them. */
export interface CountedRows<T> {
  count: number;
  first: T[];
}

export interface WaitingVisitor {
  botName: string;
  since: Date | null;
}

type BotFilter = { botId: string | null };

/** Reads the current rows that an alert digest reports in addition to its counts. */
export class DigestFactsRepository {
  /**
   * Returns the name of the bot or workspace that the alert policy covers, and the workspace's settings. Null
   * if either was deleted.
   */
  async findSubject(
    { db, orgId }: OrgScope,
    botId: string | null,
  ): Promise<Pick<Org, 'name' | 'settings'> | null> {
    const org = await db.repository(Org).findOneBy({ id: orgId });
    if (!org || org.deletedAt) return null;
    const { name, settings } = org;
    if (botId === null) return { name, settings };
    const bot = await db.repository(Bot).findOneBy({ id: botId, orgId });
    return !bot || bot.deletedAt ? null : { name: bot.name, settings };
  }

  /** Returns visitors who are waiting for an agent, longest waiting first. */
  async findWaiting(
    { db, orgId }: OrgScope,
    { botId }: BotFilter,
    limit: number,
  ): Promise<CountedRows<WaitingVisitor>> {
    const where: FindOptionsWhere<Conversation> = { orgId, status: 'waiting_human', ...(botId && { botId }) };
    const [waiting, count] = await db.repository(Conversation).findAndCount({
      where,
      select: { id: true, botId: true, handoffRequestedAt: true },
      order: { handoffRequestedAt: 'ASC', id: 'ASC' },
      take: limit,
    });
    const names = await this.#loadBotNames({ db, orgId }, waiting);
    const first = waiting.map((each) => ({
      botName: names.get(each.botId) ?? '',
      since: each.handoffRequestedAt,
    }));
    return { count, first };
  }

  /** Returns confirmed bookings that begin in the range, earliest first. */
  async findBookings(
    { db, orgId }: OrgScope,
    { botId }: BotFilter,
    { from, to, limit }: { from: Date; to: Date; limit: number },
  ): Promise<CountedRows<Pick<Opened<Booking>, 'startsAt' | 'summary'>>> {
    const [found, count] = await db.repository(Booking).findAndCount({
      where: {
        orgId,
        status: 'confirmed',
        startsAt: And(MoreThanOrEqual(from), LessThan(to)),
        ...(botId && { botId }),
      },
      select: { id: true, orgId: true, keyId: true, startsAt: true, summary: true },
      order: { startsAt: 'ASC', id: 'ASC' },
      take: limit,
    });
    return { count, first: await decryptRows(db, Booking, found) };
  }

  /** Counts the held alerts of an alert policy by event name. */
  async countHeld({ db, orgId }: OrgScope, policyId: string): Promise<Record<string, number>> {
    const rows = await db
      .repository(Alert)
      .createQueryBuilder('alert')
      .select('alert.name', 'name')
      .addSelect('count(*)::int', 'count')
      .where("alert.policyId = :policyId AND alert.orgId = :orgId AND alert.state = 'held'", {
        policyId,
        orgId,
      })
      .groupBy('alert.name')
      .getRawMany<{ name: string; count: number }>();
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }

  async #loadBotNames({ db, orgId }: OrgScope, rows: { botId: string }[]): Promise<Map<string, string>> {
    const where = [...new Set(rows.map(({ botId }) => botId))].map((id) => ({ id, orgId }));
    if (where.length === 0) return new Map();
    const bots = await db.repository(Bot).find({ where, select: { id: true, name: true } });
    return new Map(bots.map(({ id, name }) => [id, name]));
  }
}
