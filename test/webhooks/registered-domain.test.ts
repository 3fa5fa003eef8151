import assert from 'node:assert/strict';
import { getRegisteredDomain } from '../../services/webhooks/registered-domain.ts';

describe('getRegisteredDomain', () => {
  const cases = [
    ['https://example.com/hooks', 'example.com'],
    ['https://a.b.example.com:8443/hooks', 'example.com'],
    ['https://EXAMPLE.com./hooks', 'example.com'],
    ['https://shop.example.co.uk/', 'example.co.uk'],
    ['https://münchen.example/', 'xn--mnchen-3ya.example'],
    ['https://ada.github.io/hooks', 'ada.github.io'],
    ['https://evil.ada.github.io/hooks', 'ada.github.io'],
    ['http://localhost:9/a', 'localhost'],
    ['http://LOCALHOST.:9/a', 'localhost'],
    ['http://192.0.2.7/a', '192.0.2.7'],
    ['http://[2001:db8::1]/a', '[2001:db8::1]'],
    ['https://com/', 'com'],
  ] as const;
  for (const [url, domain] of cases)
    it(`returns ${domain} for ${url}`, () => assert.equal(getRegisteredDomain(url), domain));
});
