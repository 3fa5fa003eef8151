import assert from 'node:assert/strict';
import { Session } from '../../entities/accounts/session.entity.ts';
import { AccessNoticeRow } from '../../entities/mail/access-notice.entity.ts';
import { readAccessMails } from '../support/access-mails.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type ApiClient, type TestOrg, type TestParley } from '../support/parley.ts';

const GATHERING_SECONDS = 15 * 60;

describe('email to owners about changes to access', () => {
  let parley: TestParley;
  let org: TestOrg;
  let session: ApiClient;

  before(async () => {
    parley = await startParley(
      { invitationsPerDay: 1000, invitationsPerPerson: 1000 },
      { hasStoppedClock: true },
    );
  });
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    session = (await parley.signIn(org)).client;
  });

  const invite = (email: string, client = session) =>
    client.post(`/api/orgs/${org.orgId}/invitations`, { email });

  const listNotices = (userId: string) => readAccessMails(parley, userId);
  const sweep = () => parley.runtime.services.team.accessNotices.sendGathered(parley.database);

  it('says what was done, who did it, from where, and what to do', async () => {
    const other = await parley.buildOrg({ orgId: org.orgId });
    const { status } = await session.post(
      '/api/api-keys',
      { name: 'CI', scopes: ['bots:read', 'bots:write'] },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    );
    assert.equal(status, 201);
    const actor = `Ada Okafor (${org.userId}@example.com)`;
    const shared = {
      name: 'Ada Okafor',
      subject: 'An API key was created in Acme',
      intro: 'This was done in the workspace Acme:',
      items: '“CI”, with the scopes bots:read, bots:write.',
      actor,
      place: '127.0.0.1, Firefox on Linux',
    };
    const [own] = await listNotices(org.userId);
    const [others] = await listNotices(other.userId);
    const { at, ...ownValues } = own!;
    assert.match(at!, /^\d+ \w+ \d{4} at \d\d:\d\d UTC$/);
    const { baseUrl } = parley.runtime.settings;
    assert.deepEqual(ownValues, {
      ...shared,
      advice:
        'If it was not you, set a new password immediately, and choose to revoke API keys and unlink identity providers, too. Then revoke the key on the page “API keys” of the console.',
      button: 'Set a new password',
      link: `${baseUrl}/forgot-password`,
    });
    assert.deepEqual(others, {
      ...shared,
      at,
      advice:
        'If your team did not mean to do this, revoke the key on the page “API keys” of the console, and ask the person above to set a new password.',
      button: 'Open the page “API keys”',
      link: `${baseUrl}/console#/team/keys?workspace=${org.orgId}`,
    });
  });

  it('names the API key that was used, and its creator', async () => {
    assert.equal((await invite('rui@example.com', org.client)).status, 201);
    const [mail] = await listNotices(org.userId);
    assert.equal(mail!['actor'], `the API key “Test key” of Ada Okafor (${org.userId}@example.com)`);
    assert.equal(mail!['items'], 'Invited: rui@example.com, as member.');
    assert.match(
      mail!['advice']!,
      /revoke the invitation on the page “Invitations”.*revoke the API key “Test key”\.$/,
    );
  });

  it('is sent to the user whose session was used, even if that user is an admin and not an owner', async () => {
    const admin = await parley.buildOrg({ role: 'admin', orgId: org.orgId });
    const { client } = await parley.signIn({ userId: admin.userId, orgId: org.orgId });
    assert.equal((await invite('rui@example.com', client)).status, 201);
    assert.equal((await listNotices(admin.userId)).length, 1);
    assert.equal((await listNotices(org.userId)).length, 1);
  });

  itInSoak('reports the first of a hundred invitations at once, and the other 99 in one email', async () => {
    for (let n = 0; n < 100; n += 1) assert.equal((await invite(`guest-${n}@example.com`)).status, 201);
    const [first, ...more] = await listNotices(org.userId);
    assert.equal(first!['items'], 'Invited: guest-0@example.com, as member.');
    assert.deepEqual(more, []);
    // The email about another kind of change does not wait for the emails about invitations.
    await session.post('/api/webhooks', { url: 'https://127.0.0.1:9/hook' });
    assert.match((await listNotices(org.userId)).at(-1)!['subject']!, /^A webhook endpoint was added/);
    await sweep();
    assert.equal((await listNotices(org.userId)).length, 2);
    await parley.passTime(GATHERING_SECONDS);
    await Promise.all([sweep(), sweep()]);
    const all = await listNotices(org.userId);
    assert.equal(all.length, 3);
    const { subject, items } = all[2]!;
    assert.equal(subject, '99 more access changes in Acme');
    const lines = items!.split('\n');
    assert.equal(lines.length, 99);
    assert.match(lines[0]!, /^\d\d:\d\d UTC: Invited: guest-1@example\.com, as member\.$/);
    assert.match(lines[98]!, /Invited: guest-99@example\.com, as member\.$/);
    // The email about the other invitations starts the next period in which Parley gathers invitations.
    const late = await invite('late@example.com', (await parley.signIn(org)).client);
    assert.equal(late.status, 201, JSON.stringify(late.body));
    assert.equal((await listNotices(org.userId)).length, 3);
    await parley.passTime(GATHERING_SECONDS);
    await sweep();
    assert.equal((await listNotices(org.userId)).at(-1)!['subject'], 'An invitation was sent in Acme');
  });

  it('deletes the values of the previous email when the next email is sent at once', async () => {
    await invite('rui@example.com');
    await invite('lea@example.com');
    const rows = () => parley.database.repository(AccessNoticeRow).findBy({ orgId: org.orgId });
    assert.deepEqual(
      (await rows()).map(({ content }) => content === null),
      [true, false],
    );
    assert.ok(!JSON.stringify(await rows()).includes('lea@'));
    await parley.passTime(GATHERING_SECONDS);
    await sweep();
    await parley.passTime(GATHERING_SECONDS);
    await sweep();
    assert.deepEqual(await rows(), []);
  });

  it('reports at once the first change by each of two credentials', async () => {
    await invite('rui@example.com');
    await invite('lea@example.com', org.client);
    assert.equal((await listNotices(org.userId)).length, 2);
  });

  itInSoak('sends one email at once for two concurrent first changes', async () => {
    const answers = await Promise.all(['rui', 'lea'].map((name) => invite(`${name}@example.com`)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
    assert.equal((await listNotices(org.userId)).length, 1);
  });

  itInSoak('is sent to an owner who is removed by this change or a later change', async () => {
    const other = await parley.buildOrg({ orgId: org.orgId });
    await invite('rui@example.com');
    await invite('lea@example.com');
    const { body: team } = await session.get(`/api/orgs/${org.orgId}/members`);
    const { membership_id: id } = team.find(({ user_id }) => user_id === other.userId)!;
    assert.equal(
      (await session.put(`/api/orgs/${org.orgId}/members/${id}/role`, { role: 'admin' })).status,
      200,
    );
    assert.equal((await session.delete(`/api/orgs/${org.orgId}/members/${id}`)).status, 200);
    await parley.passTime(GATHERING_SECONDS);
    await sweep();
    assert.deepEqual(
      (await listNotices(other.userId)).map(({ subject }) => subject),
      ['An invitation was sent in Acme', 'A role was changed in Acme', 'An invitation was sent in Acme'],
    );
  });

  itInSoak('is sent before the workspace is deleted', async () => {
    await invite('rui@example.com');
    await invite('lea@example.com');
    assert.equal((await session.delete(`/api/orgs/${org.orgId}`)).status, 202);
    const { orgPurge } = parley.runtime.services.team;
    await orgPurge.removeRows({ orgId: org.orgId, db: parley.database }, new AbortController().signal);
    assert.deepEqual(
      (await listNotices(org.userId)).map(({ items }) => items),
      [
        'Invited: rui@example.com, as member.',
        'Everything in the workspace is being removed.',
        'Invited: lea@example.com, as member.',
      ],
    );
  });

  it('is not sent for a refused change, and not again for a repeated request', async () => {
    const key = { 'idempotency-key': 'invitation' };
    const path = `/api/orgs/${org.orgId}/invitations` as const;
    for (let n = 0; n < 2; n += 1) await session.post(path, { email: 'rui@example.com' }, key);
    assert.equal((await invite('rui@example.com')).status, 409);
    const { sessionId, client } = await parley.signIn(org);
    const createdAt = new Date(Date.now() - 11 * 60_000);
    await parley.database.repository(Session).update(sessionId, { createdAt });
    assert.equal((await invite('lea@example.com', client)).status, 403);
    assert.equal(await parley.database.repository(AccessNoticeRow).countBy({ orgId: org.orgId }), 1);
  });

  it('is not sent for a HEAD request', async () => {
    const answer = await session.fetch('/api/contacts/export', { method: 'HEAD' });
    assert.equal(answer.status, 200);
    assert.deepEqual(await listNotices(org.userId), []);
    assert.equal((await session.fetch('/api/contacts/export')).status, 200);
    assert.deepEqual(
      (await listNotices(org.userId)).map(({ subject, items }) => [subject, items]),
      [['Contacts of Acme were exported', 'CSV file of all contacts.']],
    );
  });

  it('lists changes of a webhook endpoint, and is not sent if the endpoint receives no more than before', async () => {
    const { body } = await session.post('/api/webhooks', {
      url: 'https://127.0.0.1:9/hook',
      events: ['lead.captured'],
    });
    const path = `/api/webhooks/${body.id}` as const;
    await session.patch(path, { description: 'CRM' });
    await session.patch(path, { is_active: false });
    await session.put(`${path}/events`, { events: ['lead.captured'] });
    assert.equal((await listNotices(org.userId)).length, 1);
    await session.patch(path, { url: 'https://127.0.0.1:10/hook', is_active: true });
    await session.put(`${path}/events`, { events: ['lead.captured', 'message.created'] });
    await session.post(`${path}/rotate-secret`);
    const said = (await listNotices(org.userId)).slice(1).map(({ items }) => items!.split('\n'));
    assert.deepEqual(said, [
      [
        'Events are sent to https://127.0.0.1:10/hook instead of https://127.0.0.1:9/hook',
        'Sending was switched on: https://127.0.0.1:10/hook',
      ],
      ['https://127.0.0.1:10/hook also receives message.created.'],
      ['Endpoint: https://127.0.0.1:10/hook'],
    ]);
  });
});
