import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { startParley, type ApiAnswer, type TestParley } from '../support/parley.ts';

describe('Idempotency-Key', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  const newKey = () => randomBytes(12).toString('hex');
  const codeOf = ({ status, body }: ApiAnswer) => `${status} ${body.error?.code ?? ''}`.trim();

  it('repeats the first answer, byte for byte, without repeating the effect', async () => {
    const { client } = await parley.buildOrg();
    const headers = { 'idempotency-key': newKey() };
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

  it('takes the same JSON in another order, and the key in quotes, for the same request', async () => {
    const { client } = await parley.buildOrg();
    const key = newKey();
    const send = (body: string, named: string) =>
      client.post('/api/bots', body, { 'idempotency-key': named });
    const first = await send('{"name":"A","widget_theme":{"a":1,"b":[1,2]}}', key);
    const second = await send('{ "widget_theme": {"b":[1,2], "a":1}, "name":"A" }', `"${key}"`);
    assert.equal(second.body.id, first.body.id);
  });

  it('refuses another body, path or method, and still remembers the first answer', async () => {
    const { client } = await parley.buildOrg();
    const headers = { 'idempotency-key': newKey() };
    const { body: bot } = await client.post('/api/bots', { name: 'A' }, headers);
    assert.equal(
      codeOf(await client.post('/api/bots', { name: 'B' }, headers)),
      '422 idempotency_key_reused',
    );
    assert.equal(
      codeOf(await client.patch(`/api/bots/${bot.id}`, { name: 'A' }, headers)),
      '422 idempotency_key_reused',
    );
    assert.equal(codeOf(await client.delete(`/api/bots/${bot.id}`, headers)), '422 idempotency_key_reused');
    assert.equal((await client.post('/api/bots', { name: 'A' }, headers)).body.id, bot.id);
  });

  it('belongs to one API key alone', async () => {
    const org = await parley.buildOrg();
    const colleague = await parley.buildOrg({ orgId: org.orgId });
    const headers = { 'idempotency-key': newKey() };
    const ids = [];
    for (const { client } of [org, colleague, await parley.buildOrg()]) {
      ids.push((await client.post('/api/bots', { name: 'A' }, headers)).body.id);
    }
    assert.equal(new Set(ids).size, 3);
  });

  it('lets one of twenty parallel requests through', async () => {
    const { client } = await parley.buildOrg();
    const headers = { 'idempotency-key': newKey() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/api/bots', { name: 'Race' }, headers)),
    );
    const created = answers.filter(({ status }) => status === 201);
    assert.equal(new Set(created.map(({ body }) => body.id)).size, 1);
    assert.equal(created.filter(({ headers: h }) => h.get('idempotent-replay') === null).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.equal(codeOf(answer), '409 idempotency_in_progress');
      assert.equal(answer.headers.get('retry-after'), '1');
    }
    assert.equal((await client.get('/api/bots')).body.total, 1);
  });

  it('is free again after a failure', async () => {
    const { client } = await parley.buildOrg();
    const headers = { 'idempotency-key': newKey() };
    assert.equal((await client.post('/api/bots', { name: '' }, headers)).status, 422);
    const { body: bot } = await client.post('/api/bots', { name: 'Fine' }, headers);
    const again = { 'idempotency-key': newKey() };
    assert.equal((await client.patch(`/api/bots/${bot.id}`, { status: 'paused' }, again)).status, 409);
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    assert.equal((await client.patch(`/api/bots/${bot.id}`, { status: 'paused' }, again)).status, 200);
  });

  it('is remembered for 24 hours', async () => {
    const { client } = await parley.buildOrg();
    const key = newKey();
    const send = async () =>
      (await client.post('/api/bots', { name: 'A' }, { 'idempotency-key': key })).body.id;
    const age = (seconds: number) =>
      parley.database.sql(
        `UPDATE idempotency_keys SET expires_at = now() + interval '24 hours' - $2 * interval '1 second' WHERE key = $1`,
        [key, seconds],
      );
    const first = await send();
    await age(24 * 3600 - 60);
    assert.equal(await send(), first);
    await age(24 * 3600 + 1);
    assert.notEqual(await send(), first);
  });

  it('keeps no answer that could be read in the table', async () => {
    const { client } = await parley.buildOrg();
    const key = newKey();
    const create = () =>
      client.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook' }, { 'idempotency-key': key });
    const { body } = await create();
    assert.match(body.secret, /^whsec_/);
    assert.equal((await create()).body.secret, body.secret);
    const [row] = await parley.database.sql<{ text: string }>(
      'SELECT idempotency_keys::text AS text FROM idempotency_keys WHERE key = $1',
      [key],
    );
    assert.doesNotMatch(row!.text, /whsec_|127\.0\.0\.1/);
  });

  it('repeats a deletion’s answer instead of 404', async () => {
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'A' });
    const headers = { 'idempotency-key': newKey() };
    assert.equal((await client.delete(`/api/bots/${bot.id}`, headers)).status, 200);
    assert.equal((await client.delete(`/api/bots/${bot.id}`, headers)).status, 200);
    assert.equal((await client.delete(`/api/bots/${bot.id}`)).status, 404);
  });

  it('shows nothing to a caller that has lost its rights', async () => {
    const { client, userId, orgId } = await parley.buildOrg({ role: 'member' });
    const headers = { 'idempotency-key': newKey() };
    assert.equal((await client.post('/api/bots', { name: 'A' }, headers)).status, 201);
    await parley.database.sql("UPDATE memberships SET role = 'viewer' WHERE user_id = $1 AND org_id = $2", [
      userId,
      orgId,
    ]);
    assert.equal((await client.post('/api/bots', { name: 'A' }, headers)).status, 403);
  });

  it('must be 1 to 255 printable ASCII characters, sent once', async () => {
    const { client } = await parley.buildOrg();
    const send = (key: string) => client.post('/api/bots', { name: 'A' }, { 'idempotency-key': key });
    assert.equal((await send('k'.repeat(255))).status, 201);
    for (const key of ['k'.repeat(256), '', '""', 'tab\tbed', 'schlüssel']) {
      const answer = await send(key);
      assert.equal(codeOf(answer), '422 validation_error');
      assert.equal(answer.body.details[0].field, 'Idempotency-Key');
    }
    assert.equal((await client.get('/api/bots', { 'idempotency-key': '' })).status, 200);
  });

  it('knows an upload by its bytes, not by its boundary', async () => {
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'A' });
    const upload = async (text: string, key: string) => {
      const form = new FormData();
      form.set('file', new Blob([text]), 'notes.md');
      const response = await client.fetch(`/api/bots/${bot.id}/knowledge/upload`, {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: form,
      });
      return { status: response.status, headers: response.headers, body: (await response.json()) as any };
    };
    const key = newKey();
    const first = await upload('# Notes\n\nHello.', key);
    assert.equal(first.status, 201);
    const second = await upload('# Notes\n\nHello.', key);
    assert.equal(second.body.id, first.body.id);
    assert.equal(second.headers.get('idempotent-replay'), 'true');
    assert.equal(codeOf(await upload('# Notes\n\nBye.', key)), '422 idempotency_key_reused');
    assert.equal((await client.get(`/api/bots/${bot.id}/knowledge`)).body.total, 1);
  });

  it('names a visitor’s turn, which is answered once', async () => {
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'A' });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${session.session_id}/messages`;
    const headers = { 'idempotency-key': newKey() };
    const first = await visitor.post(path, { content: 'Hello' }, headers);
    const second = await visitor.post(path, { content: 'Hello' }, headers);
    assert.equal(second.headers.get('idempotent-replay'), 'true');
    assert.deepEqual(second.body, first.body);
    assert.equal(codeOf(await visitor.post(path, { content: 'Bye' }, headers)), '422 idempotency_key_reused');
    assert.equal((await visitor.get(path)).body.length, 2);
  });
});
