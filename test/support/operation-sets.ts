export const issuerOperations: ReadonlySet<string> = new Set([
  'startIdentity',
  'finishIdentity',
  'linkIdentity',
]);
/**
 * Operations that need a payer at a payment provider. Tests in test/billing repeat them, make them fail and check the
 * log.
 */
export const paymentProviderOperations: ReadonlySet<string> = new Set([
  'createCheckout',
  'cancelSubscription',
  'receiveBillingEvent',
]);
/** Operations that spend an attempt on each call, so that a repeated idempotency key gives no additional guess. */
export const attemptSpendingOperations: ReadonlySet<string> = new Set(['verifyOtp', ...issuerOperations]);
/**
 * Operations whose generated calls cannot be held at their commit, because they spend an attempt or fail for
 * this caller, such as a last owner.
 */
export const unheldOperations: ReadonlySet<string> = new Set([
  ...attemptSpendingOperations,
  ...paymentProviderOperations,
  'deleteMe',
]);
