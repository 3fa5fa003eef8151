import { StripeRefusal } from './refusal.ts';
import type { ApiResponse } from './stripe-mock.ts';

export const SECRET_KEY = 'sk_test_51ParleyFakeSecretKey0000000000';
/** Stripe API key limited to the rights in `RESTRICTED`, as the documentation tells operators to restrict theirs. */
export const RESTRICTED_KEY = 'rk_test_51ParleyFakeRestricted00000000';
export const WEBHOOK_SECRET = 'whsec_parleyfakewebhooksecret0000000000';

const RESTRICTED: Record<string, 'read' | 'write'> = {
  checkout: 'write',
  customers: 'write',
  subscriptions: 'write',
  billing_portal: 'write',
  refunds: 'write',
  invoices: 'read',
  invoice_payments: 'read',
  prices: 'read',
  charges: 'read',
};

/** @returns null if the API key permits the request */
export function checkKey(
  authorization: string | undefined,
  method: string,
  path: string,
): ApiResponse | null {
  const key = authorization?.replace('Bearer ', '') ?? '';
  if (key === '') return buildKeyError(401, 'You did not provide an API key.');
  if (key === SECRET_KEY) return null;
  const shown = `${key.slice(0, 8)}****`;
  if (key !== RESTRICTED_KEY) return buildKeyError(401, `Invalid API Key provided: ${shown}`);
  const [, , resource = ''] = path.split(/[/?]/);
  const permitted = RESTRICTED[resource];
  if (permitted === 'write' || (permitted === 'read' && method === 'GET')) return null;
  return buildKeyError(
    403,
    `The provided key '${shown}' does not have the required permissions for this endpoint: ${method} ${path}.`,
  );
}

function buildKeyError(status: number, message: string): ApiResponse {
  return new StripeRefusal(status, { type: 'invalid_request_error', message }).response;
}
