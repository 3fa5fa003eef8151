import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { isNewerThan } from '../../database/times.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import {
  BillingEvent,
  eventOutcomes,
  type EventOutcome,
} from '../../entities/billing/billing-event.entity.ts';
import { Checkout } from '../../entities/billing/checkout.entity.ts';

export type NewBillingEvent = Pick<
  BillingEvent,
  'id' | 'type' | 'orgId' | 'customerId' | 'sessionId' | 'checkoutId' | 'outcome'
>;

/** Stores webhook events of the payment provider. */
export class BillingEventRepository {
  /**
   * Stores a webhook event of the payment provider.
   * @returns false if the event was stored before
   */
  async insert(db: Database, event: NewBillingEvent): Promise<boolean> {
    return (await insertOrIgnore(db.repository(BillingEvent), event)) !== null;
  }

  /**
   * Lists recent unmatched events of the payment provider whose checkout or billing account is known now.
   * Other events may belong to another system that uses the same account at the provider.
   */
  listMatchable(db: Database, limit: number): Promise<BillingEvent[]> {
    const query = db.repository(BillingEvent).createQueryBuilder('event');
    const checkouts = query
      .subQuery()
      .select('1')
      .from(Checkout, 'checkout')
      .where('checkout.id = event.checkoutId')
      .andWhere('(checkout.sessionId IS NULL OR checkout.sessionId = event.sessionId)');
    const accounts = query
      .subQuery()
      .select('1')
      .from(BillingAccount, 'account')
      .where('account.customerId = event.customerId');
    return query
      .where({ outcome: 'unmatched', createdAt: isNewerThan("interval '3 days'") })
      .andWhere(`(EXISTS ${checkouts.getQuery()} OR EXISTS ${accounts.getQuery()})`)
      .orderBy('event.createdAt')
      .limit(limit)
      .getMany();
  }

  /** Counts the payment provider's stored events by outcome. */
  async countByOutcome(db: Database): Promise<Record<EventOutcome, number>> {
    const rows = await db
      .repository(BillingEvent)
      .createQueryBuilder('event')
      .select('event.outcome', 'outcome')
      .addSelect('count(*)::int', 'count')
      .groupBy('event.outcome')
      .getRawMany<{ outcome: EventOutcome; count: number }>();
    const findCount = (outcome: EventOutcome) => rows.find((row) => row.outcome === outcome)?.count ?? 0;
    return Object.fromEntries(eventOutcomes.map((each) => [each, findCount(each)])) as Record<
      EventOutcome,
      number
    >;
  }

  async setMatched(db: Database, id: string, orgId: string): Promise<void> {
    const outcome: EventOutcome = 'passed_on';
    await db.repository(BillingEvent).update({ id }, { orgId, outcome, matchedAt: () => 'now()' });
  }
}
