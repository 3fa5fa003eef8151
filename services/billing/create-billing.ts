import { Plans } from '../../core/billing/plans.ts';
import { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import { PayerRepository } from '../../repositories/billing/payer.repository.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { BillingProfileService } from './billing-profiles.service.ts';
import { PlanService } from './plans.service.ts';
import { SubscriptionService } from './subscriptions.service.ts';

/** Plans, and what is paid for them. */
export function createBilling({ settings }: ServiceDeps) {
  const rows = {
    plans: new Plans(settings),
    payers: new PayerRepository(),
    accounts: new BillingAccountRepository(),
  };
  return {
    plans: new PlanService(rows),
    subscriptions: new SubscriptionService(rows),
    billingProfiles: new BillingProfileService(rows),
  };
}
