import assert from 'node:assert/strict';
import { generateSync } from 'otplib';
import { startParley, type ApiClient, type TestParley } from '../support/parley.ts';
import { buildPerson, PASSWORD, type TestPerson } from './support.ts';

interface Enrolled extends TestPerson {
  session: ApiClient;
  secret: string;
  recoveryCodes: string[];
}

/**
 * Starts a Parley with a manual clock around the tests of a `describe`, so that no sign-in code expires
 * during a slow test. Also builds people with a second factor.
 */
export function useSecondFactor(onStarted: (parley: TestParley) => void) {
  let parley: TestParley;
  let nowMs = Date.now();
  const clock = { now: () => new Date(nowMs) };
  before(async () => {
    parley = await startParley({}, { clock });
    onStarted(parley);
  });
  after(() => parley.stop());
  beforeEach(() => void (nowMs = Date.now()));

  const pass = (seconds: number): void => void (nowMs += seconds * 1000);

  const generateCode = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + steps * 30 });

  /** Moves the clock forward, past the period of the second factor's codes that were already used. */
  const passStep = () => pass(60);

  async function setUp(): Promise<TestPerson & { session: ApiClient; secret: string }> {
    const person = await buildPerson(parley);
    const { client: session } = await parley.signIn(person);
    const { body } = await session.post('/api/auth/mfa/setup');
    return { ...person, session, secret: body.secret };
  }

  async function enroll(): Promise<Enrolled> {
    const person = await setUp();
    const response = await person.session.post('/api/auth/mfa/activate', {
      code: generateCode(person.secret),
    });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    passStep();
    return { ...person, recoveryCodes: response.body.recovery_codes };
  }

  async function requestChallenge({ email }: TestPerson): Promise<string> {
    const { status, body } = await parley.client().post('/api/auth/login', { email, password: PASSWORD });
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, challenge_token: '…' },
      { challenge_token: '…', expires_in: 300, mfa_required: true, recovery_available: true },
    );
    return body.challenge_token;
  }

  const verify = (token: string, code: string, client = parley.client()) =>
    client.post('/api/auth/mfa/verify', { challenge_token: token, code });

  return { clock, pass, passStep, generateCode, setUp, enroll, requestChallenge, verify };
}
