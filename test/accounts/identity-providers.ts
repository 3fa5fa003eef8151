import assert from 'node:assert/strict';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIssuer,
  visitIssuer,
  type TestIssuer,
} from '../support/openid-issuer.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiResponse, type TestParley } from '../support/parley.ts';
import { buildPerson } from './support.ts';

export const BASE_URL = 'https://parley.test';

interface Start {
  authorization_url: string;
  state: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
}

/** Fake identity provider and client credentials, from which a test builds the settings of additional providers. */
export interface KnownIssuers {
  acme: TestIssuer;
  client: { client_id: string; client_secret: string };
}

export interface ParleyWithIssuers {
  parley: TestParley;
  acme: TestIssuer;
  globex: TestIssuer;
}

const people = {
  ada: { email: 'Ada@example.com', email_verified: true, name: 'Ada Lovelace' },
  grace: { email: 'grace@example.com', email_verified: true },
  newcomer: { email: 'newcomer@example.com', email_verified: true },
  unverified: { email: 'unverified@example.com', email_verified: false },
  nameless: {},
  owner: { email: 'owner@example.com', email_verified: true, name: 'Olive Owner' },
  squatted: { email: 'squatted@example.com', email_verified: true, name: 'The Owner' },
};

/** Formats a response as its outcome and the invalid field: "422 validation_error code". */
export function describeOutcome(response: ApiResponse): string {
  const field = response.status < 400 ? undefined : response.problem.details[0]?.field;
  return [formatOutcome(response), field].filter(Boolean).join(' ');
}

/**
 * Starts a Parley with the providers `acme`, `globex` and additional providers, and an adjustable clock,
 * around the tests of a `describe`.
 */
export function useIdentityProviders(
  onStarted: (started: ParleyWithIssuers) => void,
  buildMoreProviders: (known: KnownIssuers) => Promise<Record<string, object>> = () => Promise.resolve({}),
) {
  let parley: TestParley;
  const issuers: TestIssuer[] = [];
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  before(async () => {
    const redirectUri = (provider: string) => `${BASE_URL}/sign-in/${provider}`;
    const acme = await startIssuer({ redirectUri: redirectUri('acme'), people });
    const globex = await startIssuer({ redirectUri: redirectUri('globex'), people, hasFullIdToken: true });
    issuers.push(acme, globex);
    const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
    const providers = {
      acme: { ...client, issuer: acme.issuer },
      globex: { ...client, issuer: globex.issuer },
      ...(await buildMoreProviders({ acme, client })),
    };
    parley = await startParley(
      {
        PARLEY_BASE_URL: BASE_URL,
        PARLEY_IDENTITY_PROVIDERS: JSON.stringify(providers),
        identityAttemptSeconds: 700,
      },
      { clock },
    );
    onStarted({ parley, acme, globex });
  });
  after(async () => {
    await parley.stop();
    await Promise.all(issuers.map((issuer) => issuer.stop()));
  });
  beforeEach(() => void (aheadMs = 0));

  /** @param seconds offset of the test clock from the real time, in seconds */
  const setClockAhead = (seconds: number): void => void (aheadMs = seconds * 1000);

  async function start(provider = 'acme'): Promise<Start> {
    const { status, body } = await parley.client().post(`/api/auth/identities/${provider}/start`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** Signs in at the identity provider; returns the fields that a client sends to finishIdentity. */
  async function visit(subject: string, provider = 'acme') {
    const { authorization_url: url, nonce, code_verifier, state } = await start(provider);
    const returned = await visitIssuer(url, subject);
    assert.equal(returned.get('state'), state);
    return { code: returned.get('code')!, code_verifier, nonce };
  }

  const finish = (body: object, provider = 'acme') =>
    parley.client().post(`/api/auth/identities/${provider}/callback`, body);

  async function signIn(subject: string, provider = 'acme') {
    const response = await finish(await visit(subject, provider), provider);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return parley.client(response.body.access_token);
  }

  async function link(subject: string, provider = 'acme') {
    const person = await buildPerson(parley);
    const { client } = await parley.signIn(person);
    const body = await visit(subject, provider);
    const response = await client.post(`/api/auth/identities/${provider}/link`, body);
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return { ...person, session: client };
  }

  return { setAhead: setClockAhead, start, visit, finish, signIn, link };
}
