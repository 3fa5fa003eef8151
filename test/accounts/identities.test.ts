import assert from 'node:assert/strict';
import { IdentityAttempt, LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { generateSync } from 'otplib';
import { Session } from '../../entities/accounts/session.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startForger,
  startIssuer,
  visitIssuer,
  type Forgery,
  type TestIssuer,
} from '../support/openid-issuer.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { startParley, type ApiAnswer, type TestParley } from '../support/parley.ts';
import { buildPerson, mailsTo } from './support.ts';

const BASE_URL = 'https://parley.test';

interface Start {
  authorization_url: string;
  state: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
}

describe('identity providers', () => {
  let parley: TestParley;
  let acme: TestIssuer;
  let globex: TestIssuer;
  let forger: Awaited<ReturnType<typeof startForger>>;
  const odd = new LocalServers();
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const people = {
    ada: { email: 'Ada@example.com', email_verified: true, name: 'Ada Lovelace' },
    grace: { email: 'grace@example.com', email_verified: true },
    newcomer: { email: 'newcomer@example.com', email_verified: true },
    unverified: { email: 'unverified@example.com', email_verified: false },
    nameless: {},
    owner: { email: 'owner@example.com', email_verified: true, name: 'Olive Owner' },
    squatted: { email: 'squatted@example.com', email_verified: true, name: 'The Owner' },
  };
  before(async () => {
    const redirectUri = (provider: string) => `${BASE_URL}/sign-in/${provider}`;
    acme = await startIssuer({ redirectUri: redirectUri('acme'), people });
    globex = await startIssuer({ redirectUri: redirectUri('globex'), people, hasFullIdToken: true });
    forger = await startForger();
    const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
    const providers = {
      acme: { ...client, issuer: acme.issuer },
      globex: { ...client, issuer: globex.issuer },
      forger: { ...client, issuer: forger.issuer },
      ...(await oddIssuers(client)),
      dead: { ...client, issuer: 'http://127.0.0.1:9' },
      mistaken: { ...client, issuer: acme.issuer, client_secret: 'wrong' },
    };
    parley = await startParley(
      {
        PARLEY_BASE_URL: BASE_URL,
        PARLEY_IDENTITY_PROVIDERS: JSON.stringify(providers),
        PARLEY_IDENTITY_ATTEMPT_SECONDS: '700',
      },
      { clock },
    );
  });
  after(async () => {
    await parley.stop();
    await Promise.all([acme, globex, forger].map((issuer) => issuer.stop()));
    await odd.close();
  });
  beforeEach(() => (aheadMs = 0));

  const told = ({ status, body }: ApiAnswer) =>
    [status, body.error?.code ?? 'ok', body.details?.[0]?.field].filter(Boolean).join(' ');

  /** Issuers that answer with something else than what they are asked about themselves. */
  async function oddIssuers(client: object): Promise<Record<string, object>> {
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

  async function start(provider = 'acme'): Promise<Start> {
    const { status, body } = await parley.client().post(`/api/auth/identities/${provider}/start`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** What the client brings back after a visit to the provider. */
  async function visit(subject: string, provider = 'acme') {
    const { authorization_url: url, nonce, code_verifier, state } = await start(provider);
    const returned = await visitIssuer(url, subject);
    assert.equal(returned.get('state'), state);
    return { code: returned.get('code')!, code_verifier, nonce };
  }

  const finish = (body: object, provider = 'acme') =>
    parley.client().post(`/api/auth/identities/${provider}/callback`, body);

  async function signIn(subject: string, provider = 'acme') {
    const answer = await finish(await visit(subject, provider), provider);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return parley.client(answer.body.access_token);
  }

  async function link(subject: string, provider = 'acme') {
    const person = await buildPerson(parley);
    const { client } = await parley.signIn(person);
    const body = await visit(subject, provider);
    const answer = await client.post(`/api/auth/identities/${provider}/link`, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return { ...person, session: client };
  }

  it('are told by the service', async () => {
    const { body } = await parley.client().get('/api/meta');
    const names = ['acme', 'globex', 'forger', 'endless', 'elsewhere', 'script', 'dead', 'mistaken'];
    assert.deepEqual(body.identity_providers, names);
  });

  describe('on the way there', () => {
    it('are asked with code, PKCE, state and nonce', async () => {
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

    it('leave neither state nor verifier in the table', async () => {
      const { state, nonce, code_verifier: verifier } = await start();
      const rows = JSON.stringify(await parley.database.repository(IdentityAttempt).find());
      for (const secret of [state, nonce, verifier]) assert.ok(!rows.includes(secret));
    });

    for (const [provider, what] of [
      ['endless', 'read to the end when they do not come to it'],
      ['elsewhere', 'followed to where else they lead'],
      ['script', 'taken at their word when it is no address to go to'],
    ])
      it(`are not ${what}`, async () => {
        const answer = await parley.client().post(`/api/auth/identities/${provider}/start`);
        assert.equal(told(answer), '503 not_ready');
      });

    it('are not found by a name that the settings lack, and do not answer when they are down', async () => {
      const unknown = await parley.client().post('/api/auth/identities/nobody/start');
      assert.equal(told(unknown), '404 not_found');
      const dead = await parley.client().post('/api/auth/identities/dead/start');
      assert.equal(told(dead), '503 not_ready');
      assert.ok(dead.headers.get('retry-after'));
    });
  });

  describe('signing in', () => {
    it('makes an account and its workspace the first time, and finds it again', async () => {
      const first = await signIn('ada');
      const { body: me } = await first.get('/api/auth/me');
      assert.equal(me.user.email, 'ada@example.com');
      assert.equal(me.user.full_name, 'Ada Lovelace');
      assert.equal(me.user.is_verified, true);
      assert.equal(me.user.has_password, false);
      assert.equal(me.organization.role, 'owner');
      const again = await (await signIn('ada')).get('/api/auth/me');
      assert.equal(again.body.user.id, me.user.id);
      assert.equal(await parley.database.repository(Membership).countBy({ userId: me.user.id }), 1);
      const { body: identities } = await first.get('/api/auth/identities');
      assert.equal(identities.length, 1);
      assert.equal(identities[0].provider, 'acme');
      assert.equal(identities[0].email, 'ada@example.com');
      assert.ok(identities[0].last_login_at);
    });

    it('makes none where accounts are made by invitation alone, and lets in who has one', async () => {
      const closed = (await parley.startAnother({ registration: 'invited' })).client();
      await signIn('ada');
      const answers: string[] = [];
      for (const who of ['newcomer', 'ada'])
        answers.push(told(await closed.post('/api/auth/identities/acme/callback', await visit(who))));
      assert.deepEqual(answers, ['403 forbidden', '200 ok']);
    });

    it('takes over the account that somebody has registered for the address and nobody confirmed', async () => {
      const email = 'squatted@example.com';
      const password = 'four green lamps at dusk';
      const squatter = { email, password, full_name: 'Mallory' };
      assert.equal((await parley.client().post('/api/auth/register', squatter)).status, 200);
      const { id } = await parley.database.repository(User).findOneByOrFail({ email });
      const closed = (await parley.startAnother({ registration: 'invited' })).client();
      const refused = await closed.post('/api/auth/identities/acme/callback', await visit('squatted'));
      assert.equal(told(refused), '403 forbidden');
      const visits = await Promise.all([visit('squatted'), visit('squatted')]);
      const answers = await Promise.all(visits.map((body) => finish(body)));
      assert.deepEqual(answers.map(told), ['200 ok', '200 ok']);
      const { body: me } = await parley.client(answers[0]!.body.access_token).get('/api/auth/me');
      assert.deepEqual(
        [me.user.id, me.user.full_name, me.user.is_verified, me.user.has_password],
        [id, 'The Owner', true, false],
      );
      assert.equal((await parley.client().post('/api/auth/login', { email, password })).status, 401);
    });

    it('does not go by the e-mail address, nor by the subject at another issuer', async () => {
      await signIn('ada');
      const other = await finish(await visit('ada', 'globex'), 'globex');
      assert.equal(told(other), '409 conflict');
      assert.equal(await parley.database.repository(LinkedIdentity).countBy({ provider: 'globex' }), 0);
    });

    it('makes no account where the provider does not vouch for an address', async () => {
      for (const subject of ['unverified', 'nameless'])
        assert.equal(told(await finish(await visit(subject))), '409 conflict');
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

    it('is refused to a closed account', async () => {
      const { userId } = await link('closed');
      await parley.database.repository(User).update(userId, { isActive: false });
      assert.equal(told(await finish(await visit('closed'))), '401 unauthenticated');
    });

    it('takes what the client brings back beyond the code: state and issuer', async () => {
      const { authorization_url: url, code_verifier } = await start();
      const returned = await visitIssuer(url, 'ada');
      const { code, state, iss } = Object.fromEntries(returned);
      assert.equal(told(await finish({ code, state, iss, code_verifier })), '200 ok');
    });
  });

  describe('what comes back', () => {
    it('is good once', async () => {
      const body = await visit('ada');
      assert.equal(told(await finish(body)), '200 ok');
      assert.equal(told(await finish(body)), '422 validation_error code_verifier');
    });

    it('is good once when it is sent twice at a time', async () => {
      const body = await visit('ada');
      const answers = await Promise.all([finish(body), finish(body)]);
      assert.deepEqual(answers.map(told).sort(), ['200 ok', '422 validation_error code_verifier']);
    });

    it('gets the same answer again when the request is named', async () => {
      const body = await visit('ada');
      const named = { 'idempotency-key': 'come-back' };
      const path = '/api/auth/identities/acme/callback';
      const first = await parley.client().post(path, body, named);
      const second = await parley.client().post(path, body, named);
      assert.equal(told(first), '200 ok');
      assert.deepEqual(second.body, first.body);
    });

    it('is good for PARLEY_IDENTITY_ATTEMPT_SECONDS', async () => {
      const inTime = await visit('ada');
      aheadMs = 690_000;
      assert.equal(told(await finish(inTime)), '200 ok');
      aheadMs = 0;
      const body = await visit('ada');
      aheadMs = 701_000;
      assert.equal(told(await finish(body)), '422 validation_error code_verifier');
    });

    it('needs a start', async () => {
      const { code } = await visit('ada');
      const answer = await finish({ code, code_verifier: 'v'.repeat(43) });
      assert.equal(told(answer), '422 validation_error code_verifier');
    });

    it('is refused with the code, state, nonce or issuer of another sign-in, and is over then', async () => {
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
        assert.equal(told(await finish({ ...body, [name]: value })), `422 validation_error ${field}`);
        assert.equal(told(await finish(body)), '422 validation_error code_verifier');
      }
    });

    it('is refused at another provider, and with another provider’s code', async () => {
      const body = await visit('ada');
      assert.equal(told(await finish(body, 'globex')), '422 validation_error code_verifier');
      const { code } = await visit('ada', 'globex');
      const own = await visit('ada');
      assert.equal(told(await finish({ ...own, code })), '422 validation_error code');
    });

    it('is refused for a code that the provider does not know', async () => {
      const { code_verifier } = await start();
      const answer = await finish({ code: 'made-up-code', code_verifier });
      assert.equal(told(answer), '422 validation_error code');
    });

    it('cannot be redeemed with credentials that the provider refuses', async () => {
      const { code_verifier } = await start('mistaken');
      assert.equal(told(await finish({ code: 'made-up-code', code_verifier }, 'mistaken')), '503 not_ready');
    });
  });

  describe('ID tokens', () => {
    async function answerTo(forgery: Forgery): Promise<string> {
      const { code_verifier, nonce } = await start('forger');
      forger.forge({ ...forgery, claims: { nonce, ...forgery.claims } });
      return told(await finish({ code: 'any code at all', code_verifier }, 'forger'));
    }
    const now = () => Math.floor(Date.now() / 1000);

    it('are taken when they are good', async () => {
      assert.equal(await answerTo({}), '200 ok');
    });

    for (const signature of ['none', 'stranger', 'tampered'] as const)
      it(`are refused with the signature ${signature}`, async () => {
        assert.equal(await answerTo({ signature }), '422 validation_error code');
      });

    const claims = {
      'of another issuer': () => ({ iss: acme.issuer }),
      'for another client': () => ({ aud: 'somebody-else' }),
      'that have expired': () => ({ iat: now() - 600, exp: now() - 300 }),
      'with another nonce': () => ({ nonce: 'of another sign-in' }),
      'without a nonce': () => ({ nonce: undefined }),
      'without a subject': () => ({ sub: undefined }),
      'issued to another client': () => ({ azp: 'somebody-else' }),
      'with a subject that is too long': () => ({ sub: 'x'.repeat(256) }),
      'with a subject of no characters': () => ({ sub: 'a\u0000b' }),
    };
    for (const [what, make] of Object.entries(claims))
      it(`are refused ${what}`, async () => {
        assert.equal(await answerTo({ claims: make() }), '422 validation_error code');
      });

    for (const email of [
      'nobody',
      'a@example.com, b@example.com',
      'a\u0000@example.com',
      `${'x'.repeat(320)}@a.b`,
    ])
      it(`vouch for no such address as ${JSON.stringify(email.slice(0, 40))}`, async () => {
        assert.equal(await answerTo({ claims: { sub: `of ${email.length}`, email } }), '409 conflict');
      });

    it('may call people whatever they like', async () => {
      const email = 'named@example.com';
      const name = ` Ada\u0000\r\nBcc: ${'🐝'.repeat(200)}`;
      assert.equal(await answerTo({ claims: { sub: 'named', email, name } }), '200 ok');
      const { fullName } = await parley.database.repository(User).findOneByOrFail({ email });
      assert.equal(fullName, `Ada Bcc: ${'🐝'.repeat(123)}`);
    });

    it('are needed', async () => {
      assert.equal(await answerTo({ hasNoIdToken: true }), '422 validation_error code');
    });

    it('do not come from a provider that fails', async () => {
      assert.equal(await answerTo({ status: 500 }), '503 not_ready');
    });
  });

  describe('linking', () => {
    it('lets somebody in who has an account already', async () => {
      const { userId, session } = await link('linked');
      const { body } = await session.get('/api/auth/identities');
      assert.deepEqual(
        body.map(({ provider, last_login_at }: any) => ({ provider, last_login_at })),
        [{ provider: 'acme', last_login_at: null }],
      );
      const { body: me } = await (await signIn('linked')).get('/api/auth/me');
      assert.equal(me.user.id, userId);
    });

    it('is refused for a subject of another account, for one’s own again, and for a second one', async () => {
      const { session } = await link('taken');
      const other = await parley.signIn(await buildPerson(parley));
      const path = '/api/auth/identities/acme/link';
      assert.equal(told(await other.client.post(path, await visit('taken'))), '409 conflict');
      assert.equal(told(await session.post(path, await visit('taken'))), '409 conflict');
      assert.equal(told(await session.post(path, await visit('a second one'))), '409 conflict');
      assert.equal((await other.client.get('/api/auth/identities')).body.length, 0);
    });

    it('happens once when two accounts ask at a time', async () => {
      const sessions = await Promise.all([1, 2].map(async () => parley.signIn(await buildPerson(parley))));
      const visits = await Promise.all(sessions.map(() => visit('wanted by two')));
      const answers = await Promise.all(
        sessions.map(({ client }, index) => client.post('/api/auth/identities/acme/link', visits[index])),
      );
      assert.deepEqual(answers.map(told).sort(), ['201 ok', '409 conflict']);
    });

    it('is tried from one address as often as signing in, and no more', async () => {
      const limited = await parley.startAnother({ signInLimitPerIp: 3 });
      await parley.database.sql('DELETE FROM rate_windows');
      const { accessToken } = await parley.signIn(await buildPerson(parley));
      const client = limited.client(accessToken);
      const body = { code: 'x'.repeat(20), code_verifier: 'x'.repeat(43) };
      const answers: string[] = [];
      for (const path of ['callback', 'link', 'link', 'link'])
        answers.push(told(await client.post(`/api/auth/identities/acme/${path}`, body)));
      const wrong = '422 validation_error code_verifier';
      assert.deepEqual(answers, [wrong, wrong, wrong, '429 rate_limited']);
    });

    it('is refused without a start, and at a provider that there is not', async () => {
      const { client } = await parley.signIn(await buildPerson(parley));
      const body = { code: 'made-up-code', code_verifier: 'v'.repeat(43) };
      const none = await client.post('/api/auth/identities/acme/link', body);
      assert.equal(told(none), '422 validation_error code_verifier');
      const unknown = await client.post('/api/auth/identities/nobody/link', body);
      assert.equal(told(unknown), '404 not_found');
    });
  });

  describe('as the only way into an account', () => {
    it('count where a password is asked for, while the sign-in is fresh: second factor, ownership and closing', async () => {
      const owner = await signIn('owner');
      const { body: me } = await owner.get('/api/auth/me');
      const orgId = me.organization.id;
      const age = () =>
        parley.database
          .repository(Session)
          .update({ userId: me.user.id }, { createdAt: new Date(Date.now() - 601_000) });
      const { body: setup } = await owner.post('/api/auth/mfa/setup');
      const code = (steps: number) =>
        generateSync({ secret: setup.secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
      assert.equal(told(await owner.post('/api/auth/mfa/activate', { code: code(-1) })), '200 ok');
      await age();
      const off = (steps: number) => ({ password: null, code: code(steps) });
      assert.equal(told(await owner.post('/api/auth/mfa/disable', off(0))), '403 fresh_proof_required');
      const { body: first } = await finish(await visit('owner'));
      const { challenge_token } = first;
      const second = await parley.client().post('/api/auth/mfa/verify', { challenge_token, code: code(0) });
      const again = parley.client(second.body.access_token);
      assert.equal(told(await again.post('/api/auth/mfa/disable', off(1))), '200 ok');
      const heir = await parley.buildOrg({ orgId });
      await parley.database.repository(User).update(heir.userId, { emailVerifiedAt: new Date() });
      const { id } = await parley.database
        .repository(Membership)
        .findOneByOrFail({ orgId, userId: heir.userId });
      const transfer = () => again.post(`/api/orgs/${orgId}/transfer-ownership`, { membership_id: id });
      await age();
      assert.equal(told(await transfer()), '403 fresh_proof_required');
      assert.equal(told(await again.post('/api/auth/me/delete', {})), '403 fresh_proof_required');
      const last = await signIn('owner');
      const handed = await last.post(`/api/orgs/${orgId}/transfer-ownership`, { membership_id: id });
      assert.equal(told(handed), '200 ok');
      assert.equal(told(await last.post('/api/auth/me/delete', {})), '202 ok');
      const subjects = (await mailsTo(parley, 'owner@example.com')).map(
        ({ template, values }) => values['subject'] ?? template,
      );
      assert.deepEqual(subjects, [
        'second_factor_changed',
        'second_factor_changed',
        'You have handed a workspace over',
        'account_deleted',
      ]);
    });
  });

  describe('unlinking', () => {
    it('leaves a password as the way in', async () => {
      const { session, email } = await link('to be unlinked');
      assert.equal(told(await session.delete('/api/auth/identities/acme')), '200 ok');
      assert.deepEqual((await session.get('/api/auth/identities')).body, []);
      assert.deepEqual(
        (await mailsTo(parley, email)).map(({ values }) => values['subject']),
        ['acme was linked to your account', 'acme was unlinked from your account'],
      );
      assert.equal(told(await session.delete('/api/auth/identities/acme')), '404 not_found');
    });

    it('is refused for the only way in', async () => {
      const session = await signIn('grace');
      assert.equal(told(await session.delete('/api/auth/identities/acme')), '409 last_sign_in_method');
      const body = await visit('grace', 'globex');
      assert.equal(told(await session.post('/api/auth/identities/globex/link', body)), '201 ok');
      const answers = await Promise.all(
        ['acme', 'globex'].map((provider) => session.delete(`/api/auth/identities/${provider}`)),
      );
      assert.deepEqual(answers.map(told).sort(), ['200 ok', '409 last_sign_in_method']);
    });

    it('does not count a provider that the settings lack', async () => {
      const { userId, session } = await link('with a former provider');
      await parley.database.repository(User).update(userId, { passwordHash: null });
      await parley.database.repository(LinkedIdentity).insert({
        id: userId,
        userId,
        provider: 'former',
        issuer: 'https://former.example.com',
        subject: 'x',
      });
      assert.equal(told(await session.delete('/api/auth/identities/acme')), '409 last_sign_in_method');
      assert.equal(told(await session.delete('/api/auth/identities/former')), '200 ok');
    });
  });
});
