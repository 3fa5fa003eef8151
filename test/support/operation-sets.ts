export const issuerOperations: ReadonlySet<string> = new Set([
  'startIdentity',
  'finishIdentity',
  'linkIdentity',
]);
/**
 * Operations that need a paying workspace at a payment provider. Tests in test/billing repeat them, make them
 * fail and check the log.
 */
export const paymentProviderOperations: ReadonlySet<string> = new Set([
  'createCheckout',
  'cancelSubscription',
  'receiveBillingEvent',
]);
/**
 * Operations that use up one of the caller's attempts on each call, so that a repeated idempotency key gives
 * no additional guess.
 */
export const attemptSpendingOperations: ReadonlySet<string> = new Set(['verifyOtp', ...issuerOperations]);
/**
 * Operations whose generated calls a test cannot delay at their commit: they use up an attempt, or fail for
 * this caller, such as a last owner.
 */
export const unheldOperations: ReadonlySet<string> = new Set([
  ...attemptSpendingOperations,
  ...paymentProviderOperations,
  'deleteMe',
]);
