import { createHmac } from 'node:crypto';

/**
 * Computes the value of the header `x-webhook-signature` of a delivery, in Stripe's format.
 * @param secret the endpoint's secret as the customer got it, with the prefix `whsec_`
 */
export function signDelivery(secret: string, unixSeconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex');
  return `t=${unixSeconds},v1=${digest}`;
}
