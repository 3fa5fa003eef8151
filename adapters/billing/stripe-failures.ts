import Stripe from 'stripe';
import { limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';
import { readTextValue } from '../http/response-values.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { ProviderRefused, ProviderUnavailable, USED_KEY } from './payment-provider.ts';

const { errors } = Stripe;
const TIMED_OUT = [408, 409, 425];

/**
 * Converts an error of Stripe's SDK to ProviderUnavailable or ProviderRefused. Returns other errors
 * unchanged.
 */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof errors.StripeError)) return error;
  const options = { cause: error, ...readRetryAfter(error) };
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return new ProviderUnavailable(
      'The key in PARLEY_STRIPE_SECRET_KEY lacks the Stripe permission for this request.',
      options,
    );
  if (error instanceof errors.StripeRateLimitError)
    return new ProviderUnavailable('Stripe is not accepting more requests at the moment.', options);
  const { statusCode: status = 0 } = error;
  if (status === 0 || status >= 500 || TIMED_OUT.includes(status))
    return new ProviderUnavailable('Stripe cannot be reached at the moment.', {
      ...options,
      isFromProvider: status >= 500,
    });
  const message = readTextValue(error.message);
  if (error instanceof errors.StripeIdempotencyError)
    return new ProviderRefused(message, { cause: error, code: USED_KEY });
  return new ProviderRefused(message, { cause: error, code: error.code });
}

function readRetryAfter({ headers = {} }: Stripe.errors.StripeError): { retryAfterMs?: number } {
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
  return retryAfterMs === undefined ? {} : { retryAfterMs: limitWaitMs(retryAfterMs, MAX_REQUESTED_WAIT_MS) };
}

/** Returns whether an error means that Stripe refused the request with one of these error codes. */
export function isRefusedAs(error: unknown, ...codes: string[]): boolean {
  return error instanceof ProviderRefused && codes.includes(error.code ?? '');
}
