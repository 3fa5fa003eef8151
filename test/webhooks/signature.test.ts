import assert from 'node:assert/strict';
import Stripe from 'stripe';
import { signDelivery } from '../../services/webhooks/signature.ts';

const stripe = new Stripe('sk_test_unused');

describe('the signature of deliveries', () => {
  const body = '{"event":"lead.captured","data":{"id":"1"}}';

  it('is the HMAC-SHA256 of "<timestamp>.<body>" under the whole secret', () => {
    assert.equal(
      signDelivery('whsec_test', 1767225600, body),
      't=1767225600,v1=a00e064fe8adee80fe02433068fd7da0a50c019cec4b48db393a69ce54c9984d',
    );
  });

  it('is accepted by Stripe’s verifier, and only for the same secret, body and time', () => {
    const now = Math.floor(Date.now() / 1000);
    const verifyWithStripe = (text: string, header: string, secret: string) =>
      stripe.webhooks.signature!.verifyHeader(text, header, secret, 300);
    const header = signDelivery('whsec_abc=', now, body);
    assert.equal(verifyWithStripe(body, header, 'whsec_abc='), true);
    assert.throws(() => verifyWithStripe(`${body} `, header, 'whsec_abc='));
    assert.throws(() => verifyWithStripe(body, header, 'whsec_abd='));
    assert.throws(() => verifyWithStripe(body, signDelivery('whsec_abc=', now - 301, body), 'whsec_abc='));
  });
});
