import {
  ProviderRefused,
  ProviderUnavailable,
  type PaymentProvider,
} from '../../adapters/billing/payment-provider.ts';
import { AppError } from '../../core/errors/errors.ts';
import type { Logger } from '../../core/logger.ts';

const RETRY_SECONDS = 30;

/** @throws AppError `conflict` if no payment provider is configured */
export function requireProvider(provider: PaymentProvider | undefined): PaymentProvider {
  if (provider) return provider;
  throw new AppError(
    'conflict',
    'Nothing is for sale in this installation. Its operator can set up a payment provider (PARLEY_STRIPE_SECRET_KEY).',
  );
}

/**
 * Calls the payment provider for an API request.
 * @throws AppError `not_ready` if the provider is unavailable; `conflict` if it refuses
 */
export async function callProvider<T>(log: Logger, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderUnavailable) {
      const seconds = Math.ceil((error.retryAfterMs ?? RETRY_SECONDS * 1000) / 1000);
      throw new AppError(
        'not_ready',
        'The payment provider cannot be reached at the moment; try again soon.',
        {
          headers: { 'Retry-After': String(seconds) },
          cause: error,
        },
      );
    }
    if (!(error instanceof ProviderRefused)) throw error;
    log.error({ err: error }, 'payment provider refused a request');
    throw new AppError(
      'conflict',
      'The payment provider rejected the request. The operator of this installation can find the reason in the log.',
      { cause: error },
    );
  }
}
