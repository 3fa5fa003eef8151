import assert from 'node:assert/strict';
import { IdentityAttempt, LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import {
  CLIENT_ID,
  startForger,
  visitIssuer,
  type Forgery,
  type TestIssuer,
} from '../support/openid-issuer.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import type { TestParley } from '../support/parley.ts';
import { BASE_URL, describeOutcome, useIdentityProviders, type KnownIssuers } from './identity-providers.ts';

describe('identity providers:', () => {
  let parley: TestParley;
  let acme: TestIssuer;
  let globex: TestIssuer;
  let forger: Awaited<ReturnType<typeof startForger>>;
  const odd = new LocalServers();
  const { setAhead, start, visit, finish, signIn, link } = useIdentityProviders(
    (started) => ({ parley, acme, globex } = started),
    async (known) => {
      const {
        acme: { issuer },
        client,
      } = known;
      forger = await startForger();
      return {
        forger: { ...client, issuer: forger.issuer },
        ...(await startMalformedIssuers(known)),
        dead: { ...client, issuer: 'http://127.0.0.1:9' },
        mistaken: { ...client, issuer, client_secret: 'wrong' },
      };
    },
  );
  after(async () => {
    await forger.stop();
    await odd.close();
  });

  /** Starts identity providers whose discovery documents are malformed. */
  async function startMalformedIssuers({ acme, client }: KnownIssuers): Promise<Record<string, object>> {
    const json = { 'content-type': 'application/json' };
    const endless = await odd.http((_req, res) => {
      const more = () => {
        while (res.write('x'.repeat(65_536)));
      };
      res
        .writeHead(200, json)
        .on('drain', more)
        .on('error', () => {});
      more();
    });
    const elsewhere = await odd.http((_req, res) => res.writeHead(302, { location: acme.issuer }).end());
    const script = await odd.http((req, res) => {
      const issuer = `http://${req.headers.host}`;
      const endpoints = { authorization_endpoint: 'javascript:alert(1)', token_endpoint: `${issuer}/token` };
      res.writeHead(200, json).end(JSON.stringify({ issuer, ...endpoints, jwks_uri: `${issuer}/keys` }));
    });
    const named = Object.entries({ endless, elsewhere, script });
    return Object.fromEntries(
      named.map(([name, port]) => [name, { ...client, issuer: `http://127.0.0.1:${port}` }]),
    );
  }

  it('getMeta returns the names of the configured identity providers', async () => {
    const { body } = await parley.client().get('/api/meta');
    const names = ['acme', 'globex', 'forger', 'endless', 'elsewhere', 'script', 'dead', 'mistaken'];
    assert.deepEqual(body.identity_providers, names);
  });

  describe('startIdentity', () => {
    it('sends the provider the client id, PKCE challenge, state and nonce', async () => {
      const body = await start();
      const url = new URL(body.authorization_url);
      assert.equal(url.origin, acme.issuer);
      const parameters = Object.fromEntries(url.searchParams);
      assert.deepEqual(parameters, {
        response_type: 'code',
        client_id: CLIENT_ID,
        redirect_uri: `${BASE_URL}/sign-in/acme`,
        scope: 'openid email profile',
        state: body.state,
        nonce: body.nonce,
        code_challenge: parameters['code_challenge'],
        code_challenge_method: 'S256',
      });
      assert.equal(body.redirect_uri, `${BASE_URL}/sign-in/acme`);
      assert.ok(body.code_verifier.length >= 43);
    });

    it('stores neither state nor verifier in the table', async () => {
      const { state, nonce, code_verifier: verifier } = await start();
      const rows = JSON.stringify(await parley.database.repository(IdentityAttempt).find());
      for (const secret of [state, nonce, verifier]) assert.ok(!rows.includes(secret));
    });

    for (const [provider, what] of [
      ['endless', 'returns 503 not_ready if the provider sends an endless response'],
      ['elsewhere', 'returns 503 not_ready if the provider redirects to another host'],
      ['script', 'returns 503 not_ready if the provider’s authorization_endpoint is a script URL'],
    ])
      it(what!, async () => {
        const response = await parley.client().post(`/api/auth/identities/${provider}/start`);
        assert.equal(describeOutcome(response), '503 not_ready');
      });

    it('returns 404 for a provider that is not configured, and 503 with Retry-After for a provider that is down', async () => {
      const unknown = await parley.client().post('/api/auth/identities/nobody/start');
      assert.equal(describeOutcome(unknown), '404 not_found');
      const callback = {
        code: 'a-code-of-theirs',
        state: 'a-state-of-theirs',
        code_verifier: 'v'.repeat(43),
      };
      const finished = await parley.client().post('/api/auth/identities/nobody/callback', callback);
      assert.equal(describeOutcome(finished), '404 not_found');
      const dead = await parley.client().post('/api/auth/identities/dead/start');
      assert.equal(describeOutcome(dead), '503 not_ready');
      assert.ok(dead.headers.get('retry-after'));
    });
  });

  describe('finishIdentity', () => {
    it('creates an account, its workspace and an identity for listIdentities at the first sign-in, and signs in to the same account at the next', async () => {
      const first = await signIn('ada');
      const { body: me } = await first.get('/api/auth/me');
      assert.equal(me.user.email, 'ada@example.com');
      assert.equal(me.user.full_name, 'Ada Lovelace');
      assert.equal(me.user.is_verified, true);
      assert.equal(me.user.has_password, false);
      assert.equal(me.organization!.role, 'owner');
      const again = await (await signIn('ada')).get('/api/auth/me');
      assert.equal(again.body.user.id, me.user.id);
      assert.equal(await parley.database.repository(Membership).countBy({ userId: me.user.id }), 1);
      const { body: identities } = await first.get('/api/auth/identities');
      assert.equal(identities.length, 1);
      assert.equal(identities[0]!.provider, 'acme');
      assert.equal(identities[0]!.email, 'ada@example.com');
      assert.ok(identities[0]!.last_login_at);
    });

    it('creates no account if accounts are created by invitation only, but signs in to existing accounts', async () => {
      const closed = (await parley.startAnother({ registration: 'invited' })).client();
      await signIn('ada');
      const outcomes: string[] = [];
      for (const who of ['newcomer', 'ada'])
        outcomes.push(
          describeOutcome(await closed.post('/api/auth/identities/acme/callback', await visit(who))),
        );
      assert.deepEqual(outcomes, ['403 forbidden', '200']);
    });

    it('takes over an account with the same address that was registered but never verified', async () => {
      const email = 'squatted@example.com';
      const password = 'four green lamps at dusk';
      const squatter = { email, password, full_name: 'Mallory' };
      assert.equal((await parley.client().post('/api/auth/register', squatter)).status, 200);
      const { id } = await parley.database.repository(User).findOneByOrFail({ email });
      const closed = (await parley.startAnother({ registration: 'invited' })).client();
      const refused = await closed.post('/api/auth/identities/acme/callback', await visit('squatted'));
      assert.equal(describeOutcome(refused), '403 forbidden');
      const visits = await Promise.all([visit('squatted'), visit('squatted')]);
      const responses = await Promise.all(visits.map((body) => finish(body)));
      assert.deepEqual(responses.map(describeOutcome), ['200', '200']);
      const { body: me } = await parley.client(responses[0]!.body.access_token).get('/api/auth/me');
      assert.deepEqual(
        [me.user.id, me.user.full_name, me.user.is_verified, me.user.has_password],
        [id, 'The Owner', true, false],
      );
      assert.equal((await parley.client().post('/api/auth/login', { email, password })).status, 401);
    });

    it('matches no account by email address, and no account by the subject of another issuer', async () => {
      await signIn('ada');
      const other = await finish(await visit('ada', 'globex'), 'globex');
      assert.equal(describeOutcome(other), '409 conflict');
      assert.equal(await parley.database.repository(LinkedIdentity).countBy({ provider: 'globex' }), 0);
    });

    it('creates no account if the provider has not verified the address', async () => {
      for (const subject of ['unverified', 'nameless'])
        assert.equal(describeOutcome(await finish(await visit(subject))), '409 conflict email');
      assert.equal(await parley.database.repository(User).countBy({ email: 'unverified@example.com' }), 0);
    });

    it('asks for the second factor', async () => {
      const { userId } = await link('with-factor');
      await parley.database.repository(User).update(userId, { mfaActivatedAt: new Date() });
      const { status, body } = await finish(await visit('with-factor'));
      assert.equal(status, 200);
      assert.equal(body.mfa_required, true);
      assert.equal(body.access_token, undefined);
    });

    it('refuses a closed account', async () => {
      const { userId } = await link('closed');
      await parley.database.repository(User).update(userId, { isActive: false });
      assert.equal(describeOutcome(await finish(await visit('closed'))), '401 unauthenticated');
    });

    it('accepts state and iss in addition to the code', async () => {
      const { authorization_url: url, code_verifier } = await start();
      const returned = await visitIssuer(url, 'ada');
      const { code, state, iss } = Object.fromEntries(returned);
      assert.equal(describeOutcome(await finish({ code, state, iss, code_verifier })), '200');
    });
  });

  describe('finishIdentity with an authorization code', () => {
    it('accepts a code once', async () => {
      const body = await visit('ada');
      assert.equal(describeOutcome(await finish(body)), '200');
      assert.equal(describeOutcome(await finish(body)), '422 validation_error code_verifier');
    });

    it('accepts a code once if two concurrent requests send it', async () => {
      const body = await visit('ada');
      const responses = await Promise.all([finish(body), finish(body)]);
      assert.deepEqual(responses.map(describeOutcome).sort(), ['200', '422 validation_error code_verifier']);
    });

    it('returns the same response for the same idempotency key', async () => {
      const body = await visit('ada');
      const named = { 'idempotency-key': 'come-back' };
      const path = '/api/auth/identities/acme/callback';
      const first = await parley.client().post(path, body, named);
      const second = await parley.client().post(path, body, named);
      assert.equal(describeOutcome(first), '200');
      assert.deepEqual(second.body, first.body);
    });

    it('accepts a code for identityAttemptSeconds, and refuses it afterwards', async () => {
      const inTime = await visit('ada');
      setAhead(690);
      assert.equal(describeOutcome(await finish(inTime)), '200');
      setAhead(0);
      const body = await visit('ada');
      setAhead(701);
      assert.equal(describeOutcome(await finish(body)), '422 validation_error code_verifier');
    });

    it('refuses a code without a started attempt', async () => {
      const { code } = await visit('ada');
      const response = await finish({ code, code_verifier: 'v'.repeat(43) });
      assert.equal(describeOutcome(response), '422 validation_error code_verifier');
    });

    it('refuses the code, state, nonce or issuer of another sign-in, and ends the attempt', async () => {
      const other = await start();
      const { code: otherCode } = await visit('grace');
      const swaps = {
        code: otherCode,
        state: other.state,
        nonce: other.nonce,
        iss: globex.issuer,
      };
      for (const [name, value] of Object.entries(swaps)) {
        const body = await visit('ada');
        const field = name === 'iss' ? 'code' : name;
        assert.equal(
          describeOutcome(await finish({ ...body, [name]: value })),
          `422 validation_error ${field}`,
        );
        assert.equal(describeOutcome(await finish(body)), '422 validation_error code_verifier');
      }
    });

    it('refuses a code at another provider, and the code of another provider', async () => {
      const body = await visit('ada');
      assert.equal(describeOutcome(await finish(body, 'globex')), '422 validation_error code_verifier');
      const { code } = await visit('ada', 'globex');
      const own = await visit('ada');
      assert.equal(describeOutcome(await finish({ ...own, code })), '422 validation_error code');
    });

    it('refuses a code that the provider does not know', async () => {
      const { code_verifier } = await start();
      const response = await finish({ code: 'made-up-code', code_verifier });
      assert.equal(describeOutcome(response), '422 validation_error code');
    });

    it('returns 503 not_ready if the provider refuses the client credentials', async () => {
      const { code_verifier } = await start('mistaken');
      assert.equal(
        describeOutcome(await finish({ code: 'made-up-code', code_verifier }, 'mistaken')),
        '503 not_ready',
      );
    });
  });

  describe('finishIdentity with an ID token', () => {
    async function finishWithForgery(forgery: Forgery): Promise<string> {
      const { code_verifier, nonce } = await start('forger');
      forger.forge({ ...forgery, claims: { nonce, ...forgery.claims } });
      return describeOutcome(await finish({ code: 'any code at all', code_verifier }, 'forger'));
    }
    const now = () => Math.floor(Date.now() / 1000);

    it('accepts a valid token', async () => {
      assert.equal(await finishWithForgery({}), '200');
    });

    for (const signature of ['none', 'stranger', 'tampered'] as const)
      it(`refuses a token whose signature is ${signature}`, async () => {
        assert.equal(await finishWithForgery({ signature }), '422 validation_error code');
      });

    const claims = {
      'of another issuer': () => ({ iss: acme.issuer }),
      'for another client': () => ({ aud: 'somebody-else' }),
      'that have expired': () => ({ iat: now() - 600, exp: now() - 300 }),
      'with another nonce': () => ({ nonce: 'of another sign-in' }),
      'without a nonce': () => ({ nonce: undefined }),
      'without a subject': () => ({ sub: undefined }),
      'issued to another client': () => ({ azp: 'somebody-else' }),
      'with an overlong subject': () => ({ sub: 'x'.repeat(256) }),
      'with a subject of invisible characters': () => ({ sub: 'a\u0000b' }),
    };
    for (const [what, make] of Object.entries(claims))
      it(`refuses tokens ${what}`, async () => {
        assert.equal(await finishWithForgery({ claims: make() }), '422 validation_error code');
      });

    for (const email of [
      'nobody',
      'a@example.com, b@example.com',
      'a\u0000@example.com',
      `${'x'.repeat(320)}@a.b`,
    ])
      it(`does not treat the address ${JSON.stringify(email.slice(0, 40))} as verified`, async () => {
        assert.equal(
          await finishWithForgery({ claims: { sub: `of ${email.length}`, email } }),
          '409 conflict email',
        );
      });

    it('stores any name without control characters and direction overrides, and truncates a long name', async () => {
      const email = 'named@example.com';
      const name = ` Ada\u0000\r\n\u202eBcc: ${'🐝'.repeat(200)}`;
      assert.equal(await finishWithForgery({ claims: { sub: 'named', email, name } }), '200');
      const { fullName } = await parley.database.repository(User).findOneByOrFail({ email });
      assert.equal(fullName, `Ada Bcc: ${'🐝'.repeat(123)}`);
    });

    it('refuses a response without a token', async () => {
      assert.equal(await finishWithForgery({ hasNoIdToken: true }), '422 validation_error code');
    });

    it('returns 503 not_ready if the token endpoint returns 500', async () => {
      assert.equal(await finishWithForgery({ status: 500 }), '503 not_ready');
    });
  });
});
