import type { Plans } from '../../core/billing/plans.ts';
import { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import { BillingEventRepository } from '../../repositories/billing/billing-event.repository.ts';
import { CheckoutRepository } from '../../repositories/billing/checkout.repository.ts';
import { CreditRepository } from '../../repositories/billing/credit.repository.ts';
import { PayerRepository } from '../../repositories/billing/payer.repository.ts';
import { ReceiptRepository } from '../../repositories/billing/receipt.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import { BillingEvents } from './subscriptions/billing-events.ts';
import { BillingFigures } from './billing-figures.ts';
import { BillingTermination } from './billing-termination.ts';
import { BillingProfileService } from './billing-profile-service.ts';
import { BillingSweep } from './subscriptions/billing-sweep.ts';
import { BillingSync } from './subscriptions/billing-sync.ts';
import { CancellationService } from './subscriptions/cancellation-service.ts';
import { CheckoutTracker } from './checkouts/checkout-tracker.ts';
import { CheckoutPages } from './checkouts/checkout-pages.ts';
import { CheckoutService } from './checkouts/checkout-service.ts';
import { Customers } from './customers.ts';
import { PlanService } from './plan-service.ts';
import { ReceiptFiles } from './receipts/receipt-files.ts';
import { ReceiptService } from './receipts/receipt-service.ts';
import { SubscriptionService } from './subscriptions/subscription-service.ts';
import { SyncWriter } from './subscriptions/sync-writer.ts';

/** Creates the services for plans and payments. */
export function createBilling(
  { settings, payments: provider, storage, clock, log }: ServiceDeps,
  { outbox, plans }: Pick<SharedDeps, 'outbox'> & { plans: Plans },
) {
  const rows = {
    plans,
    payers: new PayerRepository(),
    orgs: new OrgRepository(),
    accounts: new BillingAccountRepository(),
    checkouts: new CheckoutRepository(),
    credits: new CreditRepository(),
    receipts: new ReceiptRepository(),
    events: new BillingEventRepository(),
  };
  const deps = { ...rows, provider, outbox, storage, clock, log };
  const customers = new Customers(deps);
  const sync = new BillingSync({ ...deps, customers, writer: new SyncWriter(deps) });
  const pages = new CheckoutPages({ ...rows, baseUrl: settings.baseUrl });
  const billingEvents = new BillingEvents(deps);
  return {
    plans: new PlanService(rows),
    subscriptions: new SubscriptionService(deps),
    billingProfiles: new BillingProfileService(deps),
    checkouts: new CheckoutService({ ...deps, customers, sync, pages }),
    cancellations: new CancellationService({ ...deps, sync, pages }),
    billingEvents,
    receipts: new ReceiptService(deps),
    receiptFiles: new ReceiptFiles(deps),
    billingSync: sync,
    checkoutTracker: new CheckoutTracker({ ...deps, sync }),
    billingSweep: new BillingSweep({ ...deps, receiver: billingEvents }),
    billingTermination: new BillingTermination(deps),
    billingFigures: new BillingFigures(rows),
  };
}
