import { createHmac } from 'node:crypto';

/**
 * Computes the value of `x-webhook-signature`, by Stripe's scheme.
 * @param secret the whole string the customer was shown, `whsec_` included
 */
export function signDelivery(secret: string, unixSeconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex');
  return `t=${unixSeconds},v1=${digest}`;
}
