import { StripeRefusal } from './refusal.ts';

export const SECRET_KEY = 'sk_test_51ParleyFakeSecretKey0000000000';
/** May do only what `RESTRICTED` lists, as the documentation has operators restrict theirs. */
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

/** @throws StripeRefusal where the key is no key, or does not permit it */
export function checkKey(authorization: string | undefined, method: string, path: string): void {
  const key = authorization?.replace('Bearer ', '');
  if (key === undefined || key === '')
    throw unauthorized(
      'You did not provide an API key. You need to provide your API key in the Authorization header.',
    );
  if (key === SECRET_KEY) return;
  if (key !== RESTRICTED_KEY) throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}****`);
  const [, , resource = ''] = path.split(/[/?]/);
  const permitted = RESTRICTED[resource];
  if (permitted === 'write' || (permitted === 'read' && method === 'GET')) return;
  throw new StripeRefusal(403, {
    type: 'invalid_request_error',
    message: `The provided key '${key.slice(0, 8)}****' does not have the required permissions for this endpoint: ${method} ${path}.`,
  });
}

function unauthorized(message: string): StripeRefusal {
  return new StripeRefusal(401, { type: 'invalid_request_error', message });
}
