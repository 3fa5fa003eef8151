import assert from 'node:assert/strict';
import { readsAsMessage } from '../../core/text/reads-as-message.ts';

describe('readsAsMessage', () => {
  for (const name of [
    'Your bank card ends today. Call us',
    'Amazon Prime Renewal - call 020 7946 0000',
    'Ring (020) 7946-0000',
    'اتصل ٠٢٠٧٩٤٦٠٠٠٠',
    'You won 500 EUR',
    'Pay €99 now',
    'Prime 99.99 $',
    'Your parcel waits: pay the fee',
    '您的包裹已到达。请付款',
    'we could not deliver your parcel so write to us',
  ])
    it(`finds “${name}”`, () => assert.equal(readsAsMessage(name), true));

  for (const name of [
    'Harbour Bikes',
    'St. Mary’s School',
    'Dr. Weber & Partner',
    'Bakery Sutter 1998–2026',
    'Studio 54',
    '3M',
    'Fourth Form 2026',
    'Kanzlei Müller, Schmidt und Partner Rechtsanwälte mbB',
    'Yahoo!',
    '東京都港湾局',
  ])
    it(`ignores “${name}”`, () => assert.equal(readsAsMessage(name), false));
});
