import assert from 'node:assert/strict';
import Stripe from 'stripe';
import { isAuthentic } from '../../demo/verify-signature.ts';

const secret = 'whsec_test';
const body = Buffer.from('{"event":"lead.captured","data":{"id":"1"}}');
const sentAt = new Date(1767225600_000);
const header = 't=1767225600,v1=a00e064fe8adee80fe02433068fd7da0a50c019cec4b48db393a69ce54c9984d';

const after = (seconds: number) => new Date(sentAt.getTime() + seconds * 1000);

describe('the reference verifier of signatures', () => {
  it('accepts the documented test vector', () => {
    assert.equal(isAuthentic(body, header, secret, sentAt), true);
  });

  it('accepts the signatures of Stripe’s library', () => {
    const signed = Stripe.webhooks.generateTestHeaderString({ payload: body.toString(), secret });
    assert.equal(isAuthentic(body, signed, secret), true);
  });

  it('refuses a wrong body, a wrong secret and a wrong digest', () => {
    assert.equal(isAuthentic(Buffer.from(`${body.toString()} `), header, secret, sentAt), false);
    assert.equal(isAuthentic(body, header, 'whsec_other', sentAt), false);
    assert.equal(isAuthentic(body, header.replace('v1=a', 'v1=b'), secret, sentAt), false);
  });

  it('refuses a signature made more than 300 seconds before or after now', () => {
    assert.equal(isAuthentic(body, header, secret, after(300)), true);
    assert.equal(isAuthentic(body, header, secret, after(301)), false);
    assert.equal(isAuthentic(body, header, secret, after(-300)), true);
    assert.equal(isAuthentic(body, header, secret, after(-301)), false);
  });

  it('refuses malformed headers', () => {
    for (const malformed of [
      '',
      'undefined',
      't=,v1=',
      't=x,v1=zz',
      header.replace('v1', 'v0'),
      header.slice(0, -2),
    ]) {
      assert.equal(isAuthentic(body, malformed, secret, sentAt), false, malformed);
    }
  });
});
