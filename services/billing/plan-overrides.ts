import type { PlanTier } from '../../core/billing/plans.ts';
import type { Database } from '../../database/database.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { PayerRepository } from '../../repositories/billing/payer.repository.ts';

export interface PlanOverridesDeps {
  accounts: BillingAccountRepository;
  payers: PayerRepository;
}

/** Manages plan overrides: plans that an operator assigns to payers, independent of payments. */
export class PlanOverrides {
  readonly #deps: PlanOverridesDeps;

  constructor(deps: PlanOverridesDeps) {
    this.#deps = deps;
  }

  /**
   * Sets or removes a plan override. The override applies to the payer and all workspaces for which the payer
   * pays.
   * @param tier null to remove the override
   * @returns the tier in effect
   */
  set(database: Database, payerId: string, tier: PlanTier | null): Promise<PlanTier> {
    const { accounts, payers } = this.#deps;
    return database.transaction(async (db) => {
      const { paidTier } = await accounts.lock(db, payerId);
      await accounts.setOverride({ db, orgId: payerId }, tier);
      const effective = tier ?? paidTier;
      await payers.updateTier(db, payerId, effective);
      return effective;
    });
  }
}
