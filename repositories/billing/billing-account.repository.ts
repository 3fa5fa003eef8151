import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** What payers have; the ids are of the workspaces at the top of their hierarchies. */
export class BillingAccountRepository {
  find(db: Database, payerId: string): Promise<BillingAccount | null> {
    return db.repository(BillingAccount).findOneBy({ orgId: payerId });
  }

  /** Makes the row where there is none: then the tier that the payer has was given by the operator. Locks it until the transaction ends. */
  async lock(db: Database, payerId: string): Promise<BillingAccount> {
    const rows = db.repository(BillingAccount);
    const lock = { mode: 'for_no_key_update' } as const;
    const present = await rows.findOne({ where: { orgId: payerId }, lock });
    if (present) return present;
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
}
