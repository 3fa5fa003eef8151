import { TOPUP_MESSAGES, products, type Limits, type Plans, type Product } from '../../core/billing/plans.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { PayerRepository } from '../../repositories/billing/payer.repository.ts';

/** A plan's tier or a top-up of messages that workspaces can buy. */
export interface PlanOffer {
  tier: Product;
  name: string;
  amountCents: number;
  currency: string;
  /** Usage limits of the tier; null for a top-up. */
  limits: Limits | null;
  /** Messages in one unit of a top-up; null for a tier. */
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

/** Lists the tiers and top-ups that workspaces can buy. */
export class PlanService {
  readonly #deps: PlanServiceDeps;

  constructor(deps: PlanServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Lists tiers and top-ups that have a price at the payment provider. Returns an empty array if no provider
   * is configured.
   */
  async list(scope: OrgScope): Promise<PlanOffer[]> {
    const { plans, payers } = this.#deps;
    if (!plans.isEnforced) return [];
    const { planTier } = await payers.get(scope);
    return products
      .filter((product) => plans.getPrice(product).priceId !== undefined)
      .map((tier) => {
        const { amountCents, currency } = plans.getPrice(tier);
        const isTopup = tier === 'topup';
        return {
          tier,
          name: names[tier],
          amountCents,
          currency,
          limits: isTopup ? null : plans.getLimits(tier),
          credits: isTopup ? TOPUP_MESSAGES : null,
          isCurrent: tier === planTier,
        };
      });
  }
}
