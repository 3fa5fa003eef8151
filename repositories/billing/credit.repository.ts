import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { CreditEntry } from '../../entities/billing/credit-entry.entity.ts';

export type NewCreditEntry = Pick<CreditEntry, 'id' | 'checkoutId' | 'providerRef' | 'messages'>;

/**
 * Changes the remaining messages of top-ups. Turns subtract messages concurrently, so every change is
 * relative.
 */
export class CreditRepository {
  /**
   * Adds messages to a payer's top-ups, or subtracts them. A reference of the payment provider counts only
   * once. The caller must have locked the billing account.
   */
  async insert(scope: OrgScope, entry: NewCreditEntry): Promise<void> {
    const { db, orgId } = scope;
    if ((await insertOrIgnore(db.repository(CreditEntry), { ...entry, orgId })) === null) return;
    await db
      .repository(BillingAccount)
      .createQueryBuilder()
      .update()
      .set({ creditsLeft: () => 'credits_left + :messages', updatedAt: () => 'now()' })
      .where({ orgId })
      .setParameters({ messages: entry.messages })
      .execute();
  }

  /** Returns the number of a checkout's messages that were subtracted because of refunds. */
  async getRefundedMessages({ db, orgId }: OrgScope, checkoutId: string): Promise<number> {
    const row = await db
      .repository(CreditEntry)
      .createQueryBuilder('entry')
      .select('coalesce(sum(entry.messages), 0)::int', 'sum')
      .where({ orgId, checkoutId })
      .andWhere("entry.providerRef LIKE 'refund/%'")
      .getRawOne<{ sum: number }>();
    return -(row?.sum ?? 0);
  }
}
