import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { MAX_HASH_THREADS, MAX_WAITING } from '../../services/accounts/passwords/hash-threads.ts';
import { verifyPassword } from '../../services/accounts/passwords/passwords.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { recordStatements } from '../support/statements.ts';
import {
  answerRequests,
  buildPerson,
  readMailedToken,
  readMailsTo,
  PASSWORD,
  signInWith,
  type TestPerson,
} from './support.ts';
import { formatOutcome } from '../support/outcome.ts';

const HOUR_MS = 3_600_000;

describe('login', () => {
  let parley: TestParley;
  let person: TestPerson;
  before(async () => {
    parley = await startParley();
    person = await buildPerson(parley);
  });
  after(() => parley.stop());

  const login = (email: string, password: string, headers?: Record<string, string>) =>
    parley.client().post('/api/auth/login', { email, password }, headers);

  it('returns tokens for the default workspace', async () => {
    const { status, body } = await login(person.email, PASSWORD);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), [
      'access_token',
      'token_type',
      'expires_in',
      'refresh_token',
      'org_id',
    ]);
    assert.equal(body.expires_in, 900);
    assert.equal(body.org_id, person.orgId);
    const me = await parley.client(body.access_token).get('/api/auth/me');
    assert.equal(me.body.user.email, person.email);
    assert.equal(me.body.organization!.role, 'owner');
    assert.equal(me.body.api_key_id, null);
  });

  it('matches the address whatever its case', async () => {
    assert.equal((await login(person.email.toUpperCase(), PASSWORD)).status, 200);
  });

  it('returns the same response for a wrong password, an unknown address, and an account without a password', async () => {
    const { userId } = await parley.buildOrg();
    const closed = await buildPerson(parley);
    await parley.database.repository(User).update(closed.userId, { isActive: false });
    const responses = [
      await login(person.email, 'three blue lamps at noo'),
      await login('nobody@example.com', PASSWORD),
      await login(`${userId}@example.com`, PASSWORD),
      await login(closed.email, PASSWORD),
    ];
    for (const { status, body, problem, headers } of responses) {
      assert.equal(formatOutcome({ status, body }), '401 unauthenticated');
      assert.equal(problem.error.message, responses[0]!.problem.error.message);
      assert.match(headers.get('www-authenticate')!, /^Bearer/);
    }
  });

  it('accepts passwords of 200 characters in any script, and compares even the last character', async () => {
    const long = '密🔑ñ'.repeat(66) + 'xy';
    const someone = await buildPerson(parley);
    const session = parley.client((await signInWith(parley.client(), someone.email)).access_token);
    const changed = await session.post('/api/auth/password/change', {
      current_password: PASSWORD,
      new_password: long,
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.equal((await login(someone.email, long)).status, 200);
    assert.equal((await login(someone.email, `${long.slice(0, -1)}z`)).status, 401);
    assert.equal((await login(someone.email, `${long}y`)).status, 422);
  });

  it('compares passwords in their NFKC form', async () => {
    const someone = await buildPerson(parley);
    const session = parley.client((await signInWith(parley.client(), someone.email)).access_token);
    const body = { current_password: PASSWORD, new_password: 'fünf Äpfel ﬁnden' };
    assert.equal((await session.post('/api/auth/password/change', body)).status, 200);
    assert.equal((await login(someone.email, 'fünf Äpfel finden'.normalize('NFD'))).status, 200);
  });

  it('returns a challenge, and no token, while a second factor is on', async () => {
    const someone = await buildPerson(parley);
    await parley.database.repository(User).update(someone.userId, { mfaActivatedAt: new Date() });
    const { status, body } = await login(someone.email, PASSWORD);
    assert.equal(status, 200);
    const { challenge_token: token, ...rest } = body;
    assert.deepEqual(rest, { expires_in: 300, mfa_required: true, recovery_available: true });
    const { secondFactor } = parley.runtime.services.accounts;
    assert.equal(secondFactor.readChallenge(token)?.userId, someone.userId);
    assert.equal((await parley.client(token).get('/api/auth/me')).status, 401);
    assert.equal((await parley.client().post('/api/auth/refresh', { refresh_token: token })).status, 401);
  });

  it('refuses callers while the queue of hash checks is full, whether or not the account exists', async () => {
    let isOver = false;
    // Keep the queue full: each finished password check adds the next one before any request can. The checks
    // are cheap, since they compute no hash.
    const crowd = Array.from({ length: MAX_HASH_THREADS * MAX_WAITING }, async () => {
      while (!isOver) await assert.rejects(verifyPassword('no hash', PASSWORD), /Decoding failed/);
    });
    const requests: [path: string, body: object][] = [
      ['login', { email: person.email, password: PASSWORD }],
      ['login', { email: 'nobody@example.com', password: PASSWORD }],
      ['register', { email: `${newId()}@example.com`, password: PASSWORD, full_name: 'Grace Hopper' }],
    ];
    try {
      for (const [path, body] of requests) {
        const {
          status,
          headers,
          body: told,
          problem,
        } = await parley.client().post(`/api/auth/${path}`, body);
        assert.equal(formatOutcome({ status, body: told }), '429 rate_limited');
        assert.equal(problem.detail, 'Too many people are signing in right now; wait 5 s.');
        assert.equal(headers.get('retry-after'), '5');
      }
    } finally {
      isOver = true;
    }
    await Promise.all(crowd);
    assert.equal((await login(person.email, PASSWORD)).status, 200);
  });

  it('emails a notice after a sign-in on a new device', async () => {
    const someone = await buildPerson(parley);
    await login(someone.email, PASSWORD, { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/150.0' });
    await login(someone.email, PASSWORD, { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/150.0' });
    assert.deepEqual(await readMailsTo(parley, someone.email), []);
    await login(someone.email, PASSWORD, {
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) Safari/605.1',
    });
    const [mail] = await readMailsTo(parley, someone.email);
    assert.equal(mail!.template, 'new_sign_in');
    assert.equal(mail!.values['device'], 'Safari on iOS');
  });
});

/** Number of times that the test calls an operation. At least one call runs without background work beside it. */
const CALLS = 6;

describe('whether an address has an account', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  for (const [path, others] of [
    ['/api/auth/login', { password: 'a wrong password' }],
    ['/api/auth/otp/request', {}],
    ['/api/auth/otp/verify', { code: '123456' }],
    ['/api/auth/password/forgot', {}],
    ['/api/auth/email/resend', {}],
    ['/api/auth/register', { password: PASSWORD, full_name: 'Grace Hopper' }],
  ] as const) {
    it(`cannot be told from the response of ${path}`, async () => {
      const { email } = await buildPerson(parley);
      const readResponseTo = async (to: string) => {
        const { status, body } = await parley.client().post(path, { email: to, ...others });
        const { message, error } = body as { message?: string; error?: object };
        return { status, message, error };
      };
      assert.deepEqual(await readResponseTo(email), await readResponseTo(`nobody-${newId()}@example.com`));
    });
  }

  for (const [path, others] of [
    ['/api/auth/login', { password: 'a wrong password' }],
    ['/api/auth/otp/request', {}],
    ['/api/auth/otp/verify', { code: '123456' }],
    ['/api/auth/password/forgot', {}],
    ['/api/auth/email/resend', {}],
  ] as const) {
    it(`cannot be told from the statements that ${path} sends to the database`, async () => {
      const { email } = await buildPerson(parley);
      // Background work of the process adds SQL statements to some calls. The shortest list has only the
      // call's own statements.
      const ask = async (to: string) => {
        const lists: string[][] = [];
        while (lists.length < CALLS)
          lists.push(
            await recordStatements(parley, () => parley.client().post(path, { email: to, ...others })),
          );
        return lists.reduce((shortest, list) => (list.length < shortest.length ? list : shortest));
      };
      const known = await ask(email);
      assert.ok(known.length >= 3, `There are ${known.length}.`);
      assert.deepEqual(await ask(`nobody-${newId()}@example.com`), known);
    });
  }
});

describe('sign-in limits at two processes, one with a wrong clock,', () => {
  let parley: TestParley;
  let processes: TestProcess[];
  before(async () => {
    const env = {
      PARLEY_SIGN_IN_LIMIT_PER_IP: '5',
      signInLimitPerAccount: 10,
      PARLEY_ACCOUNT_MAIL_LIMIT: '3',
      PARLEY_TRUSTED_PROXIES: '1',
    };
    parley = await startParley(env, { hasStoppedClock: true });
    const clock = { now: () => new Date(Date.now() + HOUR_MS) };
    processes = [parley, await parley.startAnother({}, { clock })];
  });
  after(() => parley.stop());

  const post = (turn: number, from: string, path: string, body: object) =>
    fetch(processes[turn % processes.length]!.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    });

  const attempt = async (turn: number, from: string, email: string, password = 'a wrong password') => {
    const { status, headers } = await post(turn, from, '/api/auth/login', { email, password });
    return { status, retryAfter: Number(headers.get('retry-after')) };
  };

  it('allow one address five attempts in five minutes across all processes', async () => {
    const { email } = await buildPerson(parley);
    const statuses: number[] = [];
    for (let turn = 0; turn < 7; turn += 1) statuses.push((await attempt(turn, '203.0.113.1', email)).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
    assert.ok((await attempt(0, '203.0.113.1', email)).retryAfter > 200);
  });

  itInSoak(
    'do not count successful sign-ins, however many people share an address, concurrently or in sequence',
    async () => {
      const office = '203.0.113.40';
      const people = await Promise.all(Array.from({ length: 12 }, () => buildPerson(parley)));
      const signIn = ({ email }: TestPerson, turn: number) => attempt(turn, office, email, PASSWORD);
      const atOnce = await Promise.all(people.map(signIn));
      assert.deepEqual(new Set(atOnce.map(({ status }) => status)), new Set([200]));
      for (const [turn, person] of people.entries()) assert.equal((await signIn(person, turn)).status, 200);
    },
  );

  itInSoak('allow 80 wrong passwords in total from all networks of an IPv6 site', async () => {
    const { email } = await buildPerson(parley);
    const statuses: number[] = [];
    for (let network = 1; network <= 17; network += 1)
      for (let turn = 0; turn < 5; turn += 1)
        statuses.push(
          (await attempt(turn, `2001:db8:1:${network}::1`, `${network}-${turn}-${email}`)).status,
        );
    assert.deepEqual(statuses, [...Array<number>(80).fill(401), ...Array<number>(5).fill(429)]);
    assert.equal((await attempt(0, '2001:db8:2:1::1', email)).status, 401);
  });

  it('check only five guesses from one address, even if they are concurrent, at two processes and for many accounts', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => buildPerson(parley)));
    const guesses = await Promise.all(people.map(({ email }, turn) => attempt(turn, '203.0.113.41', email)));
    const statuses = guesses.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array(5).fill(401), ...Array(15).fill(429)]);
    assert.equal((await attempt(0, '203.0.113.41', people[0]!.email, PASSWORD)).status, 429);
  });

  itInSoak('are not reset for guesses by a sign-in to the guesser’s own account in between', async () => {
    const [own, victim] = [await buildPerson(parley), await buildPerson(parley)];
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      statuses.push((await attempt(turn, '203.0.113.42', victim.email)).status);
      statuses.push((await attempt(turn, '203.0.113.42', own.email, PASSWORD)).status);
    }
    assert.deepEqual(statuses, [401, 200, 401, 200, 401, 200, 401, 200, 401, 429, 429, 429]);
  });

  itInSoak(
    'count each kind of sign-in separately, so that wrong passwords use up no other limit',
    async () => {
      const from = '203.0.113.43';
      const [person, closed] = [await buildPerson(parley), await buildPerson(parley)];
      for (let turn = 0; turn < 6; turn += 1) await attempt(turn, from, closed.email);
      assert.equal((await attempt(0, from, person.email, PASSWORD)).status, 429);
      const { email } = person;
      const token = 'x'.repeat(43);
      const others: [path: string, body: object, status: number][] = [
        ['otp/verify', { email, code: '123456' }, 401],
        ['email/verify', { token }, 422],
        ['password/reset', { token, new_password: 'four green lamps at dusk' }, 422],
        ['register', { email, password: PASSWORD, full_name: 'Ada' }, 200],
        ['otp/request', { email }, 200],
        ['password/forgot', { email }, 200],
        ['email/resend', { email: closed.email }, 200],
      ];
      for (const [path, body, expected] of others)
        assert.equal((await post(0, from, `/api/auth/${path}`, body)).status, expected, path);
      const codes: number[] = [];
      for (let turn = 0; turn < 5; turn += 1)
        codes.push((await post(turn, from, '/api/auth/otp/verify', { email, code: '123456' })).status);
      assert.deepEqual(codes, [401, 401, 401, 401, 429]);
    },
  );

  it('do not lock out the owner of an account that a stranger attacks', async () => {
    const { email } = await buildPerson(parley);
    for (let turn = 0; turn < 20; turn += 1) await attempt(turn, '203.0.113.2', email);
    assert.equal((await attempt(0, '203.0.113.3', email, PASSWORD)).status, 200);
  });

  for (const kind of ['an account', 'an address without one']) {
    it(`delay attempts at ${kind} longer and longer, however many addresses they come from`, async () => {
      const email = kind === 'an account' ? (await buildPerson(parley)).email : 'nobody@example.com';
      const net = kind === 'an account' ? 1 : 2;
      const early: number[] = [];
      for (let turn = 0; turn < 10; turn += 1)
        early.push((await attempt(turn, `198.51.${net}.${turn}`, email)).status);
      assert.deepEqual(new Set(early), new Set([401]));
      const late = [];
      for (let turn = 10; turn < 20; turn += 1)
        late.push(await attempt(turn, `198.51.${net}.${turn}`, email));
      assert.deepEqual(new Set(late.map(({ status }) => status)), new Set([429]));
      assert.ok(late.every(({ retryAfter }) => retryAfter >= 1 && retryAfter <= 60));
    });
  }

  it('let the owner in at once from an address with a session, however many addresses try', async () => {
    const { email } = await buildPerson(parley);
    const home = '192.0.2.200';
    assert.equal((await attempt(0, home, email, PASSWORD)).status, 200);
    for (let turn = 0; turn < 20; turn += 1) await attempt(turn, `203.0.114.${turn}`, email);
    assert.equal((await attempt(0, '192.0.2.201', email, PASSWORD)).status, 429);
    assert.equal((await attempt(1, home, email, PASSWORD)).status, 200);
  });

  it('let the owner in from an address of an earlier session, unless the owner has ended it', async () => {
    const { email } = await buildPerson(parley);
    const [home, former] = ['192.0.3.200', '192.0.3.201'];
    const signInFrom = async (from: string) => {
      const response = await post(0, from, '/api/auth/login', { email, password: PASSWORD });
      return parley.client(((await response.json()) as { access_token: string }).access_token);
    };
    await signInFrom(former);
    const client = await signInFrom(home);
    assert.equal((await client.post('/api/auth/sessions/revoke-others')).status, 200);
    assert.equal((await client.post('/api/auth/logout')).status, 200);
    for (let turn = 0; turn < 20; turn += 1) await attempt(turn, `203.0.115.${turn}`, email);
    assert.equal((await attempt(0, former, email, PASSWORD)).status, 429);
    assert.equal((await attempt(1, home, email, PASSWORD)).status, 200);
  });

  itInSoak(
    'let the owner in after a new password is set with an emailed link, however many addresses try',
    async () => {
      const { email } = await buildPerson(parley);
      const newPassword = 'four green lamps at dusk';
      const from = '192.0.3.210';
      for (let turn = 0; turn < 20; turn += 1) await attempt(turn, `203.0.116.${turn}`, email);
      assert.equal((await attempt(0, from, email, PASSWORD)).status, 429);
      assert.equal((await post(0, from, '/api/auth/password/forgot', { email })).status, 200);
      await answerRequests(parley);
      const body = { token: await readMailedToken(parley, email), new_password: newPassword };
      assert.equal((await post(1, from, '/api/auth/password/reset', body)).status, 200);
      for (let turn = 0; turn < 5; turn += 1) await attempt(turn, `203.0.117.${turn}`, email);
      assert.equal((await attempt(0, from, email, newPassword)).status, 200);
    },
  );

  itInSoak('let the owner in after the delay, even while other addresses try', async () => {
    const { email } = await buildPerson(parley);
    for (let turn = 0; turn < 11; turn += 1) await attempt(turn, `192.0.2.${turn}`, email);
    const { status, retryAfter } = await attempt(0, '192.0.2.100', email, PASSWORD);
    assert.equal(status, 429);
    await parley.passTime(retryAfter);
    assert.equal((await attempt(1, '192.0.2.100', email, PASSWORD)).status, 200);
  });

  it('limit the emails to an address, the same with and without an account', async () => {
    for (const path of ['/api/auth/otp/request', '/api/auth/password/forgot', '/api/auth/email/resend']) {
      const { email } = await buildPerson(parley);
      for (const to of [email, `nobody-${path.length}@example.com`]) {
        const statuses: number[] = [];
        for (let turn = 0; turn < 5; turn += 1) {
          const from = `100.64.${path.length}.${to === email ? turn : turn + 100}`;
          statuses.push((await post(turn, from, path, { email: to })).status);
        }
        // The rate limit refuses the last of the five requests, and none before.
        assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
      }
    }
  });
});
