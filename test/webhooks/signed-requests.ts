import Stripe from 'stripe';
import type { ReceivedRequest } from './receiver.ts';

const { signature: verifier } = new Stripe('sk_test_unused').webhooks;

/** Whether Stripe's library takes the request for signed with the secret. */
export function isSignedWith(secret: string, { body, headers }: ReceivedRequest): boolean {
  try {
    return verifier!.verifyHeader(body, String(headers['x-webhook-signature']), secret, 300);
  } catch {
    return false;
  }
}
