import assert from 'node:assert/strict';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { newId } from '../../core/ids.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildPerson, signInWith, type TestPerson } from './support.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('sessions', () => {
  let parley: TestParley;
  let second: TestProcess;
  let person: TestPerson;
  before(async () => {
    parley = await startParley();
    second = await parley.startAnother();
  });
  beforeEach(async () => {
    person = await buildPerson(parley);
  });
  after(() => parley.stop());

  const refresh = (token: string, process: TestProcess = parley) =>
    process.client().post('/api/auth/refresh', { refresh_token: token });

  function changeSession(sql: string, sessionId: string): Promise<unknown> {
    return parley.database.sql(`UPDATE sessions SET ${sql} WHERE id = $1`, [sessionId]);
  }

  it('rotate their refresh tokens by refreshToken', async () => {
    const first = await signInWith(parley.client(), person.email);
    const { status, body } = await refresh(first.refresh_token);
    assert.equal(status, 200);
    assert.notEqual(body.refresh_token, first.refresh_token);
    assert.equal((await parley.client(body.access_token).get('/api/auth/me')).status, 200);
    assert.equal((await refresh(body.refresh_token)).status, 200);
  });

  it('return the same new token if a refresh token is sent twice concurrently, at any process', async () => {
    const first = await signInWith(parley.client(), person.email);
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, turn) => refresh(first.refresh_token, turn % 2 ? second : parley)),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(responses.map(({ body }) => body.refresh_token)).size, 1);
  });

  it('end with their whole token family if refreshToken gets a used token after ten seconds', async () => {
    const { sessionId, refreshToken } = await parley.signIn(person);
    const { body } = await refresh(refreshToken);
    await changeSession(`rotated_at = now() - interval '11 seconds'`, sessionId);
    const reused = await refresh(refreshToken, second);
    assert.equal(formatOutcome(reused), '401 unauthenticated');
    assert.equal((await refresh(body.refresh_token)).status, 401);
    assert.equal((await parley.client(body.access_token).get('/api/auth/me')).status, 401);
  });

  it('end at once if refreshToken gets a token that was used two rotations ago', async () => {
    const { refreshToken } = await parley.signIn(person);
    const { body: next } = await refresh(refreshToken);
    const { body: last } = await refresh(next.refresh_token);
    assert.equal((await refresh(refreshToken)).status, 401);
    assert.equal((await refresh(last.refresh_token)).status, 401);
  });

  it('expire after 30 days without a refresh, and after 90 days at most', async () => {
    const idle = await parley.signIn(person);
    await changeSession('expires_at = now()', idle.sessionId);
    assert.equal((await refresh(idle.refreshToken)).status, 401);
    const old = await parley.signIn(person);
    await changeSession(`ends_at = now() + interval '3 days'`, old.sessionId);
    assert.equal((await refresh(old.refreshToken)).status, 200);
    const { expiresAt, endsAt } = await parley.database
      .repository(Session)
      .findOneByOrFail({ id: old.sessionId });
    assert.equal(expiresAt.getTime(), endsAt.getTime());
    const young = await parley.signIn(person);
    await refresh(young.refreshToken);
    const row = await parley.database.repository(Session).findOneByOrFail({ id: young.sessionId });
    const day = 24 * 60 * 60 * 1000;
    assert.equal(Math.round((row.expiresAt.getTime() - Date.now()) / day), 30);
    assert.equal(Math.round((row.endsAt.getTime() - Date.now()) / day), 90);
  });

  it('accept no other kind of token as a refresh token', async () => {
    const { sessionId, accessToken, refreshToken } = await parley.signIn(person);
    const { keyring } = parley.runtime;
    const [claims] = refreshToken.split('.');
    const forged = [
      accessToken,
      person.key,
      `${claims}.`,
      `${claims}.${'A'.repeat(43)}`,
      keyring.sign('visitor-token', { sid: sessionId, gen: 0 }),
      keyring.sign('mfa-challenge', { sid: sessionId, gen: 0 }),
      `eyJhbGciOiJub25lIn0.${claims}.`,
      `${refreshToken}=`,
      'xxxxxxxx',
    ];
    for (const token of forged) {
      const { status, body } = await refresh(token);
      assert.equal(formatOutcome({ status, body }), '401 unauthenticated', token);
    }
    assert.equal((await refresh(refreshToken)).status, 200);
  });

  it('end by logout at every process', async () => {
    const { accessToken, refreshToken } = await parley.signIn(person);
    const { status } = await parley.client(accessToken).post('/api/auth/logout', undefined);
    assert.equal(status, 200);
    assert.equal((await second.client(accessToken).get('/api/auth/me')).status, 401);
    assert.equal((await refresh(refreshToken, second)).status, 401);
  });

  it('are listed by listSessions, and ended by revokeSession (one) and revokeOtherSessions (all but the caller’s)', async () => {
    const [here, there, elsewhere] = [
      await parley.signIn(person),
      await parley.signIn(person),
      await parley.signIn(person),
    ];
    const stranger = await parley.signIn(await buildPerson(parley));
    const { body: listed } = await here.client.get('/api/auth/sessions');
    assert.deepEqual(
      new Set(listed.map(({ id }: { id: string }) => id)),
      new Set([here.sessionId, there.sessionId, elsewhere.sessionId]),
    );
    const current = listed.filter(({ is_current: isCurrent }: { is_current: boolean }) => isCurrent);
    assert.deepEqual(
      current.map(({ id }: { id: string }) => id),
      [here.sessionId],
    );
    const end = async (id: string) => (await here.client.delete(`/api/auth/sessions/${id}`)).status;
    assert.equal(await end(there.sessionId), 200);
    assert.equal(await end(there.sessionId), 404);
    assert.equal(await end(newId()), 404);
    assert.equal(await end(stranger.sessionId), 403);
    assert.equal((await there.client.get('/api/auth/me')).status, 401);
    assert.equal((await stranger.client.get('/api/auth/me')).status, 200);
    assert.equal((await here.client.post('/api/auth/sessions/revoke-others', undefined)).status, 200);
    assert.equal((await elsewhere.client.get('/api/auth/me')).status, 401);
    assert.equal((await here.client.get('/api/auth/me')).status, 200);
  });

  it('can switch to another workspace of the account, and to no workspace of other accounts', async () => {
    const other = await parley.buildOrg();
    const foreign = await parley.buildOrg();
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: other.orgId, userId: person.userId, role: 'viewer' });
    const { client, refreshToken } = await parley.signIn(person);
    const move = (orgId: string) => client.post('/api/auth/switch-org', { org_id: orgId });
    const { status, body } = await move(other.orgId);
    assert.equal(status, 200);
    assert.equal(body.org_id, other.orgId);
    const moved = parley.client(body.access_token);
    assert.equal((await moved.get('/api/auth/me')).body.organization!.role, 'viewer');
    assert.equal((await moved.post('/api/bots', { name: 'Help' })).status, 403);
    assert.equal((await client.get('/api/auth/me')).body.organization!.id, person.orgId);
    assert.equal((await refresh(refreshToken)).body.org_id, other.orgId);
    assert.equal((await move(foreign.orgId)).status, 403);
    assert.equal((await move(newId())).status, 404);
  });

  it('are not extended by an access token alone: long after the sign-in, switchOrg requires the refresh token', async () => {
    const { client, sessionId, refreshToken } = await parley.signIn(person);
    const other = await parley.signIn(person);
    const createdAt = new Date(Date.now() - 11 * 60_000);
    await parley.database.repository(Session).update(sessionId, { createdAt });
    const move = async (shown: object) => {
      const response = await client.post('/api/auth/switch-org', { org_id: person.orgId, ...shown });
      const { org_id: orgId, access_token: token } = response.body;
      return [formatOutcome(response), orgId, token === undefined];
    };
    for (const shown of [{}, { refresh_token: null }])
      assert.deepEqual(await move(shown), ['403 fresh_proof_required', undefined, true]);
    for (const wrong of [other.refreshToken, 'no refresh token'])
      assert.deepEqual(await move({ refresh_token: wrong }), ['422 validation_error', undefined, true]);
    assert.deepEqual(await move({ refresh_token: refreshToken }), ['200', person.orgId, false]);
    const { body: next } = await refresh(refreshToken);
    assert.deepEqual(await move({ refresh_token: next.refresh_token }), ['200', person.orgId, false]);
    const spentAt = new Date(Date.now() - 11_000);
    await parley.database.repository(Session).update(sessionId, { rotatedAt: spentAt });
    assert.deepEqual(await move({ refresh_token: refreshToken }), ['422 validation_error', undefined, true]);
  });

  it('of a removed member end in that workspace, and continue in the member’s other workspaces', async () => {
    const { client, refreshToken } = await parley.signIn(person);
    const other = await parley.buildOrg();
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: other.orgId, userId: person.userId, role: 'member' });
    await parley.buildOrg({ orgId: person.orgId });
    await parley.database.repository(Membership).delete({ orgId: person.orgId, userId: person.userId });
    assert.equal((await client.get('/api/bots')).status, 401);
    assert.equal((await refresh(refreshToken)).body.org_id, other.orgId);
  });

  it('without a workspace are accepted only by operations on the account', async () => {
    await parley.buildOrg({ orgId: person.orgId });
    await parley.database.repository(Membership).delete({ userId: person.userId });
    const { access_token: token, org_id: orgId } = await signInWith(parley.client(), person.email);
    assert.equal(orgId, null);
    const { status, body } = await parley.client(token).get('/api/auth/me');
    assert.equal(status, 200);
    assert.equal(body.organization, null);
    assert.equal((await parley.client(token).get('/api/bots')).status, 403);
  });

  it('have the current role at each request, even if it is inherited', async () => {
    const parent = await parley.buildOrg();
    const { client } = await parley.signIn(person);
    const setRole = (role: 'owner' | 'viewer') =>
      parley.database.repository(Membership).update({ userId: person.userId, orgId: person.orgId }, { role });
    await parley.buildOrg({ orgId: person.orgId });
    assert.equal((await client.get('/api/webhooks')).status, 200);
    await setRole('viewer');
    assert.equal((await client.post('/api/bots', { name: 'Help' })).status, 403);
    await parley.database.repository(Org).update(person.orgId, { parentOrgId: parent.orgId });
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: parent.orgId, userId: person.userId, role: 'admin' });
    assert.equal((await client.get('/api/auth/me')).body.organization!.role, 'admin');
    assert.equal((await client.post('/api/bots', { name: 'Help' })).status, 201);
  });

  it('of a disabled workspace are accepted only by operations on the account', async () => {
    const { client } = await parley.signIn(person);
    await parley.database.repository(Org).update(person.orgId, { isActive: false });
    assert.equal((await client.get('/api/bots')).status, 403);
    assert.equal((await client.get('/api/auth/me')).status, 200);
  });
});
