import assert from 'node:assert/strict';
import { DEFAULT_CLAIMS, parseIdentityProviders } from '../../core/accounts/identity-providers.ts';

const rules = { trustsEmail: false, claims: DEFAULT_CLAIMS };
const provider = { issuer: 'https://accounts.example.com', client_id: 'parley' };

describe('the setting of identity providers', () => {
  it('maps each name to an issuer', () => {
    const setting = {
      google: { ...provider, client_secret: 's' },
      'my-own': { ...provider, scopes: 'openid' },
    };
    assert.deepEqual(parseIdentityProviders(JSON.stringify(setting)), [
      {
        name: 'google',
        issuer: provider.issuer,
        clientId: 'parley',
        clientSecret: 's',
        scopes: 'openid email profile',
        ...rules,
      },
      {
        name: 'my-own',
        issuer: provider.issuer,
        clientId: 'parley',
        clientSecret: null,
        scopes: 'openid',
        ...rules,
      },
    ]);
    assert.deepEqual(parseIdentityProviders('{}'), []);
  });

  for (const [what, setting] of Object.entries({
    'is not JSON': '{',
    'is a list': '[]',
    'has a name with a slash': JSON.stringify({ 'a/b': provider }),
    'has no client': JSON.stringify({ a: { issuer: provider.issuer } }),
    'has a plain http issuer elsewhere': JSON.stringify({ a: { ...provider, issuer: 'http://example.com' } }),
    'has scopes without openid': JSON.stringify({ a: { ...provider, scopes: 'email' } }),
    'has an unknown key': JSON.stringify({ a: { ...provider, secret: 's' } }),
  }))
    it(`is refused if it ${what}`, () => {
      assert.equal(parseIdentityProviders(setting), null);
    });
});
