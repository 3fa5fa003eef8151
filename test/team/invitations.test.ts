import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('invitations', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  const buildEmail = () => `Grace-${newId()}@Example.com`;
  const invite = (org: TestOrg, email = buildEmail(), role?: OrgRole) =>
    org.client.post(`/api/orgs/${org.orgId}/invitations`, { email, ...(role && { role }) });
  const getRows = () => parley.database.repository(Invitation);
  const expireInvitation = (id: string) => getRows().update(id, { expiresAt: new Date(Date.now() - 1000) });

  /** Returns the token at the end of the emailed link of an invitation. */
  async function deriveToken(id: string): Promise<string> {
    const { revision } = await getRows().findOneByOrFail({ id });
    return parley.runtime.keyring.deriveInvitationToken(id, revision);
  }

  const readPreview = async (id: string) => parley.client().get(`/api/invitations/${await deriveToken(id)}`);

  it('are created by createInvitation for an address, with role member by default', async () => {
    const org = await parley.buildOrg({ role: 'admin' });
    const email = buildEmail();
    const { status, body } = await invite(org, email);
    assert.equal(status, 201);
    assert.deepEqual(
      [body.email, body.role, body.status, body.invited_by, body.accepted_at],
      [email.toLowerCase(), 'member', 'pending', 'Ada Okafor', null],
    );
    const days = (new Date(body.expires_at).getTime() - new Date(body.created_at).getTime()) / 86_400_000;
    assert.equal(Math.round(days * 1000), 7000);
    const { body: list } = await org.client.get(`/api/orgs/${org.orgId}/invitations`);
    assert.deepEqual(list, [{ ...body, link: null }]);
    assert.ok(
      !JSON.stringify(await getRows().findOneBy({ id: body.id })).includes(await deriveToken(body.id)),
    );
  });

  it('are returned by listInvitations with the state of the latest email and the reminder', async () => {
    const org = await parley.buildOrg();
    const { body } = await invite(org);
    const url = `/api/orgs/${org.orgId}/invitations` as const;
    const readMailState = async () => {
      const { body: list } = await org.client.get(url);
      return [list[0]!.mail_state, list[0]!.reminded_at !== null];
    };
    const scope = { orgId: org.orgId, db: parley.database };
    const { invitations } = parley.runtime.services.team;
    const { mailDelivery } = parley.runtime.services.mail;
    assert.deepEqual(await readMailState(), [null, false]);
    await invitations.mailLink(scope, body.id);
    assert.deepEqual(await readMailState(), ['pending', false]);
    const { id } = await parley.database.repository(MailRow).findOneByOrFail({ orgId: org.orgId });
    await mailDelivery.attempt(parley.database, id);
    assert.deepEqual(await readMailState(), ['kept', false]);
    await getRows().update(body.id, { remindAt: new Date() });
    await invitations.remind(scope, body.id);
    assert.deepEqual(await readMailState(), ['kept', true]);
    await org.client.post(`${url}/${body.id}/resend`);
    assert.deepEqual(await readMailState(), [null, false]);
  });

  it('are refused for a member, for an invited address, and with invalid fields', async () => {
    const org = await parley.buildOrg();
    assert.equal(formatOutcome(await invite(org, `${org.userId}@EXAMPLE.com`)), '409 conflict');
    const email = buildEmail();
    assert.equal((await invite(org, email)).status, 201);
    assert.equal(formatOutcome(await invite(org, email.toUpperCase())), '409 conflict');
    assert.equal(formatOutcome(await invite(org, buildEmail(), 'owner')), '422 validation_error');
    for (const bad of [
      'a@b',
      'nobody',
      'a@example.com\r\nBcc: b@example.com',
      `${'x'.repeat(312)}@example.com`,
      '',
    ])
      assert.equal(formatOutcome(await invite(org, bad)), '422 validation_error', bad);
    const member = await parley.buildOrg({ role: 'member', orgId: org.orgId });
    assert.equal(formatOutcome(await invite(member)), '403 forbidden');
  });

  it('are created once by simultaneous calls for the same address', async () => {
    const org = await parley.buildOrg();
    const email = buildEmail();
    const responses = await Promise.all([1, 2, 3, 4].map(() => invite(org, email)));
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
  });

  it('can be created for a removed member, and after the previous invitation expired', async () => {
    const org = await parley.buildOrg();
    const removed = await parley.buildOrg({ role: 'viewer', orgId: org.orgId });
    const email = `${removed.userId}@example.com`;
    assert.equal(formatOutcome(await invite(org, email)), '409 conflict');
    await parley.database.repository(Membership).delete({ orgId: org.orgId, userId: removed.userId });
    const first = await invite(org, email);
    assert.equal(first.status, 201);
    await expireInvitation(first.body.id);
    assert.equal((await invite(org, email)).status, 201);
    const { body } = await org.client.get(`/api/orgs/${org.orgId}/invitations`);
    assert.deepEqual(
      body.map(({ status }) => status),
      ['pending', 'expired'],
    );
  });

  it('have no inviter after the inviter’s account was deleted', async () => {
    const org = await parley.buildOrg();
    const { body } = await invite(org);
    await getRows().update(body.id, { invitedById: null });
    const { body: list } = await org.client.get(`/api/orgs/${org.orgId}/invitations`);
    assert.equal(list[0]!.invited_by, '');
    assert.equal(formatOutcome(await readPreview(body.id)), '404 not_found');
  });

  it('are returned by previewInvitation to the holder of the link, with few details', async () => {
    const org = await parley.buildOrg();
    const { body: unknown } = await invite(org);
    const { status, body } = await readPreview(unknown.id);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      organization_name: 'Acme',
      organization_slug: `acme-${org.orgId}`,
      email: unknown.email,
      role: 'member',
      expires_at: unknown.expires_at,
      has_account: false,
      takes_account: false,
      invited_by: 'Ada Okafor',
    });
    const known = await parley.buildOrg();
    const { body: invited } = await invite(org, `${known.userId}@example.com`, 'viewer');
    const seen = await readPreview(invited.id);
    assert.deepEqual([seen.body.has_account, seen.body.role], [true, 'viewer']);
  });

  it('have a link for the inviter, from createInvitation and resendInvitation, which does not verify an address', async () => {
    const org = await parley.buildOrg();
    const email = buildEmail().toLowerCase();
    const { body: sent } = await invite(org, email);
    assert.match(sent.link!, /^http.+\/invitations\/[\w-]{43}$/);
    const readToken = (link: string) => link.split('/').at(-1)!;
    const token = readToken(sent.link!);
    assert.notEqual(token, await deriveToken(sent.id));
    const stored = JSON.stringify(await getRows().findOneBy({ id: sent.id }));
    assert.ok(!stored.includes(token));

    const readLinkPreview = async (handed: string) => {
      const { body } = await parley.client().get(`/api/invitations/${handed}`);
      return { has_account: body.has_account, takes_account: body.takes_account };
    };
    const stranger = { full_name: 'Grace Hopper', password: 'correct horse battery' };
    const acceptLink = (handed: string) =>
      parley.client().post('/api/invitations/accept', { token: handed, ...stranger });
    const people = parley.database.repository(User);
    assert.deepEqual(await readLinkPreview(token), { has_account: false, takes_account: true });
    assert.equal(formatOutcome(await acceptLink(token)), '401 unauthenticated');
    assert.equal(await people.countBy({ email }), 0);

    const registerAccount = (changes = {}) =>
      parley.client().post('/api/auth/register', { email, ...stranger, invitation_token: token, ...changes });
    const { problem } = await registerAccount({ email: buildEmail() });
    assert.equal(problem.details[0]?.field, 'email');
    assert.equal(formatOutcome(await registerAccount({ invitation_token: 'x'.repeat(43) })), '404 not_found');
    assert.equal((await registerAccount()).status, 200);
    const { id: userId, emailVerifiedAt } = await people.findOneByOrFail({ email });
    assert.equal(emailVerifiedAt, null);
    assert.equal(await parley.database.repository(Membership).countBy({ userId }), 0);
    const signIn = { email, password: stranger.password };
    assert.equal(formatOutcome(await parley.client().post('/api/auth/login', signIn)), '401 unauthenticated');
    assert.equal(formatOutcome(await acceptLink(token)), '401 unauthenticated');

    const { client } = await parley.signIn({ userId });
    // The link of the invitation does not reveal that a confirmed account now exists.
    assert.deepEqual(await readLinkPreview(token), { has_account: false, takes_account: true });
    assert.equal(formatOutcome(await acceptLink(token)), '401 unauthenticated');
    const another = await parley.signIn(await parley.buildOrg());
    assert.equal(
      formatOutcome(await another.client.post('/api/invitations/accept', { token })),
      '403 forbidden',
    );

    const { body: again } = await org.client.post(`/api/orgs/${org.orgId}/invitations/${sent.id}/resend`);
    assert.equal(formatOutcome(await client.post('/api/invitations/accept', { token })), '404 not_found');
    const joined = await client.post('/api/invitations/accept', { token: readToken(again.link!) });
    assert.equal(joined.status, 200);
    assert.equal(joined.body.org_id, org.orgId);
  });

  it('return 404 for unknown, revoked, expired and replaced links, and for a deleted workspace', async () => {
    const org = await parley.buildOrg();
    const ids: string[] = [];
    for (const _ of [1, 2, 3, 4]) ids.push((await invite(org)).body.id);
    const [revoked, expired, replaced, accepted] = ids as [string, string, string, string];
    const old = await deriveToken(replaced);
    await org.client.delete(`/api/orgs/${org.orgId}/invitations/${revoked}`);
    await expireInvitation(expired);
    await org.client.post(`/api/orgs/${org.orgId}/invitations/${replaced}/resend`);
    await getRows().update(accepted, { status: 'accepted' });
    const gone = await parley.buildOrg();
    const { body: ofGone } = await invite(gone);
    await (await parley.signIn(gone)).client.delete(`/api/orgs/${gone.orgId}`);
    const messages = new Set<string>();
    for (const token of [
      'x'.repeat(43),
      old,
      await deriveToken(revoked),
      await deriveToken(expired),
      await deriveToken(accepted),
      await deriveToken(ofGone.id),
    ]) {
      const response = await parley.client().get(`/api/invitations/${token}`);
      assert.equal(formatOutcome(response), '404 not_found');
      messages.add(response.problem.error.message);
    }
    assert.equal(messages.size, 1);
    assert.equal((await readPreview(replaced)).status, 200);
    assert.equal((await parley.client().get('/api/invitations/short')).status, 422);
  });

  it('are revoked by revokeInvitation and resent by resendInvitation while they are pending; an expired invitation can only be resent', async () => {
    const org = await parley.buildOrg();
    const buildPath = (id: string) => `/api/orgs/${org.orgId}/invitations/${id}` as const;
    const { body: first } = await invite(org);
    await expireInvitation(first.id);
    assert.equal(formatOutcome(await org.client.delete(buildPath(first.id))), '409 conflict');
    const resent = await org.client.post(`${buildPath(first.id)}/resend`);
    assert.deepEqual([resent.status, resent.body.status], [200, 'pending']);
    assert.ok(resent.body.expires_at > first.expires_at);
    assert.equal((await org.client.delete(buildPath(first.id))).status, 200);
    assert.equal(formatOutcome(await org.client.delete(buildPath(first.id))), '409 conflict');
    assert.equal(formatOutcome(await org.client.post(`${buildPath(first.id)}/resend`)), '409 conflict');
  });

  it('are resent with their latest revision if the address was invited again', async () => {
    const org = await parley.buildOrg();
    const { body: first } = await invite(org);
    await expireInvitation(first.id);
    const { body: next } = await invite(org, first.email);
    const resendInvitation = (id: string) =>
      org.client.post(`/api/orgs/${org.orgId}/invitations/${id}/resend`);
    const { status, problem } = await resendInvitation(first.id);
    assert.deepEqual(
      [status, problem.error.message],
      [409, 'This address has a newer invitation; resend that one instead.'],
    );
    assert.equal((await resendInvitation(next.id)).status, 200);
  });

  it('with the role admin can be sent and resent only by a signed-in user, in the workspace and its child workspaces', async () => {
    const org = await parley.buildOrg();
    const { client: session } = await parley.signIn(org);
    const { body: child } = await session.post(`/api/orgs/${org.orgId}/children`, { name: 'Child' });
    for (const orgId of [org.orgId, child.id]) {
      const path = `/api/orgs/${orgId}/invitations` as const;
      const admin = { email: buildEmail(), role: 'admin' };
      const refused = await org.client.post(path, admin);
      const { body: sent, status } = await session.post(path, admin);
      assert.equal(status, 201);
      for (const response of [refused, await org.client.post(`${path}/${sent.id}/resend`)]) {
        assert.equal(formatOutcome(response), '403 forbidden');
        assert.equal(
          response.problem.error.message,
          'Only a signed-in user can invite an admin; an API key cannot.',
        );
      }
      assert.equal((await getRows().findOneByOrFail({ id: sent.id })).revision, 1);
      assert.equal((await session.post(`${path}/${sent.id}/resend`)).status, 200);
      assert.equal((await org.client.post(path, { email: buildEmail(), role: 'member' })).status, 201);
      assert.equal((await org.client.delete(`${path}/${sent.id}`)).status, 200);
    }
  });

  it('can be sent and resent only if the inviter’s own address is verified', async () => {
    const org = await parley.buildOrg();
    const { client: session } = await parley.signIn(org);
    const { body: first } = await invite(org);
    await parley.database.repository(User).update(org.userId, { emailVerifiedAt: null });
    for (const client of [org.client, session]) {
      const path = `/api/orgs/${org.orgId}/invitations` as const;
      for (const response of [
        await client.post(path, { email: buildEmail() }),
        await client.post(`${path}/${first.id}/resend`),
      ]) {
        assert.equal(formatOutcome(response), '403 forbidden');
        assert.equal(
          response.problem.error.message,
          'Confirm your own email address first; then you can invite others.',
        );
      }
    }
    assert.equal(await getRows().countBy({ orgId: org.orgId }), 1);
  });

  it('return 403 for another workspace, and 404 if unknown', async () => {
    const [org, other] = [await parley.buildOrg(), await parley.buildOrg()];
    const { body } = await invite(other);
    for (const [id, code] of [
      [body.id, '403 forbidden'],
      [newId(), '404 not_found'],
    ]) {
      assert.equal(formatOutcome(await org.client.delete(`/api/orgs/${org.orgId}/invitations/${id}`)), code);
      assert.equal(
        formatOutcome(await org.client.post(`/api/orgs/${org.orgId}/invitations/${id}/resend`)),
        code,
      );
    }
    assert.equal(await parley.database.repository(User).countBy({ email: body.email }), 0);
  });
});
