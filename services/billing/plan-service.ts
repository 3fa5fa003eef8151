import { TOPUP_MESSAGES, products, type Limits, type Plans, type Product } from '../../core/billing/plans.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { PayerRepository } from '../../repositories/billing/payer.repository.ts';

/** Something that can be bought. */
export interface PlanOffer {
  tier: Product;
  name: string;
  amountCents: number;
  currency: string;
  /** Null for a top-up. */
  limits: Limits | null;
  /** Messages of a unit of a top-up; null for a plan. */
  credits: number | null;
  isCurrent: boolean;
}

const names: Readonly<Record<Product, string>> = {
  starter: 'Starter',
  pro: 'Pro',
  business: 'Business',
  topup: 'Top-up',
};

export interface PlanServiceDeps {
  plans: Plans;
  payers: PayerRepository;
}

/** What workspaces can buy. */
export class PlanService {
  readonly #deps: PlanServiceDeps;

  constructor(deps: PlanServiceDeps) {
    this.#deps = deps;
  }

  /** What has no price at the provider cannot be bought, and is left out; without a provider nothing can. */
  async list(scope: OrgScope): Promise<PlanOffer[]> {
    const { plans, payers } = this.#deps;
    if (!plans.isEnforced) return [];
    const { planTier } = await payers.get(scope);
    return products
      .filter((product) => plans.priceOf(product).priceId !== undefined)
      .map((tier) => {
        const { amountCents, currency } = plans.priceOf(tier);
        const isTopup = tier === 'topup';
        return {
          tier,
          name: names[tier],
          amountCents,
          currency,
          limits: isTopup ? null : plans.limitsOf(tier),
          credits: isTopup ? TOPUP_MESSAGES : null,
          isCurrent: tier === planTier,
        };
      });
  }
}
