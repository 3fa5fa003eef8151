import { In, IsNull, Not } from 'typeorm';
import type { TaxIdStatus } from '../../core/billing/billing-profile.ts';
import type { PlanTier } from '../../core/billing/plans.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore, updateReturning } from '../../database/returning.ts';
import { BillingAccount, tierGrantingStatuses } from '../../entities/billing/billing-account.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** Columns of a billing account that are copied from the payment provider. */
export type SyncedFields = Pick<
  BillingAccount,
  | 'subscriptionId'
  | 'priceId'
  | 'paidTier'
  | 'status'
  | 'periodStart'
  | 'periodEnd'
  | 'endsAt'
  | 'otherSubscriptions'
>;

/** SQL join condition: the workspace of the billing account, if it is not being deleted. */
const IS_NOT_DELETED = 'org.id = account.orgId AND org.deletedAt IS NULL';

/** Stores the billing accounts of payers. The id of an account is the id of its hierarchy's top workspace. */
export class BillingAccountRepository {
  find(db: Database, payerId: string): Promise<BillingAccount | null> {
    return db.repository(BillingAccount).findOneBy({ orgId: payerId });
  }

  /**
   * Locks a payer's billing account until the transaction ends, and creates it if it is missing. The current
   * tier of a payer without an account was set by the operator, so this tier becomes the override.
   */
  async lock(db: Database, payerId: string): Promise<BillingAccount> {
    const rows = db.repository(BillingAccount);
    const lock = { mode: 'for_no_key_update' } as const;
    const existing = await rows.findOne({ where: { orgId: payerId }, lock });
    if (existing) return existing;
    const { planTier } = await db.repository(Org).findOneOrFail({
      where: { id: payerId },
      select: { planTier: true },
    });
    await insertOrIgnore(rows, { orgId: payerId, overrideTier: planTier === 'free' ? null : planTier });
    return rows.findOneOrFail({ where: { orgId: payerId }, lock });
  }

  async saveProfile(
    { db, orgId }: OrgScope,
    changes: Pick<BillingAccount, 'profile' | 'taxIdStatus'>,
  ): Promise<void> {
    const now = () => 'now()';
    const saved = { profileSavedAt: now, profileVersion: () => 'profile_version + 1', updatedAt: now };
    await db.repository(BillingAccount).update({ orgId }, { ...changes, ...saved });
  }

  findByCustomer(db: Database, customerId: string): Promise<BillingAccount | null> {
    return db.repository(BillingAccount).findOneBy({ customerId });
  }

  /**
   * Stores the payer's customer id at the payment provider. Does nothing if another id was stored since the
   * caller read `before`.
   */
  async setCustomer({ db, orgId }: OrgScope, customerId: string, before: string | null): Promise<void> {
    const attempts = { customerAttempts: () => 'customer_attempts + 1', updatedAt: () => 'now()' };
    await db
      .repository(BillingAccount)
      .update(
        { orgId, customerId: before ?? IsNull() },
        { customerId, pushedProfileVersion: 0, ...attempts },
      );
  }

  /**
   * Counts a failed attempt to create the payer as a customer of the payment provider, so that the next
   * attempt uses another idempotency key.
   */
  async countCustomerAttempt({ db, orgId }: OrgScope, customerAttempts: number): Promise<void> {
    const next = { customerAttempts: customerAttempts + 1 };
    await db.repository(BillingAccount).update({ orgId, customerAttempts }, next);
  }

  /**
   * Stores the payer's state that was read from the payment provider, and locks the billing account. Returns
   * null if a concurrent sync has stored a newer version.
   */
  async storeSynced(
    { db, orgId }: OrgScope,
    version: number,
    changes: SyncedFields,
  ): Promise<BillingAccount | null> {
    const now = () => 'now()';
    const next = { ...changes, version: version + 1, syncedAt: now, updatedAt: now };
    const [account] = await updateReturning(db.repository(BillingAccount), { orgId, version }, next);
    return account ?? null;
  }

  /**
   * Stores which version of the billing profile the payment provider has.
   * @returns false if a newer version was saved in the meantime
   */
  async markProfilePushed(
    { db, orgId }: OrgScope,
    profileVersion: number,
    taxIdStatus: TaxIdStatus,
  ): Promise<boolean> {
    const pushed = { pushedProfileVersion: profileVersion, taxIdStatus };
    const { affected } = await db.repository(BillingAccount).update({ orgId, profileVersion }, pushed);
    return affected === 1;
  }

  async setOverride({ db, orgId }: OrgScope, overrideTier: PlanTier | null): Promise<void> {
    await db.repository(BillingAccount).update({ orgId }, { overrideTier, updatedAt: () => 'now()' });
  }

  /**
   * Lists payers whose state must be synced with the payment provider, longest waiting first. Paying
   * customers are due every hour, all other payers every day.
   */
  listDue(db: Database, limit: number): Promise<Pick<BillingAccount, 'orgId'>[]> {
    return db
      .repository(BillingAccount)
      .createQueryBuilder('account')
      .select('account.orgId')
      .innerJoin(Org, 'org', IS_NOT_DELETED)
      .where({ customerId: Not(IsNull()) })
      .andWhere(
        `coalesce(account.syncedAt, account.createdAt) <= now() - CASE
           WHEN account.status IN (:...paying) THEN interval '55 minutes' ELSE interval '23 hours' END`,
        { paying: tierGrantingStatuses },
      )
      .orderBy('coalesce(account.syncedAt, account.createdAt)')
      .limit(limit)
      .getMany();
  }

  /**
   * Returns the seconds since the oldest sync with the payment provider among payers with a subscription; 0
   * if no payer has one.
   */
  async getSyncAge(db: Database): Promise<number> {
    const row = await db
      .repository(BillingAccount)
      .createQueryBuilder('account')
      .select(`coalesce(extract(epoch FROM now() - min(account.syncedAt)), 0)::float8`, 'seconds')
      .innerJoin(Org, 'org', IS_NOT_DELETED)
      .where({ status: In(tierGrantingStatuses) })
      .getRawOne<{ seconds: number }>();
    return Math.max(0, row?.seconds ?? 0);
  }
}
