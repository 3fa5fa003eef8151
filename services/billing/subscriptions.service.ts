import type { Limits, PlanTier, Plans } from '../../core/billing/plans.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { SubscriptionStatus } from '../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { PayerRepository } from '../../repositories/billing/payer.repository.ts';

/** What a workspace has, as far as it is the workspace's own to see. */
export interface SubscriptionState {
  tier: PlanTier;
  limits: Limits;
  /** Whether the workspace pays for itself; what follows is empty for one that does not. */
  isBilledHere: boolean;
  status: SubscriptionStatus;
  periodStart: Date | null;
  periodEnd: Date | null;
  renewsAt: Date | null;
  endsAt: Date | null;
  creditsLeft: number;
  syncedAt: Date | null;
}

const UNPAID = {
  status: 'none',
  periodStart: null,
  periodEnd: null,
  endsAt: null,
  creditsLeft: 0,
  syncedAt: null,
} as const;

export interface SubscriptionServiceDeps {
  plans: Plans;
  payers: PayerRepository;
  accounts: BillingAccountRepository;
}

/** The plans of workspaces. */
export class SubscriptionService {
  readonly #deps: SubscriptionServiceDeps;

  constructor(deps: SubscriptionServiceDeps) {
    this.#deps = deps;
  }

  async get(scope: OrgScope): Promise<SubscriptionState> {
    const { plans, payers, accounts } = this.#deps;
    const { payerId, planTier: tier } = await payers.get(scope);
    const isBilledHere = payerId === scope.orgId;
    const account = isBilledHere ? await accounts.find(scope.db, payerId) : null;
    const paid = account ?? UNPAID;
    const isRenewed = paid.status !== 'ended' && paid.endsAt === null;
    return {
      ...paid,
      tier,
      limits: plans.limitsOf(tier),
      isBilledHere,
      renewsAt: isRenewed ? paid.periodEnd : null,
    };
  }
}
