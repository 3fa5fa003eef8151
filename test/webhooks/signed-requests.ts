import Stripe from 'stripe';
import type { ReceivedRequest } from './receiver.ts';

const { signature: verifier } = new Stripe('sk_test_unused').webhooks;

/** Returns whether Stripe’s library accepts the request’s signature. */
export function isSignedWith(secret: string, { body, headers }: ReceivedRequest): boolean {
  try {
    return verifier!.verifyHeader(body, String(headers['x-webhook-signature']), secret, 300);
  } catch {
    return false;
  }
}
