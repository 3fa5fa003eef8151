import { In, LessThan } from 'typeorm';
import type { PlanTier } from '../../core/billing/plans.ts';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { PlanMonth } from '../../entities/usage/plan-month.entity.ts';

export interface UsedPlan {
  payerId: string;
  planTier: PlanTier;
  /** The first day. */
  month: string;
  messages: number;
  creditsLeft: number;
}

const THIS_MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";

type JoinedMonth = PlanMonth & { org: Org; account: BillingAccount | null };

/** Messages of hierarchies whose plans limit them. */
export class PlanMonthRepository {
  isCounted(db: Database, payerId: string, month: string): Promise<boolean> {
    return db.repository(PlanMonth).existsBy({ payerId, month });
  }

  async insert(db: Database, month: Pick<PlanMonth, 'payerId' | 'month' | 'messages'>): Promise<void> {
    await insertOrIgnore(db.repository(PlanMonth), month);
  }

  /** Payers who have used so much of the month's messages, each once for the share; those that another sweep is at are left to it. */
  async claimReached(
    db: Database,
    { tier, limit, percent, most }: { tier: PlanTier; limit: number; percent: number; most: number },
  ): Promise<UsedPlan[]> {
    const found = await db
      .repository(PlanMonth)
      .createQueryBuilder('month')
      .innerJoinAndMapOne('month.org', Org, 'org', 'org.id = month.payerId AND org.deletedAt IS NULL')
      .leftJoinAndMapOne('month.account', BillingAccount, 'account', 'account.orgId = month.payerId')
      .where({ toldPercent: LessThan(percent) })
      .andWhere(`month.month = ${THIS_MONTH} AND org.planTier = :tier`, { tier })
      .andWhere('month.messages >= CAST(:limit AS bigint) * :percent / 100.0', { limit, percent })
      .orderBy('month.payerId')
      .setLock('pessimistic_write', undefined, ['month'])
      .setOnLocked('skip_locked')
      .limit(most)
      .getMany();
    const [first] = found;
    if (!first) return [];
    const payerId = In(found.map((month) => month.payerId));
    await db.repository(PlanMonth).update({ payerId, month: first.month }, { toldPercent: percent });
    return (found as JoinedMonth[]).map(({ org, account, month, messages }) => ({
      payerId: org.id,
      planTier: org.planTier,
      month,
      messages,
      creditsLeft: account?.creditsLeft ?? 0,
    }));
  }
}
