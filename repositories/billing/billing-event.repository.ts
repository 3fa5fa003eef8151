import { MoreThan } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { isNewerThan } from '../../database/times.ts';
import {
  BillingEvent,
  eventOutcomes,
  type EventOutcome,
} from '../../entities/billing/billing-event.entity.ts';

export type NewBillingEvent = Pick<
  BillingEvent,
  'id' | 'type' | 'orgId' | 'customerId' | 'sessionId' | 'checkoutId' | 'outcome'
>;

/** What the payment provider has told of, for whatever payer. */
export class BillingEventRepository {
  /** Returns whether it was not known yet. */
  async insert(db: Database, event: NewBillingEvent): Promise<boolean> {
    return (await insertOrIgnore(db.repository(BillingEvent), event)) !== null;
  }

  /** Those of the last days that nothing was known for, after an id, in its order. An account may serve others besides. */
  listUnmatched(db: Database, afterId: string, limit: number): Promise<BillingEvent[]> {
    const createdAt = isNewerThan("interval '3 days'");
    const where = { id: MoreThan(afterId), outcome: 'unmatched', createdAt } as const;
    return db.repository(BillingEvent).find({ where, order: { id: 'ASC' }, take: limit });
  }

  /** How many of those that are kept have come to what. */
  async countByOutcome(db: Database): Promise<Record<EventOutcome, number>> {
    const rows = await db
      .repository(BillingEvent)
      .createQueryBuilder('event')
      .select('event.outcome', 'outcome')
      .addSelect('count(*)::int', 'count')
      .groupBy('event.outcome')
      .getRawMany<{ outcome: EventOutcome; count: number }>();
    const countOf = (outcome: EventOutcome) => rows.find((row) => row.outcome === outcome)?.count ?? 0;
    return Object.fromEntries(eventOutcomes.map((each) => [each, countOf(each)])) as Record<
      EventOutcome,
      number
    >;
  }

  async setMatched(db: Database, id: string, orgId: string): Promise<void> {
    const outcome: EventOutcome = 'passed_on';
    await db.repository(BillingEvent).update({ id }, { orgId, outcome, matchedAt: () => 'now()' });
  }
}
