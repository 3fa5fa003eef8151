import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { IdempotencyGuard } from '../../api/http/idempotency.ts';
import { newId } from '../../core/ids.ts';
import { IdempotencyRepository } from '../../repositories/requests/idempotency.repository.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildRawPost, sendRaw } from '../support/raw-http.ts';
import { buildSession } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('Idempotency-Key', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  const buildKey = () => randomBytes(12).toString('hex');

  it('repeats the first response byte for byte, without repeating the effect', async () => {
    const { client } = await parley.buildOrg();
    const headers = { 'idempotency-key': buildKey() };
    const first = await client.post('/api/bots', { name: 'Once' }, headers);
    const second = await client.post('/api/bots', { name: 'Once' }, headers);
    assert.equal(first.headers.get('idempotent-replay'), null);
    assert.equal(second.headers.get('idempotent-replay'), 'true');
    assert.equal(second.status, 201);
    assert.deepEqual(second.body, first.body);
    assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'));
    assert.equal(
      second.headers.get('ratelimit-remaining'),
      String(Number(first.headers.get('ratelimit-remaining')) - 1),
    );
    assert.equal((await client.get('/api/bots')).body.total, 1);
  });

  it('repeats the response for equivalent JSON, and is the same key with quotes as without', async () => {
    const { client } = await parley.buildOrg();
    const key = buildKey();
    const sendBody = (body: string, named = key) =>
      client.post('/api/bots', body, { 'idempotency-key': named });
    const first = await sendBody('{"name":"A","temperature":1,"widget_theme":{"a":1,"b":[1,{"d":2,"c":3}]}}');
    for (const same of [
      '{ "widget_theme": {"b":[1, {"c":3,"d":2}], "a":1},\n "temperature":1.0, "name":"A" }',
      '{"name":"\\u0041","temperature":10e-1,"widget_theme":{"\\u0061":1,"b":[1.0,{"d":2,"c":3}]}}',
    ])
      assert.equal((await sendBody(same)).body.id, first.body.id);
    assert.equal((await sendBody('{"name":"B"}', `"${key}"`)).problem.error.code, 'idempotency_key_reused');
  });

  const bodies = {
    'a list in another order': ['{"a":[1,2]}', '{"a":[2,1]}'],
    'a text for a number': ['{"a":1}', '{"a":"1"}'],
    'null in place of an absent field': ['{"a":null}', '{}'],
    'a key of Object.prototype': ['{"__proto__":{"a":1}}', '{}'],
    'a list for an object': ['{"a":{"0":1}}', '{"a":[1]}'],
    'another nesting': ['{"a":{"b":1},"c":2}', '{"a":{"b":1,"c":2}}'],
  };
  for (const [what, [one, other]] of Object.entries(bodies)) {
    it(`with a different body returns idempotency_key_reused: ${what}`, async () => {
      const { client } = await parley.buildOrg();
      const headers = { 'idempotency-key': buildKey() };
      const sendTheme = (theme: string | undefined) =>
        client.post('/api/bots', `{"name":"A","widget_theme":${theme}}`, headers);
      assert.equal((await sendTheme(one)).status, 201);
      assert.equal(formatOutcome(await sendTheme(other)), '422 idempotency_key_reused');
    });
  }

  it('is required for deduplication: without it, two requests have two effects', async () => {
    const { client } = await parley.buildOrg();
    for (let call = 0; call < 2; call += 1) await client.post('/api/bots', { name: 'Twice' });
    assert.equal((await client.get('/api/bots')).body.total, 2);
  });

  it('refuses another body, path or method, and still repeats the first response', async () => {
    const { client } = await parley.buildOrg();
    const headers = { 'idempotency-key': buildKey() };
    const { body: bot } = await client.post('/api/bots', { name: 'A' }, headers);
    assert.equal(
      formatOutcome(await client.post('/api/bots', { name: 'B' }, headers)),
      '422 idempotency_key_reused',
    );
    assert.equal(
      formatOutcome(await client.patch(`/api/bots/${bot.id}`, { name: 'A' }, headers)),
      '422 idempotency_key_reused',
    );
    assert.equal(
      formatOutcome(await client.delete(`/api/bots/${bot.id}`, headers)),
      '422 idempotency_key_reused',
    );
    assert.equal((await client.post('/api/bots', { name: 'A' }, headers)).body.id, bot.id);
  });

  it('is separate for each API key', async () => {
    const org = await parley.buildOrg();
    const colleague = await parley.buildOrg({ orgId: org.orgId });
    const headers = { 'idempotency-key': buildKey() };
    const ids = [];
    for (const { client } of [org, colleague, await parley.buildOrg()]) {
      ids.push((await client.post('/api/bots', { name: 'A' }, headers)).body.id);
    }
    assert.equal(new Set(ids).size, 3);
  });

  it('is refused while a request with it runs, whether the new request is the same or another', async () => {
    const { database, runtime } = parley;
    const guard = new IdempotencyGuard(database, runtime.keyring);
    const request = { principal: newId(), key: buildKey(), fingerprint: 'one' };
    await database.transaction(async (tx) => {
      await guard.claim(tx, request);
      for (const [fingerprint, code] of [
        ['one', 'idempotency_in_progress'],
        ['two', 'idempotency_key_reused'],
      ] as const) {
        const claim = database.transaction((other) => guard.claim(other, { ...request, fingerprint }));
        await assert.rejects(claim, { code });
      }
    });
  });

  itInSoak('accepts one of twenty different parallel requests at two processes', async () => {
    const { client, key } = await parley.buildOrg();
    const second = (await parley.startAnother()).client(key);
    const headers = { 'idempotency-key': buildKey() };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? second : client).post('/api/bots', { name: `Bot ${index}` }, headers),
      ),
    );
    const created = responses.filter(({ status }) => status === 201);
    assert.equal(created.length, 1);
    const { body: page } = await client.get('/api/bots');
    assert.deepEqual(page.items, [created[0]!.body]);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      assert.equal(formatOutcome(response), '422 idempotency_key_reused');
    }
  });

  // The claim must be right at this moment, although a transaction releases its locks one after another: the
  // lock of the request may be free before that of the key.
  for (const [end, expected] of [
    ['COMMIT', 'responded'],
    ['ROLLBACK', 'ours'],
  ] as const)
    it(`is claimed as ${expected} at the moment of the ${end} of the same request`, async () => {
      const { database } = parley;
      const request = { principal: 'key:1', key: buildKey(), fingerprint: 'same' };
      const keys = new IdempotencyRepository();
      const locked = createOneTimeSignal();
      const ending = database.transaction(async (db) => {
        await db.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `${request.principal}\n${request.key}`,
        ]);
        if (end === 'COMMIT')
          await keys.store(db, request, { status: 201, sealedBody: '', isFinal: true, orgId: null });
        locked.happen();
        // Let the database server end the transaction, because this process may pause for longer than a claim
        // waits.
        db.runWithCommit({ name: '', text: 'SELECT pg_sleep(0.02)' }, []);
        if (end === 'ROLLBACK') db.runWithCommit({ name: '', text: 'ROLLBACK' }, []);
      });
      await locked.happened;
      const claims: string[] = [];
      await database
        .transaction(async (db) => claims.push(await keys.claim(db, request)))
        .catch(() => undefined);
      assert.deepEqual(claims, [expected]);
      await ending;
    });

  it('can be used again after any failure', async () => {
    const { client, userId, orgId } = await parley.buildOrg();
    await parley.buildOrg({ orgId });
    const stranger = await parley.buildOrg();
    const { body: theirs } = await stranger.client.post('/api/bots', { name: 'Theirs' });
    const { body: bot } = await client.post('/api/bots', { name: 'Ours' });
    const headers = { 'idempotency-key': buildKey() };
    const path = `/api/bots/${bot.id}` as const;
    const setRole = (role: string) =>
      parley.database.sql('UPDATE memberships SET role = $1 WHERE user_id = $2', [role, userId]);
    assert.equal((await client.post('/api/bots', { name: '' }, headers)).status, 422);
    assert.equal((await client.post('/api/bots', '{"name":', headers)).status, 400);
    assert.equal((await client.delete(`/api/bots/${newId()}`, headers)).status, 404);
    assert.equal((await client.delete(`/api/bots/${theirs.id}`, headers)).status, 403);
    assert.equal((await client.patch(path, { status: 'paused' }, headers)).status, 409);
    await setRole('viewer');
    assert.equal((await client.patch(path, { name: 'B' }, headers)).status, 403);
    await setRole('owner');
    const { status, headers: told } = await client.patch(path, { name: 'C' }, headers);
    assert.deepEqual([status, told.get('idempotent-replay')], [200, null]);
  });

  itInSoak('can be used again after a rate limit refused the request', async () => {
    const limited = await parley.startAnother({ rateLimitPerMinute: 1 });
    const { key } = await parley.buildOrg();
    const client = limited.client(key);
    const headers = { 'idempotency-key': buildKey() };
    await client.get('/api/bots');
    assert.equal((await client.post('/api/bots', { name: 'A' }, headers)).status, 429);
    await parley.database.sql("UPDATE rate_windows SET expires_at = now() - interval '1 second'");
    const { status, headers: told } = await client.post('/api/bots', { name: 'B' }, headers);
    assert.deepEqual([status, told.get('idempotent-replay')], [201, null]);
    assert.equal((await client.post('/api/bots', { name: 'B' }, headers)).status, 429);
  });

  it('expires after 24 hours', async () => {
    const { client } = await parley.buildOrg();
    const key = buildKey();
    const sendRequest = async () =>
      (await client.post('/api/bots', { name: 'A' }, { 'idempotency-key': key })).body.id;
    const ageKey = (seconds: number) =>
      parley.database.sql(
        `UPDATE idempotency_keys SET expires_at = now() + interval '24 hours' - $2 * interval '1 second' WHERE key = $1`,
        [key, seconds],
      );
    const first = await sendRequest();
    await ageKey(24 * 3600 - 60);
    assert.equal(await sendRequest(), first);
    await ageKey(24 * 3600 + 1);
    assert.notEqual(await sendRequest(), first);
  });

  it('stores the response encrypted', async () => {
    const { client } = await parley.buildOrg();
    const key = buildKey();
    const createBot = () =>
      client.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook' }, { 'idempotency-key': key });
    const { body } = await createBot();
    assert.match(body.secret, /^whsec_/);
    assert.equal((await createBot()).body.secret, body.secret);
    const [row] = await parley.database.sql<{ text: string }>(
      'SELECT idempotency_keys::text AS text FROM idempotency_keys WHERE key = $1',
      [key],
    );
    assert.doesNotMatch(row!.text, /whsec_|127\.0\.0\.1/);
  });

  it('repeats the response to a deletion instead of returning 404', async () => {
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'A' });
    const headers = { 'idempotency-key': buildKey() };
    assert.equal((await client.delete(`/api/bots/${bot.id}`, headers)).status, 200);
    assert.equal((await client.delete(`/api/bots/${bot.id}`, headers)).status, 200);
    assert.equal((await client.delete(`/api/bots/${bot.id}`)).status, 404);
  });

  it('returns nothing to a caller that has lost its rights', async () => {
    const { client, userId, orgId } = await parley.buildOrg({ role: 'member' });
    const headers = { 'idempotency-key': buildKey() };
    assert.equal((await client.post('/api/bots', { name: 'A' }, headers)).status, 201);
    await parley.database.sql("UPDATE memberships SET role = 'viewer' WHERE user_id = $1 AND org_id = $2", [
      userId,
      orgId,
    ]);
    assert.equal((await client.post('/api/bots', { name: 'A' }, headers)).status, 403);
    await parley.database.sql('UPDATE api_keys SET revoked_at = now() WHERE org_id = $1', [orgId]);
    assert.equal((await client.post('/api/bots', { name: 'A' }, headers)).status, 401);
  });

  it('must be 1 to 255 printable ASCII characters, sent once', async () => {
    const { client } = await parley.buildOrg();
    const sendKey = (key: string) => client.post('/api/bots', { name: 'A' }, { 'idempotency-key': key });
    assert.equal((await sendKey('k'.repeat(255))).status, 201);
    for (const key of ['k'.repeat(256), '', ' ', '""', 'tab\tbed', 'schlüssel']) {
      const response = await sendKey(key);
      assert.equal(formatOutcome(response), '422 validation_error');
      assert.equal(response.problem.details[0]!.field, 'Idempotency-Key');
    }
    assert.equal((await client.get('/api/bots', { 'idempotency-key': '' })).status, 200);
  });

  it('must not be sent twice, even with equal values', async () => {
    const { client, key } = await parley.buildOrg();
    for (const keys of [
      ['a', 'b'],
      ['a', 'a'],
    ]) {
      const headers = [
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        'Content-Length: 12',
        ...keys.map((each) => `Idempotency-Key: ${each}`),
      ];
      const response = await sendRaw(parley.baseUrl, buildRawPost('/api/bots', headers, '{"name":"A"}'));
      assert.equal(response.status, 422);
      assert.equal(JSON.parse(response.body).details[0].field, 'Idempotency-Key');
    }
    assert.equal((await client.get('/api/bots')).body.total, 0);
  });

  itInSoak('identifies an upload by its bytes, not by its boundary', async () => {
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'A' });
    const uploadText = async (text: string, key: string) => {
      const form = new FormData();
      form.set('file', new Blob([text]), 'notes.md');
      const response = await client.fetch(`/api/bots/${bot.id}/knowledge/upload`, {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: form,
      });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as { id: string },
      };
    };
    const key = buildKey();
    const first = await uploadText('# Notes\n\nHello.', key);
    assert.equal(first.status, 201);
    const second = await uploadText('# Notes\n\nHello.', key);
    assert.equal(second.body.id, first.body.id);
    assert.equal(second.headers.get('idempotent-replay'), 'true');
    assert.equal(formatOutcome(await uploadText('# Notes\n\nBye.', key)), '422 idempotency_key_reused');
    assert.equal((await client.get(`/api/bots/${bot.id}/knowledge`)).body.total, 1);
  });

  it('identifies a visitor’s turn, which is answered once', async () => {
    const { visitor, path: session } = await buildSession(parley);
    const path = `${session}/messages` as const;
    const headers = { 'idempotency-key': buildKey() };
    const first = await visitor.post(path, { content: 'Hello' }, headers);
    const second = await visitor.post(path, { content: 'Hello' }, headers);
    assert.equal(second.headers.get('idempotent-replay'), 'true');
    assert.deepEqual(second.body, first.body);
    for (const other of [
      await visitor.post(path, { content: 'Bye' }, headers),
      await visitor.post(`${path}/stream`, { content: 'Hello' }, headers),
      await visitor.post(path.replace('/messages', '/end'), undefined, headers),
    ])
      assert.equal(formatOutcome(other), '422 idempotency_key_reused');
    assert.equal((await visitor.get(path)).body.length, 2);
  });

  it('can be used again after a visitor’s turn was refused', async () => {
    const { visitor, path, client, bot } = await buildSession(parley);
    const headers = { 'idempotency-key': buildKey() };
    const sendMessage = (content: string) => visitor.post(`${path}/messages`, { content }, headers);
    await client.patch(`/api/bots/${bot.id}`, { status: 'paused' });
    assert.equal(formatOutcome(await sendMessage('Hello')), '409 conflict');
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { status, headers: told } = await sendMessage('Hello again');
    assert.deepEqual([status, told.get('idempotent-replay')], [201, null]);
  });
});
