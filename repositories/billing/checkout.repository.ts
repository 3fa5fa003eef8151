import { In, Not } from 'typeorm';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { Checkout, unfinishedStates, type CheckoutState } from '../../entities/billing/checkout.entity.ts';
import { isNewerThan, isOlderThan } from '../../database/times.ts';

export type NewCheckoutRow = Pick<
  Checkout,
  'id' | 'product' | 'quantity' | 'kind' | 'expiresAt' | 'createdById'
>;

const FOLLOWED_STATES = In([...unfinishedStates, 'paying'] satisfies CheckoutState[]);
/**
 * States of a checkout that may still change. The states include failed payments, since a customer may try
 * again.
 */
const CHANGEABLE_STATES = In([...unfinishedStates, 'paying', 'failed'] satisfies CheckoutState[]);

/** Stores the checkouts of payers. */
export class CheckoutRepository {
  find({ db, orgId }: OrgScope, id: string): Promise<Checkout | null> {
    return db.repository(Checkout).findOneBy({ id, orgId });
  }

  /** Finds a checkout of any payer by its id. */
  findUnscoped(db: Database, id: string): Promise<Checkout | null> {
    return db.repository(Checkout).findOneBy({ id });
  }

  /** Returns the payer's unfinished checkout for a plan; null if the payer has none. */
  findPlanCheckout({ db, orgId }: OrgScope): Promise<Checkout | null> {
    return db.repository(Checkout).findOneBy({ orgId, product: Not('topup'), state: In(unfinishedStates) });
  }

  /**
   * Returns the payer's latest unfinished checkout for a top-up of this quantity; null if the payer has none.
   */
  findTopupCheckout({ db, orgId }: OrgScope, quantity: number): Promise<Checkout | null> {
    const where = { orgId, product: 'topup', quantity, state: In(unfinishedStates) } as const;
    return db.repository(Checkout).findOne({ where, order: { createdAt: 'DESC' } });
  }

  /** Lists the payer's checkouts whose state may still change, oldest first. */
  listFollowed({ db, orgId }: OrgScope): Promise<Checkout[]> {
    const failed = { orgId, state: 'failed', createdAt: isNewerThan("interval '30 days'") } as const;
    const where = [{ orgId, state: FOLLOWED_STATES }, failed];
    return db.repository(Checkout).find({ where, order: { createdAt: 'ASC' } });
  }

  listPaid({ db, orgId }: OrgScope, paymentIds: readonly string[]): Promise<Checkout[]> {
    return db.repository(Checkout).findBy({ orgId, paymentId: In(paymentIds), state: 'completed' });
  }

  async insert({ db, orgId }: OrgScope, row: NewCheckoutRow): Promise<Checkout> {
    const rows = db.repository(Checkout);
    await rows.insert({ ...row, orgId });
    return rows.findOneByOrFail({ id: row.id });
  }

  /**
   * Stores that the payment provider has created the checkout.
   * @returns false if the checkout was not in the state `preparing`
   */
  async markOpen(
    { db, orgId }: OrgScope,
    id: string,
    page: Pick<Checkout, 'sessionId' | 'url' | 'expiresAt'>,
  ): Promise<boolean> {
    const where = { id, orgId, state: 'preparing' } as const;
    const changes = { ...page, state: 'open', updatedAt: () => 'now()' } as const;
    return (await updateReturning(db.repository(Checkout), where, changes)).length > 0;
  }

  /** Changes the state of a checkout, unless it is completed or expired. */
  async updateState(
    { db, orgId }: OrgScope,
    id: string,
    changes: { state: CheckoutState; paymentId?: string | null },
  ): Promise<void> {
    await db
      .repository(Checkout)
      .update({ id, orgId, state: CHANGEABLE_STATES }, { ...changes, updatedAt: () => 'now()' });
  }

  async setRefunded({ db, orgId }: OrgScope, id: string, refundedMessages: number): Promise<void> {
    await db.repository(Checkout).update({ id, orgId }, { refundedMessages, updatedAt: () => 'now()' });
  }

  /** Lists checkouts that should have ended at least five minutes ago, longest overdue first. */
  listOverdue(db: Database, limit: number): Promise<Checkout[]> {
    return db.repository(Checkout).find({
      where: { state: FOLLOWED_STATES, expiresAt: isOlderThan("interval '5 minutes'") },
      order: { expiresAt: 'ASC' },
      take: limit,
    });
  }
}
