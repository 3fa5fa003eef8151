import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';

export interface TestIssuer {
  issuer: string;
  stop(): Promise<void>;
}

/** People with an account at an identity provider, by subject. */
type People = Record<string, { email?: string; email_verified?: boolean; name?: string }>;

export interface IssuerOptions {
  redirectUri: string;
  people: People;
  /** Subject that the identity provider signs in if the request names none. */
  visitor?: string;
  /** True if the ID token itself has the person's claims, not only the userinfo endpoint. */
  hasFullIdToken?: boolean;
}

export const CLIENT_ID = 'parley';
export const CLIENT_SECRET = 'a-secret-of-the-client';

/** Starts a real OpenID provider. It signs in the person named by `login_hint` and consents to every request. */
export async function startIssuer(options: IssuerOptions): Promise<TestIssuer> {
  const { redirectUri, people, hasFullIdToken = false } = options;
  let handle: RequestListener = () => {};
  const server = await startIssuerServer((req, res) => handle(req, res));
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(server.issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    clientDefaults: { token_endpoint_auth_method: 'client_secret_post' },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['for tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !hasFullIdToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });
  const serve = provider.callback();
  handle = (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void serve(req, res);
    provider
      .interactionDetails(req, res)
      .then(({ params }) =>
        provider.interactionFinished(req, res, {
          login: { accountId: String('login_hint' in params ? params['login_hint'] : options.visitor) },
        }),
      )
      .catch(() => res.writeHead(400).end());
  };
  return server;
}

/**
 * Signs `subject` in at the identity provider.
 * @returns the query with which the issuer redirects back
 */
export async function visitIssuer(authorizationUrl: string, subject: string): Promise<URLSearchParams> {
  const { searchParams } = new URL(authorizationUrl);
  const redirectUri = searchParams.get('redirect_uri')!;
  const cookies = new Map<string, string>();
  let url = `${authorizationUrl}&login_hint=${encodeURIComponent(subject)}`;
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    assert.ok(location, await response.text());
    url = new URL(location, url).href;
    if (url.startsWith(redirectUri)) return new URL(url).searchParams;
  }
  throw new Error('The issuer does not lead back.');
}

/** Response of a fake identity provider to an authorization code. */
export interface Forgery {
  claims?: JWTPayload;
  /**
   * Signature of the ID token. `none`: no signature; `stranger`: signed with an unpublished key; `tampered`:
   * the signature of other claims.
   */
  signature?: 'none' | 'stranger' | 'tampered';
  status?: number;
  hasNoIdToken?: boolean;
}

/**
 * Starts a fake identity provider that returns the ID tokens that a test asks for, and ignores the
 * authorization code.
 */
export async function startForger(): Promise<TestIssuer & { forge(next: Forgery): void }> {
  const [own, stranger] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const key = { ...(await exportJWK(own.publicKey)), alg: 'RS256', use: 'sig', kid: 'own' };
  let forgery: Forgery = {};
  const server: TestIssuer = await startIssuerServer((req, res) => {
    buildForgerResponse(req).then(
      ({ status, body }) =>
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => res.writeHead(500).end(),
    );
  });
  const buildForgerResponse = async (req: IncomingMessage): Promise<{ status: number; body: object }> => {
    const { issuer } = server;
    const path = new URL(req.url ?? '/', issuer).pathname;
    if (path === '/keys') return { status: 200, body: { keys: [key] } };
    if (path !== '/token') return { status: 200, body: buildMetadata(issuer) };
    req.resume();
    await once(req, 'end');
    if (forgery.status) return { status: forgery.status, body: { error: 'server_error' } };
    const idToken = await forgeIdToken(issuer);
    const token = { access_token: 'x', token_type: 'bearer' };
    return { status: 200, body: forgery.hasNoIdToken ? token : { ...token, id_token: idToken } };
  };
  const forgeIdToken = async (issuer: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const person = { sub: 'ada', email: 'forged@example.com', email_verified: true };
    const claims = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 60, ...person, ...forgery.claims };
    const { signature } = forgery;
    const signed = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(signature === 'stranger' ? stranger.privateKey : own.privateKey);
    const [, body] = signed.split('.');
    if (signature === 'none') return `${encode({ alg: 'none' })}.${body}.`;
    if (signature !== 'tampered') return signed;
    return signed.replace(`.${body}.`, `.${encode({ ...claims, sub: 'somebody else' })}.`);
  };
  return { ...server, forge: (next) => (forgery = next) };
}

function buildMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function startIssuerServer(handle: RequestListener): Promise<TestIssuer> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    issuer: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
