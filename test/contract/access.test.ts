import assert from 'node:assert/strict';
import { generateApiKey } from '../../adapters/keys/api-key.ts';
import type { Operation } from '../../api/http/operation.ts';
import { grants, scopes as allScopes, type Scope } from '../../api/http/access/scopes.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Membership, orgRoles, type OrgRole } from '../../entities/team/membership.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { SessionTokens } from '../../services/accounts/session-tokens.ts';
import { buildOperationPath, buildOperationRequest } from '../support/operation-calls.ts';
import { isInSoak, itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type ApiResponse, type SharedParley } from '../support/parley.ts';
import { ReceivedResponse } from '../support/api-client.ts';

const withKey = operations.filter(({ auth }) => auth === 'member');
const operationsOfPeople = operations.filter(({ auth }) => auth !== 'public' && auth !== 'visitor');
const operationsOfSessions = operationsOfPeople.filter(
  ({ auth }) => auth === 'session' || auth === 'account',
);

const operationsWithFreshProof = operations.filter(({ freshProof }) => freshProof);

/** Request bodies without the password or code that proves who the caller is. */
const bodiesWithoutProof: Record<string, object> = {
  deleteMe: {},
  disableMfa: { password: null, code: '123456' },
  switchOrg: { org_id: newId() },
  transferOwnership: { membership_id: newId() },
  updateOrg: { settings: { key_service: null } },
};

/**
 * Returns whether the test sends this kind of credential to this operation. Each operation gets a few kinds,
 * in turn.
 */
const isTried = (kind: number, operation: number) => (kind + operation) % (isInSoak ? 3 : 6) === 0;

describe('access to the operations:', () => {
  let parley: SharedParley;
  const badKeys = new Map<string, string | undefined>();
  let badTokens: [string, string][];
  before(async () => {
    parley = await startSharedParley();
    const valid = await parley.buildOrg();
    const lastCharacter = valid.key.endsWith('0') ? '1' : '0';
    badKeys.set('none', undefined);
    badKeys.set('malformed', 'parley_live_short');
    badKeys.set('with a wrong checksum', valid.key.slice(0, -1) + lastCharacter);
    badKeys.set('unknown', generateApiKey());
    badKeys.set('revoked', await buildKeyWith({ revokedAt: new Date() }));
    badKeys.set('expired', await buildKeyWith({ expiresAt: new Date(Date.now() - 1000) }));
    badKeys.set('of a removed member', await buildKeyOfRemovedMember());
    badTokens = await buildOtherTokens();
  });

  async function buildKeyWith(state: Partial<Pick<ApiKey, 'revokedAt' | 'expiresAt'>>): Promise<string> {
    const { key, orgId } = await parley.buildOrg();
    await parley.database.repository(ApiKey).update({ orgId }, state);
    return key;
  }

  async function buildKeyOfRemovedMember(): Promise<string> {
    const { key, orgId } = await parley.buildOrg({ role: 'admin' });
    await parley.database.repository(Membership).delete({ orgId });
    return key;
  }

  /** Builds tokens that are not valid access tokens: other kinds of token, and expired or revoked tokens. */
  async function buildOtherTokens(): Promise<[string, string][]> {
    const { keyring, services } = parley.runtime;
    const org = await parley.buildOrg();
    const { sessionId, accessToken, refreshToken } = await parley.signIn(org);
    const claims = accessToken.split('.')[0]!;
    const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const ofEnded = await parley.signIn(org);
    await parley.database.repository(Session).delete(ofEnded.sessionId);
    const removed = await parley.buildOrg({ role: 'admin' });
    const ofRemoved = await parley.signIn(removed);
    await parley.database.repository(Membership).delete({ orgId: removed.orgId });
    const inactive = await parley.buildOrg();
    const ofInactive = await parley.signIn(inactive);
    await parley.database.repository(User).update(inactive.userId, { isActive: false });
    const past = new SessionTokens(keyring, { now: () => new Date(Date.now() - 901_000) }, 900);
    return [
      ['a refresh token', refreshToken],
      ['a visitor token', keyring.sign('visitor-token', { conversation_id: sessionId, bot_id: sessionId })],
      ['a challenge', keyring.sign('mfa-challenge', { sid: sessionId, org: org.orgId, exp: 9e9 })],
      ['a file link', keyring.sign('file-link', { sid: sessionId, org: org.orgId, exp: 9e9 })],
      ['an unsigned JWT', `${header}.${claims}.`],
      ['without a signature', `${claims}.`],
      ['signed with another key', `${claims}.${Buffer.alloc(32, 1).toString('base64url')}`],
      ['expired', past.signAccess({ sessionId, orgId: org.orgId })],
      [
        'for a foreign workspace',
        services.accounts.sessionTokens.signAccess({ sessionId, orgId: removed.orgId }),
      ],
      ['of an ended session', ofEnded.accessToken],
      ['of a removed member', ofRemoved.accessToken],
      ['of an inactive person', ofInactive.accessToken],
    ];
  }

  async function signInAs(role: OrgRole): Promise<{ key: string; orgId: string; accessToken: string }> {
    const org = await parley.buildOrg({ role });
    const { accessToken } = await parley.signIn(org);
    return { key: org.key, orgId: org.orgId, accessToken };
  }

  /**
   * Returns one signed-in caller per role, which all calls share that change nothing: reads, and operations
   * that refuse the role.
   */
  const shared = memoize(signInAs);
  const keyWithout = memoize((scope: Scope) =>
    parley.buildOrg({ scopes: allScopes.filter((each) => !grants([each], scope)) }),
  );

  async function call(
    operation: Operation,
    token?: string,
    ids: Record<string, string> = {},
    body?: object,
  ): Promise<ApiResponse> {
    const response = await parley
      .client(token)
      .fetch(buildOperationPath(operation, ids), buildOperationRequest(operation, body));
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    // Do not read an event stream to its end, because it never ends.
    if (!isJson) await response.body?.cancel();
    return new ReceivedResponse<unknown>(response, isJson ? await response.json() : null);
  }

  for (const [index, operation] of withKey.entries()) {
    it(`${operation.id} returns 401 to invalid keys (a few kinds per operation)`, async () => {
      for (const [kind, key] of [...badKeys].filter((_, kind) => isTried(kind, index))) {
        const { status, body, headers } = await call(operation, key);
        assert.equal(`${kind}: ${formatOutcome({ status, body })}`, `${kind}: 401 unauthenticated`);
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer/);
        assert.ok(headers.get('ratelimit-remaining'));
      }
    });

    it(`${operation.id} returns 403 without ${operation.scope}`, async () => {
      const scope = operation.scope!;
      const { key, orgId } = await keyWithout(scope);
      const { status, body, problem } = await call(operation, key, { org_id: orgId });
      assert.equal(formatOutcome({ status, body }), '403 forbidden');
      assert.ok(problem.error.message.includes(scope), problem.error.message);
    });

    for (const [below, tooLow] of orgRoles.slice(orgRoles.indexOf(operation.role!) + 1).entries()) {
      // Always test the highest role that is too low, which shows the limit; `npm run test:soak` tests the
      // lower roles.
      const register = below === 0 ? it : itInSoak;
      register(`${operation.id} returns 403 to the role ${tooLow}`, async () => {
        const { key, orgId } = await shared(tooLow);
        const { status, body, problem } = await call(operation, key, { org_id: orgId });
        assert.equal(formatOutcome({ status, body }), '403 forbidden');
        assert.ok(problem.error.message.includes(operation.role!), problem.error.message);
      });
    }
  }

  for (const [index, operation] of operationsOfPeople.entries()) {
    it(`${operation.id} returns 401 to tokens that are not access tokens (a few kinds per operation)`, async () => {
      for (const [kind, token] of badTokens.filter((_, kind) => isTried(kind, index))) {
        const { status, body, headers } = await call(operation, token);
        assert.equal(`${kind}: ${formatOutcome({ status, body })}`, `${kind}: 401 unauthenticated`);
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer/);
      }
    });

    const allowed = operation.role ? orgRoles.slice(0, orgRoles.indexOf(operation.role) + 1) : orgRoles;
    for (const [index, role] of orgRoles.entries()) {
      // Always test the lowest role that may call the operation and the highest role that may not; `npm run
      // test:soak` tests the other roles.
      const register = index === allowed.length - 1 || index === allowed.length ? it : itInSoak;
      register(
        `${operation.id} returns ${allowed.includes(role) ? 'no 401 or 403' : '403'} to a signed-in ${role}`,
        async () => {
          const isAllowed = allowed.includes(role);
          const changesNothing = !isAllowed || operation.method === 'GET';
          const { accessToken, orgId } = await (changesNothing ? shared(role) : signInAs(role));
          const response = await call(operation, accessToken, { org_id: orgId });
          if (isAllowed)
            return assert.ok(![401, 403].includes(response.status), JSON.stringify(response.body));
          assert.equal(formatOutcome(response), '403 forbidden');
          const { message } = response.problem.error;
          assert.ok(message.includes(operation.role!), message);
        },
      );
    }
  }

  for (const operation of operationsWithFreshProof) {
    it(`${operation.id} returns 403 fresh_proof_required after an old sign-in, even with a new access token`, async () => {
      const org = await parley.buildOrg();
      const { sessionId, refreshToken } = await parley.signIn(org);
      const setSignInAge = (minutesAgo: number) =>
        parley.database
          .repository(Session)
          .update(sessionId, { createdAt: new Date(Date.now() - minutesAgo * 60_000) });
      const refreshed = await parley.client().post('/api/auth/refresh', { refresh_token: refreshToken });
      const { access_token: token } = refreshed.body;
      const ids = { org_id: org.orgId };
      await setSignInAge(11);
      const { status, body } = await call(operation, token, ids, bodiesWithoutProof[operation.id]);
      assert.equal(formatOutcome({ status, body }), '403 fresh_proof_required');
      await setSignInAge(9);
      const recentResponse = await call(operation, token, ids, bodiesWithoutProof[operation.id]);
      assert.notEqual(formatOutcome(recentResponse), '403 fresh_proof_required');
    });
  }

  for (const operation of operationsOfSessions) {
    it(`${operation.id} returns 403 to an API key`, async () => {
      const { key, orgId } = await parley.buildOrg();
      const { status, body, problem } = await call(operation, key, { org_id: orgId });
      assert.equal(formatOutcome({ status, body }), '403 forbidden');
      assert.match(problem.error.message, /signed-in/);
    });
  }

  for (const operation of operations.filter(({ auth }) => auth === 'visitor')) {
    it(`${operation.id} returns 401 without a visitor token, and to an API key or an access token`, async () => {
      const { key, ...org } = await parley.buildOrg();
      const { accessToken, refreshToken } = await parley.signIn(org);
      for (const token of [undefined, 'x', key, accessToken, refreshToken]) {
        const { status, body } = await call(operation, token);
        assert.equal(formatOutcome({ status, body }), '401 unauthenticated');
      }
    });
  }
});

/** Returns a function that calls `build` once for each argument and caches its result. */
function memoize<A, R>(build: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  const built = new Map<A, Promise<R>>();
  return (argument) => {
    const known = built.get(argument) ?? build(argument);
    built.set(argument, known);
    return known;
  };
}
