import type { Database } from '../../database/database.ts';
import type { BillingTermination } from '../../services/billing/billing-termination.ts';
import type { BillingSweep } from '../../services/billing/subscriptions/billing-sweep.ts';
import type { BillingSync } from '../../services/billing/subscriptions/billing-sync.ts';
import type { CheckoutTracker } from '../../services/billing/checkouts/checkout-tracker.ts';
import type { ReceiptFiles } from '../../services/billing/receipts/receipt-files.ts';
import { withHeartbeat } from '../with-heartbeat.ts';
import type { CheckoutInput, DeleteOrgInput, SyncBillingInput } from '../../core/workflows/commands.ts';

export type BillingActivities = ReturnType<typeof createBillingActivities>;

export interface BillingActivitiesDeps {
  database: Database;
  billingSync: BillingSync;
  checkoutTracker: CheckoutTracker;
  receiptFiles: ReceiptFiles;
  billingSweep: BillingSweep;
  billingTermination: BillingTermination;
}

export function createBillingActivities({ database: db, ...services }: BillingActivitiesDeps) {
  const { billingSync, checkoutTracker, receiptFiles, billingSweep, billingTermination } = services;
  return {
    followCheckout: ({ orgId, checkoutId }: CheckoutInput) =>
      withHeartbeat(() => checkoutTracker.checkProgress({ orgId, db }, checkoutId)),
    comparePayer: ({ orgId }: SyncBillingInput) => withHeartbeat(() => billingSync.run({ orgId, db })),
    storeReceipts: ({ orgId }: SyncBillingInput) => withHeartbeat(() => receiptFiles.store({ orgId, db })),
    findUnsyncedBilling: () => billingSweep.run(db),
    leaveBilling: ({ orgId }: DeleteOrgInput) =>
      withHeartbeat(() => billingTermination.endBilling({ orgId, db })),
  };
}
