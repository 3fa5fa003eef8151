import { Not } from 'typeorm';
import type { PlanTier } from '../../core/billing/plans.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** The workspace that pays for a hierarchy of workspaces, and its plan. */
export interface Payer {
  payerId: string;
  planTier: PlanTier;
}

/** Reads and changes the payers of workspaces. */
export class PayerRepository {
  get({ db, orgId }: OrgScope): Promise<Payer> {
    return db.repository(Org).findOneOrFail({
      where: { id: orgId },
      select: { payerId: true, planTier: true },
    });
  }

  /**
   * Changes the plan tier of the payer and of all workspaces below it. Waits for concurrent transactions that
   * create a workspace with the old tier.
   */
  async updateTier(db: Database, payerId: string, planTier: PlanTier): Promise<void> {
    const orgs = db.repository(Org);
    const lock = { mode: 'for_no_key_update' } as const;
    await orgs.findOne({ where: { id: payerId }, select: { id: true }, lock });
    await orgs.update({ payerId, planTier: Not(planTier) }, { planTier, updatedAt: () => 'now()' });
  }
}
