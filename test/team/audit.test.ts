import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { answerRequests, buildPerson, readMailedCode, readMailsTo, PASSWORD } from '../accounts/support.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

describe('the audit log', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const readLog = async ({ client, orgId }: TestOrg, query = '') =>
    (await client.get(`/api/orgs/${orgId}/audit-log${query}`)).body;

  it('records actor, operation, resource, time and address', async () => {
    const org = await parley.buildOrg();
    const headers = { 'user-agent': 'curl/8.5.0' };
    const made = await org.client.post('/api/bots', { name: 'Guide', api_key: 'sk-hidden-secret' }, headers);
    const { client: session } = await parley.signIn(org);
    const changed = await session.patch(`/api/bots/${made.body.id}`, { name: 'Helper', api_key: 'sk-other' });
    await session.delete(`/api/bots/${made.body.id}`, headers);
    const [deletion, change, creation] = await readLog(org);
    assert.deepEqual(
      [creation!.operation, creation!.resource_type, creation!.resource_id, creation!.user_agent],
      ['createBot', 'bot', made.body.id, 'curl/8.5.0'],
    );
    assert.deepEqual(
      [creation!.user_id, creation!.user_name, creation!.key_name, creation!.ip],
      [org.userId, 'Ada Okafor', 'Test key', '127.0.0.1'],
    );
    assert.equal(change!.request_id, changed.headers.get('x-request-id'));
    assert.deepEqual(creation!.changed_fields, ['name', 'api_key']);
    assert.deepEqual(change!.changed_fields, ['name', 'api_key']);
    assert.deepEqual([change!.key_id, change!.user_email], [null, `${org.userId}@example.com`]);
    assert.deepEqual(
      [deletion!.operation, deletion!.resource_type, deletion!.resource_id],
      ['deleteBot', 'bot', made.body.id],
    );
    const rows = await parley.database.repository(AuditEvent).findBy({ orgId: org.orgId });
    assert.ok(!/sk-/.test(JSON.stringify(rows)));
  });

  it('records no failed, read-only or repeated requests', async () => {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    await org.client.get('/api/bots');
    await org.client.post(`/api/bots/${bot.id}/knowledge/search`, { query: 'rent' });
    assert.equal((await org.client.post('/api/bots', {})).status, 422);
    assert.equal((await org.client.delete('/api/bots/0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b')).status, 404);
    for (const _ of [1, 2, 3])
      await org.client.post('/api/bots', { name: 'Guide' }, { 'idempotency-key': 'once' });
    assert.deepEqual(
      (await readLog(org)).map(({ operation }) => operation),
      ['createBot', 'createBot'],
    );
  });

  it('records a sign-in with its method and address, after all factors', async () => {
    const person = await buildPerson(parley);
    const client = parley.client();
    const logIn = (password: string, headers?: Record<string, string>) =>
      client.post('/api/auth/login', { email: person.email, password }, headers);
    const response = await logIn(PASSWORD, { 'user-agent': 'curl/8.5.0' });
    assert.equal((await logIn('a wrong password')).status, 401);
    await client.post('/api/auth/otp/request', { email: person.email });
    await answerRequests(parley);
    const code = await readMailedCode(parley, person.email);
    assert.equal((await client.post('/api/auth/otp/verify', { email: person.email, code })).status, 200);
    const { client: session } = await parley.signIn(person);
    const { body: setup } = await session.post('/api/auth/mfa/setup');
    const app = createAuthenticator(setup.secret);
    await session.post('/api/auth/mfa/activate', { code: app.nextCode() });
    const { body: challenge } = await logIn(PASSWORD);
    const shown = { challenge_token: challenge.challenge_token, code: app.nextCode() };
    assert.equal((await client.post('/api/auth/mfa/verify', shown)).status, 200);

    const events = await readLog(person, '?resource_type=session');
    assert.deepEqual(
      events.map(({ operation, user_id, key_id }) => [operation, user_id, key_id]),
      ['verifyMfa', 'verifyOtp', 'login'].map((operation) => [operation, person.userId, null]),
    );
    const first = events.at(-1)!;
    assert.deepEqual(
      [first.user_agent, first.ip, first.request_id, first.changed_fields],
      ['curl/8.5.0', '127.0.0.1', response.headers.get('x-request-id'), []],
    );
    assert.match(first.resource_id!, /^[0-9a-f-]{36}$/);
  });

  it('records the ids of resources that no response returns', async () => {
    const org = await parley.buildOrg();
    const { client: session } = await parley.signIn(org);
    const key = await session.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
    await session.delete(`/api/api-keys/${key.body.id}`);
    const webhook = await org.client.post('/api/webhooks', { url: 'https://127.0.0.1:9/hook' });
    await org.client.delete(`/api/webhooks/${webhook.body.id}`);
    assert.deepEqual(
      (await readLog(org)).map((event) => [event.operation, event.resource_type, event.resource_id]),
      [
        ['deleteWebhook', 'webhook', webhook.body.id],
        ['createWebhook', 'webhook', webhook.body.id],
        ['revokeApiKey', 'api_key', key.body.id],
        ['createApiKey', 'api_key', key.body.id],
      ],
    );
  });

  it('records each resource of a bulk operation, except refused resources', async () => {
    const first = await buildSession(parley);
    const { client, orgId, bot } = first;
    const { body: second } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const stranger = await buildSession(parley);
    const { client: admin } = await parley.signIn(first);
    const ids = [first.session.session_id, second.session_id];
    const applyBulk = (action: string, asked: string[]) =>
      admin.post('/api/conversations/bulk', { ids: asked, action });
    const refused = [stranger.session.session_id, '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b'];
    assert.equal((await applyBulk('resolve', [...ids, ids[0]!.toUpperCase(), ...refused])).status, 200);
    assert.equal((await applyBulk('delete', [ids[1]!])).status, 200);
    assert.equal((await applyBulk('delete', refused)).status, 200);
    const events = (await client.get(`/api/orgs/${orgId}/audit-log?operation=bulkUpdateConversations`)).body;
    assert.deepEqual(
      events.map(({ resource_id, action }) => [resource_id, action]).toSorted(),
      [
        [ids[0], 'resolve'],
        [ids[1], 'resolve'],
        [ids[1], 'delete'],
      ].toSorted(),
    );
    assert.deepEqual(events[0]?.changed_fields, ['ids', 'action']);
    const { body: ofOne } = await client.get(`/api/orgs/${orgId}/audit-log?resource_id=${ids[1]}`);
    assert.deepEqual(
      ofOne.map(({ action }) => action),
      ['delete', 'resolve'],
    );
  });

  it('records a created workspace in the workspace’s log and its parent’s log, and a deleted workspace in its parent’s log', async () => {
    const org = await parley.buildOrg();
    const { client: session } = await parley.signIn(org);
    const { body: own } = await session.post('/api/orgs', { name: 'Own' });
    const { body: child } = await session.post(`/api/orgs/${org.orgId}/children`, { name: 'Child' });
    const readOrgLog = async (id: string) =>
      (await session.get(`/api/orgs/${id}/audit-log`)).body.map((event) => [
        event.operation,
        event.resource_type,
        event.resource_id,
      ]);
    assert.deepEqual(await readOrgLog(own.id), [['createOrg', 'org', own.id]]);
    assert.deepEqual(await readOrgLog(child.id), [['createChildOrg', 'org', child.id]]);
    assert.equal((await session.delete(`/api/orgs/${child.id}`)).status, 202);
    assert.deepEqual(await readOrgLog(org.orgId), [
      ['deleteOrg', 'org', child.id],
      ['createChildOrg', 'org', child.id],
    ]);
  });

  it('of a deleted workspace is deleted; an email to each owner names the person who deleted the workspace', async () => {
    const org = await parley.buildOrg();
    const [other, admin] = [
      await parley.buildOrg({ orgId: org.orgId }),
      await parley.buildOrg({ role: 'admin', orgId: org.orgId }),
    ];
    const { client: session } = await parley.signIn(org);
    assert.equal((await session.delete(`/api/orgs/${org.orgId}`)).status, 202);
    const [mail] = await readMailsTo(parley, `${other.userId}@example.com`);
    assert.deepEqual(
      [mail?.template, mail?.values['orgName'], mail?.values['byName']],
      ['workspace_deleted', 'Acme', 'Ada Okafor'],
    );
    assert.equal((await readMailsTo(parley, `${org.userId}@example.com`)).length, 1);
    assert.deepEqual(await readMailsTo(parley, `${admin.userId}@example.com`), []);
  });

  it('is filtered by listAuditEvents, by event and by time', async () => {
    const org = await parley.buildOrg();
    const ids: string[] = [];
    for (let turn = 0; turn < 5; turn += 1)
      ids.push((await org.client.post('/api/bots', { name: `Bot ${turn}` })).body.id);
    await org.client.delete(`/api/bots/${ids[0]}`);
    const all = await readLog(org);
    assert.equal(all.length, 6);
    const first = await readLog(org, '?limit=2');
    assert.deepEqual(first, all.slice(0, 2));
    assert.deepEqual(await readLog(org, `?limit=3&before=${first[1]!.id}`), all.slice(2, 5));
    assert.deepEqual(await readLog(org, `?before=${encodeURIComponent('2020-01-01T00:00:00Z')}`), []);
    const filters = {
      operation: 'deleteBot',
      resource_id: ids[0]!,
      user_id: org.userId,
      key_id: all[0]!.key_id!,
      resource_type: 'bot',
      since: '2020-01-01T00:00:00Z',
    };
    const counts: Record<string, number> = {};
    for (const [name, value] of Object.entries(filters))
      counts[name] = (await readLog(org, `?${name}=${encodeURIComponent(value)}`)).length;
    assert.deepEqual(counts, {
      operation: 1,
      resource_id: 2,
      user_id: 6,
      key_id: 6,
      resource_type: 6,
      since: 6,
    });
    for (const query of [
      '?before=yesterday',
      '?before=1',
      '?before=-271821-04-20T00:00:00Z',
      '?limit=0',
      '?limit=201',
      '?user_id=me',
      '?page=2',
    ])
      assert.equal((await org.client.get(`/api/orgs/${org.orgId}/audit-log${query}`)).status, 422, query);
  });

  it('returns 403 to members and to other workspaces', async () => {
    const org = await parley.buildOrg();
    const member = await parley.buildOrg({ role: 'member', orgId: org.orgId });
    const stranger = await parley.buildOrg();
    for (const { client } of [member, stranger])
      assert.equal((await client.get(`/api/orgs/${org.orgId}/audit-log`)).status, 403);
  });

  it('records every write operation of users', () => {
    const unaudited = operations.filter(
      ({ isWrite, auth, transaction }) =>
        isWrite && auth !== 'public' && auth !== 'visitor' && transaction !== 'auto',
    );
    assert.deepEqual(
      unaudited.map(({ id }) => id),
      [],
    );
  });
});
