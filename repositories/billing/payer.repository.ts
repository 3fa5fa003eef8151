import type { PlanTier } from '../../core/billing/plans.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** Whose plan a workspace has. */
export interface Payer {
  payerId: string;
  planTier: PlanTier;
}

/** Who pays for workspaces. */
export class PayerRepository {
  get({ db, orgId }: OrgScope): Promise<Payer> {
    return db.repository(Org).findOneOrFail({
      where: { id: orgId },
      select: { payerId: true, planTier: true },
    });
  }

  /** Of the payer and all below it. */
  async updateTier(db: Database, payerId: string, planTier: PlanTier): Promise<void> {
    await db.repository(Org).update({ payerId }, { planTier, updatedAt: () => 'now()' });
  }
}
