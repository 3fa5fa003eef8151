export const asksAnIssuer: ReadonlySet<string> = new Set(['startIdentity', 'finishIdentity', 'linkIdentity']);
/** They need what is there of a payer at a payment provider: test/billing repeats and fails them, and looks into the log. */
export const asksThePaymentProvider: ReadonlySet<string> = new Set([
  'createCheckout',
  'cancelSubscription',
  'receiveBillingEvent',
]);
/** Each call spends a try, so that nobody tries more codes by naming all calls alike, or the one code of an issuer. */
export const spendsTries: ReadonlySet<string> = new Set(['verifyOtp', ...asksAnIssuer]);
/** A generated call of these cannot wait at its commit: it spends a try, or is of somebody who may not, like the last owner. */
export const neverHeld: ReadonlySet<string> = new Set([
  ...spendsTries,
  ...asksThePaymentProvider,
  'deleteMe',
]);
