import assert from 'node:assert/strict';
import { newRequestId } from '../../api/http/request-basics.ts';
import { collectFieldNames, describeErrorSubject } from '../../api/http/report/error-subject.ts';
import { operations } from '../../api/registry.ts';
import { validationError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';

describe('listRequests', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  /** Returns the logged requests of a workspace, after all finished requests were stored. */
  async function listRequests({ orgId }: TestOrg, query = '') {
    await parley.runtime.services.requests.requestLog.flush();
    const { client } = await parley.buildOrg({ orgId, scopes: ['org:read'], role: 'admin' });
    return (await client.get(`/api/ext/requests${query}`)).body.items;
  }

  const readRequestId = async (response: Promise<{ headers: Headers }>) =>
    (await response).headers.get('x-request-id');

  it('returns the requests of a key, newest first, without bodies and queries', async () => {
    const org = await parley.buildOrg();
    const [key] = await parley.database.repository(ApiKey).findBy({ orgId: org.orgId });
    const { body: bot } = await org.client.post('/api/bots', { name: 'Secret name' });
    const ids = [
      await readRequestId(org.client.get(`/api/bots/${bot.id}`)),
      await readRequestId(org.client.get('/api/bots?q=secret')),
      await readRequestId(org.client.post('/api/bots', {})),
    ];
    const requests = await listRequests(org);
    assert.deepEqual(
      requests.map(({ operation, method, path, status, error_code: code, error_subject: subject }) => [
        `${method} ${path}`,
        operation,
        status,
        code,
        subject,
      ]),
      [
        ['POST /api/bots', 'createBot', 422, 'validation_error', 'name'],
        ['GET /api/bots', 'listBots', 200, null, null],
        [`GET /api/bots/${bot.id}`, 'getBot', 200, null, null],
        ['POST /api/bots', 'createBot', 201, null, null],
      ],
    );
    assert.deepEqual(
      requests.slice(0, 3).map(({ request_id: id }) => id),
      ids.toReversed(),
    );
    for (const request of requests) {
      assert.deepEqual(
        [request.api_key_id, request.api_key_name, request.user_id],
        [key!.id, 'Test key', null],
      );
      assert.ok(request.duration_ms >= 0 && request.duration_ms < 30_000);
      assert.ok(Math.abs(Date.now() - Date.parse(request.created_at)) < 60_000);
    }
    assert.ok(!JSON.stringify(requests).toLowerCase().includes('secret'));
  });

  it('refuses an operation that does not exist, and suggests a similar operation', async () => {
    const { client } = await parley.buildOrg();
    for (const [id, hint] of [
      ['nope', ''],
      ['getBots', ' (did you mean getBot?)'],
    ] as const)
      assert.equal(
        (await client.get(`/api/ext/requests?operation=${id}`)).problem.error.message,
        `operation is not the id of an operation${hint}`,
      );
  });

  it('names the wrong fields, the missing scope or role, and the limit of refused requests', async () => {
    const org = await parley.buildOrg();
    const { client } = org;
    const reader = await parley.buildOrg({ orgId: org.orgId, scopes: ['bots:read'] });
    const member = await parley.buildOrg({ orgId: org.orgId, role: 'member' });
    const { body: bot } = await client.post('/api/bots', { name: 'Guide' });
    const node = { id: 'start', type: 'jane@example.com', jane: 1, data: {} };
    const cases: [send: () => Promise<unknown>, subject: string | null][] = [
      [
        () => client.post('/api/bots', { name: 7, lead_capture_config: { fields: [{ label: 'Name' }] } }),
        'name, lead_capture_config.fields[0].key',
      ],
      [() => client.post('/api/bots', { name: 'Guide', 'jane@example.com': 1 }), '*'],
      [() => client.get('/api/bots?page_size=0&jane=1'), 'query *, query page_size'],
      [() => client.get('/api/bots/jane@example.com'), 'path bot_id'],
      [
        () =>
          client.post('/api/flows', {
            name: 'Flow',
            bot_id: bot.id,
            graph: { version: 1, nodes: [node], edges: [] },
          }),
        'graph.nodes[0].*, graph.nodes[0].type',
      ],
      [() => reader.client.post('/api/bots', { name: 'Guide' }), 'scope bots:write'],
      [() => member.client.delete(`/api/bots/${bot.id}`), 'role admin'],
      [() => member.client.get('/api/api-keys'), 'signed-in person'],
      [() => client.get(`/api/bots/${newId()}`), null],
    ];
    for (const [send] of cases) await send();
    assert.deepEqual(
      (await listRequests(org, '?outcome=failed')).map(({ error_subject: subject }) => subject).toReversed(),
      cases.map(([, subject]) => subject),
    );
  });

  it('filters by request, key, caller, operation, status and outcome', async () => {
    const org = await parley.buildOrg();
    const person = await parley.signIn(org);
    await org.client.get('/api/bots');
    await person.client.post('/api/bots', { name: 'By a person' });
    const id = await readRequestId(org.client.get(`/api/bots/${newId()}`));
    const [key] = await parley.database.repository(ApiKey).findBy({ orgId: org.orgId });
    const cases: [query: string, operations: string[]][] = [
      [`?request_id=${id}`, ['getBot']],
      [`?request_id=req_${'0'.repeat(32)}`, []],
      [`?api_key_id=${key!.id}`, ['getBot', 'listBots']],
      ['?caller=person', ['createBot']],
      ['?caller=key', ['getBot', 'listBots']],
      ['?operation=listBots', ['listBots']],
      ['?status=404', ['getBot']],
      ['?outcome=failed', ['getBot']],
      ['?outcome=succeeded', ['createBot', 'listBots']],
      ['?status=404&operation=listBots', []],
    ];
    for (const [query, operations] of cases) {
      const found = (await listRequests(org, query)).map(({ operation }) => operation);
      assert.deepEqual(found, operations, query);
    }
  });

  it('omits successful reads of signed-in users, but includes their refused reads', async () => {
    const org = await parley.buildOrg();
    const { client } = await parley.signIn(org);
    await client.get('/api/bots');
    await client.get(`/api/bots/${newId()}`);
    const requests = await listRequests(org);
    assert.deepEqual(
      requests.map(({ operation, user_id: userId, api_key_id: keyId }) => [operation, userId, keyId]),
      [['getBot', org.userId, null]],
    );
  });

  it('omits its own requests', async () => {
    const org = await parley.buildOrg();
    await listRequests(org);
    assert.deepEqual(await listRequests(org), []);
  });

  it('omits path parameters that are not ids', async () => {
    const org = await parley.buildOrg();
    await org.client.get('/api/bots/jane@leak.example');
    const [request] = await listRequests(org);
    assert.deepEqual([request!.path, request!.status], ['/api/bots/{bot_id}', 422]);
  });

  it('shows a request in the log of the workspace in its path', async () => {
    const [org, other] = [await parley.buildOrg(), await parley.buildOrg()];
    const member = await parley.database.repository(Membership).save({
      id: newId(),
      orgId: other.orgId,
      userId: org.userId,
      role: 'owner',
    });
    const { client } = await parley.signIn(org);
    assert.equal((await client.patch(`/api/orgs/${other.orgId}`, { name: 'Renamed' })).status, 200);
    assert.deepEqual(await listRequests(org), []);
    const [request] = await listRequests(other);
    assert.deepEqual([request!.operation, request!.user_id], ['updateOrg', member.userId]);
  });

  it('shows no requests of a user to other workspaces or to the account', async () => {
    const [org, other] = [await parley.buildOrg(), await parley.buildOrg()];
    const { client } = await parley.signIn(org);
    assert.equal((await client.patch(`/api/orgs/${other.orgId}`, { name: 'Renamed' })).status, 403);
    await client.patch('/api/auth/me', { full_name: 'Grace Obi' });
    assert.deepEqual([await listRequests(org), await listRequests(other)], [[], []]);
  });

  it('shows one rate-limited request per second of a caller, and all other requests of the caller', async () => {
    const org = await parley.buildOrg();
    const { requestLog } = parley.runtime.services.requests;
    const principal = { type: 'key', id: newId() };
    const record = (status: number, errorCode?: string) =>
      requestLog.record(
        {
          requestId: newRequestId(),
          operation: 'listBots',
          method: 'GET',
          status,
          durationMs: 1,
          principal,
          orgId: org.orgId,
          ...(errorCode && { errorCode }),
        },
        () => ({ path: '/api/bots', orgId: null, concernsAccount: false, isAuthorized: true }),
      );
    for (let times = 0; times < 50; times += 1) record(429, 'rate_limited');
    record(200);
    assert.deepEqual(
      (await listRequests(org)).map(({ status }) => status),
      [200, 429],
    );
  });

  it('shows no request of another workspace', async () => {
    const [org, other] = [await parley.buildOrg(), await parley.buildOrg()];
    const id = await readRequestId(other.client.get('/api/bots'));
    assert.deepEqual(await listRequests(org, `?request_id=${id}`), []);
    const [key] = await parley.database.repository(ApiKey).findBy({ orgId: other.orgId });
    const readRefusal = async (keyId: string) =>
      formatOutcome(await org.client.get(`/api/ext/requests?api_key_id=${keyId}`));
    assert.equal(await readRefusal(key!.id), '403 forbidden');
    assert.equal(await readRefusal(newId()), '404 not_found');
  });

  it('shows no request of a stranger to the workspace, whatever is wrong with it', async () => {
    const [org, { client: stranger }] = [await parley.buildOrg(), await parley.buildOrg()];
    const path = `/api/orgs/${org.orgId}`;
    const outcomes = [
      await stranger.get(`${path}/members`, { 'x-api-version': 'zzz' }),
      await stranger.post(`${path}/invitations`, {}, { 'x-api-version': 'zzz' }),
      await stranger.get(`${path}/members?none=1`),
    ].map(formatOutcome);
    assert.deepEqual(outcomes, ['400 unsupported_version', '400 unsupported_version', '403 forbidden']);
    assert.deepEqual(await listRequests(org), []);
  });

  it('still shows the requests of a deleted key', async () => {
    const org = await parley.buildOrg();
    const apiKeyId = newId();
    await parley.database.repository(LoggedRequest).insert({
      id: newId(),
      orgId: org.orgId,
      apiKeyId,
      operation: 'listBots',
      method: 'GET',
      path: '/api/bots',
      status: null,
      durationMs: 3,
    });
    const [request] = await listRequests(org, `?api_key_id=${apiKeyId}&outcome=failed`);
    assert.deepEqual([request!.api_key_name, request!.status], [null, null]);
  });

  it('shows nothing of a deleted workspace, and still shows other requests of the same batch', async () => {
    const org = await parley.buildOrg();
    const { requestLog } = parley.runtime.services.requests;
    const request = { operation: 'listBots', method: 'GET', status: 200, durationMs: 1 };
    const principal = { type: 'key', id: newId() };
    for (const orgId of [newId(), org.orgId])
      requestLog.record({ ...request, principal, orgId, requestId: newRequestId() }, () => ({
        path: '/api/bots',
        orgId: null,
        concernsAccount: false,
        isAuthorized: true,
      }));
    assert.deepEqual(
      (await listRequests(org)).map(({ api_key_id: id }) => id),
      [principal.id],
    );
  });
});

describe('describeErrorSubject', () => {
  const fieldNames = collectFieldNames(operations);
  const describe = (fields: string[]) =>
    describeErrorSubject(
      validationError(fields.map((field) => ({ field, in: 'body', code: 'invalid', message: 'is wrong' }))),
      fieldNames,
    );

  it('keeps indices and fields of the API, and masks other keys', () => {
    assert.equal(describe(['questions[12].id']), 'questions[12].id');
    assert.equal(describe(['samples.4915112345678.port', 'jane.name']), 'samples.*.port, *.name');
    assert.equal(describe(['(body)', 'file', 'file']), '(body), file');
  });

  it('names as many whole fields as fit 200 characters', () => {
    const fields = Array.from({ length: 100 }, (_, index) => `lead_capture_config.fields[${index}].key`);
    assert.equal(describe(fields), `${fields.slice(0, 5).join(', ')}, …`);
    assert.equal(describe(['name'.repeat(60)]), '*');
  });
});
