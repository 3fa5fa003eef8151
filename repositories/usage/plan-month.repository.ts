import type { PlanTier } from '../../core/billing/plans.ts';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { PlanMonth } from '../../entities/usage/plan-month.entity.ts';
import { PlanNotice } from '../../entities/usage/plan-notice.entity.ts';

export interface UsedPlan {
  payerId: string;
  planTier: PlanTier;
  /** First day of the month in which the payer's messages count. */
  month: string;
  /** Number of messages that count toward the plan's limit, without those that top-ups pay for. */
  messages: number;
  creditsLeft: number;
}

type CountedMonth = Pick<PlanMonth, 'payerId' | 'month' | 'messages'>;

const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";
/**
 * SQL for the time at which a payer's messages are recounted. At this time, every transaction of the first
 * count has ended, so that all messages are counted.
 */
const RECOUNT_AT = "now() + interval '2 minutes'";

type JoinedMonth = PlanMonth & { org: Org; account: BillingAccount | null };

/**
 * Monthly message counts of payers with a limited plan, and the notices that were sent about these counts.
 */
export class PlanMonthRepository {
  find(db: Database, payerId: string, month: string): Promise<PlanMonth | null> {
    return db.repository(PlanMonth).findOneBy({ payerId, month });
  }

  async insert(db: Database, month: CountedMonth): Promise<void> {
    await insertOrIgnore(db.repository(PlanMonth), { ...month, recountAt: () => RECOUNT_AT });
  }

  listToRecount(db: Database, max: number): Promise<PlanMonth[]> {
    return db
      .repository(PlanMonth)
      .createQueryBuilder('month')
      .where(`month.month = ${THIS_MONTH} AND month.recountAt <= now()`)
      .orderBy('month.recountAt')
      .limit(max)
      .getMany();
  }

  /** Raises a payer's stored count of messages to the recounted number, if that is higher. */
  async raiseCount(db: Database, { payerId, month, messages }: CountedMonth): Promise<void> {
    await db
      .repository(PlanMonth)
      .createQueryBuilder()
      .update()
      .set({ messages: () => 'greatest(messages, :messages)', recountAt: null })
      .where({ payerId, month })
      .setParameters({ messages })
      .execute();
  }

  /**
   * Lists payers who have used this percentage of the month's messages and got no notice about this
   * percentage.
   */
  async listAbovePercent(
    db: Database,
    { tier, limit, percent, max }: { tier: PlanTier; limit: number; percent: number; max: number },
  ): Promise<UsedPlan[]> {
    const found = await db
      .repository(PlanMonth)
      .createQueryBuilder('month')
      .innerJoinAndMapOne('month.org', Org, 'org', 'org.id = month.payerId AND org.deletedAt IS NULL')
      .leftJoinAndMapOne('month.account', BillingAccount, 'account', 'account.orgId = month.payerId')
      .leftJoin(
        PlanNotice,
        'notice',
        'notice.payerId = month.payerId AND notice.month = month.month AND notice.limit = :limit AND notice.percent >= :percent',
      )
      .where(`month.month = ${THIS_MONTH} AND org.planTier = :tier AND notice.payerId IS NULL`, { tier })
      .andWhere('month.messages - month.paidMessages >= CAST(:limit AS bigint) * :percent / 100.0', {
        limit,
        percent,
      })
      .orderBy('month.payerId')
      .limit(max)
      .getMany();
    return (found as JoinedMonth[]).map(({ org, account, month, messages, paidMessages }) => ({
      payerId: org.id,
      planTier: org.planTier,
      month,
      messages: messages - paidMessages,
      creditsLeft: account?.creditsLeft ?? 0,
    }));
  }

  /**
   * Claims the notice to a payer about the used percentage of the plan's messages.
   * @returns false if the notice was claimed before
   */
  async claimNotice(
    db: Database,
    { payerId, month }: UsedPlan,
    { limit, percent }: Pick<PlanNotice, 'limit' | 'percent'>,
  ): Promise<boolean> {
    const notice = { payerId, month, limit, percent };
    return (await insertOrIgnore(db.repository(PlanNotice), notice)) !== null;
  }
}
