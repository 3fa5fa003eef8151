import { DEFAULT_CLAIMS } from '../../../core/accounts/identity-providers.ts';
import assert from 'node:assert/strict';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { findResponseExcess } from '../../../adapters/identity/response-excess.ts';
import { OpenIdProvider } from '../../../adapters/identity/openid-provider.ts';
import { AppError } from '../../../core/errors/errors.ts';
import { LocalServers } from '../http/local-servers.ts';

const excesses: Record<string, string> = {
  '80,000 objects': `[${'{},'.repeat(79_999)}{}]`,
  '30,000 numbers': `[${'0,'.repeat(29_999)}0]`,
  '3000 keys': `{${Array.from({ length: 3000 }, (_, index) => `"k${index}":0`).join()}}`,
  '40 levels': '['.repeat(40) + ']'.repeat(40),
  '300 KB': `"${'x'.repeat(300_000)}"`,
};
const accepted: Record<string, string> = {
  '10,000 numbers': `[${'0,'.repeat(9_999)}0]`,
  '200 KB': `"${'x'.repeat(200_000)}"`,
};
const request = {
  redirectUri: 'https://parley.test/sign-in/hostile',
  nonce: 'n',
  codeVerifier: 'v'.repeat(43),
};

/** Document of a fake identity provider to which a test adds an oversized value. */
type Document = 'metadata' | 'tokens' | 'keys' | TokenPart;
type TokenPart = 'header' | 'claims';
const TOKEN_PARTS: TokenPart[] = ['header', 'claims'];

describe('OpenIdProvider:', () => {
  const servers = new LocalServers();
  let outbound: OutboundClient;
  beforeEach(() => {
    outbound = new OutboundClient({ allow: ['127.0.0.0/8'], userAgent: 'Parley-Test/1.0' });
  });
  afterEach(async () => {
    await outbound.close();
    await servers.close();
  });

  /** Starts a fake identity provider that adds `value` to one of its documents. */
  async function startHostileIssuer(document: Document, value: string) {
    const paths: string[] = [];
    const port = await servers.http((req, res) => {
      const { documents } = describeIssuer(port, { [document]: value });
      paths.push(req.url!);
      const [name, content] = documents[req.url!]!;
      req.resume();
      res.setHeader('content-type', 'application/json');
      res.end(toJson(content, name === document ? value : undefined));
    });
    const { issuer } = describeIssuer(port);
    const settings = { name: 'hostile', issuer, clientId: 'parley', clientSecret: 's', scopes: 'openid' };
    const rules = { trustsEmail: false, claims: DEFAULT_CLAIMS };
    return { provider: new OpenIdProvider({ ...settings, ...rules }, outbound), paths };
  }

  const createUrl = (provider: OpenIdProvider) => provider.createAuthorizationUrl({ ...request, state: 's' });
  const redeem = (provider: OpenIdProvider) => provider.redeem({ ...request, code: 'c', issuer: null });
  const isNotReady = (error: unknown) => error instanceof AppError && error.code === 'not_ready';

  for (const [what, value] of Object.entries(excesses)) {
    it(`createAuthorizationUrl refuses metadata with ${what}`, async () => {
      const { provider } = await startHostileIssuer('metadata', value);
      await assert.rejects(createUrl(provider), isNotReady);
    });

    it(`redeem refuses tokens with ${what}`, async () => {
      const { provider } = await startHostileIssuer('tokens', value);
      await assert.rejects(redeem(provider), isNotReady);
    });

    for (const part of TOKEN_PARTS)
      it(`redeem refuses an ID token whose ${part} has ${what}`, async () => {
        const { provider, paths } = await startHostileIssuer(part, value);
        await assert.rejects(redeem(provider), isNotReady);
        assert.ok(!paths.includes('/keys'));
      });

    it(`redeem refuses keys with ${what}`, async () => {
      const { provider, paths } = await startHostileIssuer('keys', value);
      await assert.rejects(redeem(provider), isNotReady);
      assert.ok(paths.includes('/keys'));
    });
  }

  for (const [what, value] of Object.entries(accepted))
    it(`createAuthorizationUrl accepts metadata with ${what}`, async () => {
      const { provider } = await startHostileIssuer('metadata', value);
      assert.match(await createUrl(provider), /^http:\/\/127\.0\.0\.1:\d+\/auth\?/);
    });

  it('createAuthorizationUrl sends one request for calls within 5 s after a failed discovery', async () => {
    const { provider, paths } = await startHostileIssuer('metadata', excesses['40 levels']!);
    for (let calls = 0; calls < 5; calls += 1) await assert.rejects(createUrl(provider), isNotReady);
    assert.equal(paths.length, 1);
  });
});

describe('findResponseExcess', () => {
  const light = encode({ alg: 'RS256' });
  const heavy = Buffer.from('['.repeat(40)).toString('base64url');

  it('returns levels for too deeply nested claims of a userinfo response that is a token', () => {
    assert.equal(findResponseExcess(`${light}.${heavy}.AAAA`, 'application/jwt; charset=utf-8'), 'levels');
  });

  it('returns null for a token of usual size', () => {
    assert.equal(findResponseExcess(`${light}.${light}.AAAA`, 'application/jwt'), null);
  });
});

/** Returns a fake identity provider and its documents by path. Its ID token has no valid signature. */
function describeIssuer(port: number, added: Partial<Record<Document, string>> = {}) {
  const issuer = `http://127.0.0.1:${port}`;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'parley', sub: 'ada', nonce: 'n', iat: now, exp: now + 60 };
  const header = encode({ alg: 'RS256', kid: 'k' }, added.header);
  const idToken = `${header}.${encode(claims, added.claims)}.AAAA`;
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
  const documents: Record<string, [Document, object]> = {
    '/.well-known/openid-configuration': ['metadata', metadata],
    '/token': ['tokens', { access_token: 'a', token_type: 'bearer', id_token: idToken }],
    '/keys': ['keys', { keys: [] }],
  };
  return { issuer, documents };
}

/**
 * Writes an object as JSON, with an additional member `x` if `added` is given.
 * @param added JSON of another member
 */
function toJson(value: object, added?: string): string {
  const json = JSON.stringify(value);
  return added === undefined ? json : `${json.slice(0, -1)},"x":${added}}`;
}

function encode(value: object, added?: string): string {
  return Buffer.from(toJson(value, added)).toString('base64url');
}
