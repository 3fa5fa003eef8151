import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { operations } from '../../api/registry.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIssuer,
  visitIssuer,
  type TestIssuer,
} from '../support/openid-issuer.ts';
import { buildResources, buildValidBody, type Resources } from '../support/operation-calls.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { encodeJsonBase64url } from '../support/identity-token.ts';

const NONE = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');

const BASE_URL = 'https://parley.test';
const REFUSALS = [401, 403, 404, 422];

interface Place {
  /** Kinds of tokens that the operation accepts. */
  takes: readonly string[];
  use(token: string): Promise<{ status: number }>;
}

describe('tokens', () => {
  let parley: TestParley;
  let owner: Resources;
  let tokens: Record<string, string>;
  let places: Record<string, Place>;
  let issuer: TestIssuer;
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  before(async () => {
    const people = { ada: { email: 'ada@example.org', email_verified: true } };
    issuer = await startIssuer({ redirectUri: `${BASE_URL}/sign-in/acme`, people });
    const acme = { issuer: issuer.issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
    parley = await startParley(
      { PARLEY_BASE_URL: BASE_URL, PARLEY_IDENTITY_PROVIDERS: JSON.stringify({ acme }) },
      { clock },
    );
  });
  beforeEach(async () => {
    aheadMs = 0;
    owner = await buildResources(parley);
    const visit = await visitProvider();
    tokens = await collectTokens(owner, visit);
    places = listTokenUses(owner, visit);
  });
  after(async () => {
    await parley.stop();
    await issuer.stop();
  });

  const buildBody = (id: string) =>
    buildValidBody(operations.find((each) => each.id === id)!) as Record<string, string>;

  /** Signs in at an identity provider; returns the fields that the provider sends to the client. */
  async function visitProvider() {
    const { body } = await parley.client().post('/api/auth/identities/acme/start');
    const returned = await visitIssuer(body.authorization_url, 'ada');
    return {
      code: returned.get('code')!,
      state: body.state as string,
      verifier: body.code_verifier as string,
    };
  }
  type Visit = Awaited<ReturnType<typeof visitProvider>>;

  /** Signs an identity token for a visitor, as a workspace's own server does. */
  function signIdentityToken(botId: string): string {
    const claims = { sub: 'ada', exp: Math.floor(Date.now() / 1000) + 300 };
    const body = `${encodeJsonBase64url({ alg: 'HS256', typ: 'JWT' })}.${encodeJsonBase64url(claims)}`;
    const secret = parley.runtime.keyring.deriveIdentitySecret(botId);
    return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
  }

  /** Creates a valid token of each kind. */
  async function collectTokens(
    { key, accessToken, visitorToken, ids, client }: Resources,
    { state, verifier, code }: Visit,
  ) {
    await client.post('/api/bots', { name: 'Another one' });
    const page = await client.get('/api/bots?page_size=1');
    const file = await client.get(`/api/bots/${ids['bot_id']}/knowledge/${ids['document_id']}/download`);
    return {
      'an API key': key,
      'an access token': accessToken,
      'a refresh token': buildBody('refreshToken')['refresh_token']!,
      'a challenge': buildBody('verifyMfa')['challenge_token']!,
      'a visitor token': visitorToken,
      'a link to verify an address': buildBody('verifyEmail')['token']!,
      'a link to set a password': buildBody('resetPassword')['token']!,
      'an invitation': ids['token']!,
      'a link to turn email off': ids['unsubscribe_token']!,
      'a link to a file': String(new URL(file.body.url).pathname.split('/').at(-1)),
      'a cursor': page.body.next_cursor as string,
      'an emailed code': buildBody('verifyOtp')['code']!,
      'a code of an app': buildBody('verifyMfa')['code']!,
      'a verifier': verifier,
      'a state': state,
      'a provider’s code': code,
      'an identity token': signIdentityToken(ids['bot_id']!),
    };
  }

  function listTokenUses({ ids }: Resources, { code, verifier, state }: Visit): Record<string, Place> {
    const client = parley.client();
    return {
      'a call of the team': {
        takes: ['an API key', 'an access token'],
        use: (token) => parley.client(token).get('/api/bots'),
      },
      'a call about the own account': {
        takes: ['an access token'],
        use: (token) => parley.client(token).get('/api/auth/mfa'),
      },
      'a visitor’s call': {
        takes: ['a visitor token'],
        use: (token) => parley.client(token).get(`/api/public/sessions/${ids['session_id']}/messages`),
      },
      'a refresh': {
        takes: ['a refresh token'],
        use: (token) => client.post('/api/auth/refresh', { refresh_token: token }),
      },
      'the second factor': {
        takes: ['a challenge'],
        use: (token) =>
          client.post('/api/auth/mfa/verify', { ...buildBody('verifyMfa'), challenge_token: token }),
      },
      'a sign-in by email': {
        takes: ['an emailed code'],
        use: (token) => client.post('/api/auth/otp/verify', { ...buildBody('verifyOtp'), code: token }),
      },
      'a way back from a provider': {
        takes: ['a verifier'],
        use: (token) =>
          client.post('/api/auth/identities/acme/callback', { code, state, code_verifier: token }),
      },
      'a link to a provider': {
        takes: [],
        use: (token) =>
          parley
            .client(token)
            .post('/api/auth/identities/acme/link', { code, code_verifier: `not ${verifier}` }),
      },
      'a sign-in of a known person': {
        takes: ['an identity token'],
        use: (token) =>
          client.post(`/api/public/bots/${ids['public_key']}/sessions`, { identity_token: token }),
      },
      'a verification': {
        takes: ['a link to verify an address'],
        use: (token) => client.post('/api/auth/email/verify', { token }),
      },
      'a new password': {
        takes: ['a link to set a password'],
        use: (token) => client.post('/api/auth/password/reset', { ...buildBody('resetPassword'), token }),
      },
      'a preview': {
        takes: ['an invitation'],
        use: (token) => client.get(`/api/invitations/${encodeURIComponent(token)}`),
      },
      'an acceptance': {
        takes: ['an invitation'],
        use: (token) => client.post('/api/invitations/accept', { ...buildBody('acceptInvitation'), token }),
      },
      'the bearer of an acceptance': {
        takes: [],
        use: (token) => parley.client(token).post('/api/invitations/accept', buildBody('acceptInvitation')),
      },
      'email preferences': {
        takes: ['a link to turn email off'],
        use: (token) => client.post(`/api/email-preferences/unsubscribe/${encodeURIComponent(token)}`),
      },
      'a download': {
        takes: ['a link to a file'],
        use: (token) => client.get(`/api/files/${encodeURIComponent(token)}`),
      },
      'a page': {
        takes: ['a cursor'],
        use: (token) => owner.client.get(`/api/bots?cursor=${encodeURIComponent(token)}`),
      },
    };
  }

  it('of one kind are refused where another kind is expected', async () => {
    for (const [place, { takes, use }] of Object.entries(places)) {
      for (const [kind, token] of Object.entries(tokens)) {
        if (takes.includes(kind)) continue;
        const { status } = await use(token);
        assert.ok(REFUSALS.includes(status), `${kind} for ${place}: ${status}`);
      }
    }
  });

  it('are refused if unsigned, signed with another key, or as a JWT with alg none', async () => {
    for (const [place, { takes, use }] of Object.entries(places)) {
      for (const token of takes.map((kind) => tokens[kind]!).filter((each) => each.includes('.'))) {
        const [claims] = token.split('.');
        const forged = Buffer.alloc(32, 1).toString('base64url');
        for (const bad of [
          claims!,
          `${claims}.`,
          `${NONE}.${claims}.`,
          `${NONE}.${claims}.${forged}`,
          `${claims}.${forged}`,
        ]) {
          const { status } = await use(bad);
          assert.ok(REFUSALS.includes(status), `${bad} for ${place}: ${status}`);
        }
      }
    }
  });

  it('are accepted where their own kind is expected', async () => {
    for (const [place, { takes, use }] of Object.entries(places))
      for (const kind of takes) {
        const { status } = await use(tokens[kind]!);
        assert.ok(status === 200 || status === 201, `${kind} for ${place}: ${status}`);
      }
  });

  it('are refused after their lifetime, except those that never expire', async () => {
    aheadMs = 31 * 60_000;
    await parley.database.sql(`
      UPDATE conversations SET visitor_seen_at = now() - interval '31 minutes';
      UPDATE account_links SET expires_at = now();
      UPDATE sign_in_codes SET expires_at = now();
      UPDATE invitations SET expires_at = now();
      UPDATE api_keys SET expires_at = now();
      UPDATE sessions SET expires_at = now()`);
    const isEndless = ['email preferences', 'a page', 'a sign-in of a known person'];
    for (const [place, { takes, use }] of Object.entries(places))
      for (const kind of takes) {
        if (isEndless.includes(place)) continue;
        const { status } = await use(tokens[kind]!);
        assert.ok(REFUSALS.includes(status), `${kind} for ${place}: ${status}`);
      }
  });

  it('that may be used once are refused the second time', async () => {
    const once = ['a verifier', 'a challenge', 'an emailed code', 'an invitation'];
    const links = ['a link to verify an address', 'a link to set a password'];
    const isOnce = (kind: string) => [...once, ...links].includes(kind);
    for (const [place, { takes, use }] of Object.entries(places))
      for (const kind of takes.filter(isOnce)) {
        if (place === 'a preview') continue;
        assert.equal((await use(tokens[kind]!)).status, 200, `${kind} for ${place}`);
        const { status } = await use(tokens[kind]!);
        assert.ok(REFUSALS.includes(status), `${kind} for ${place} again: ${status}`);
      }
  });
});
