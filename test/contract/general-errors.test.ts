import assert from 'node:assert/strict';
import { isMultipart, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { startParley, type ApiClient, type TestParley } from '../support/parley.ts';

describe('what every operation refuses', () => {
  let parley: TestParley;
  let clients: Record<Operation['auth'], ApiClient>;
  let sessionId: string;
  before(async () => {
    parley = await startParley();
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    sessionId = body.session_id;
    clients = { key: client, visitor: parley.client(body.visitor_token), public: parley.client() };
  });
  after(() => parley.stop());

  async function answerTo(
    { path, method, auth }: Operation,
    headers: object,
    body?: string,
  ): Promise<string> {
    const concrete = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === 'session_id' ? sessionId : newId(),
    );
    const response = await clients[auth].fetch(concrete, {
      method,
      headers: { ...headers },
      ...(body !== undefined && { body }),
    });
    const problem = (await response.json()) as { error?: { code: string } };
    return `${response.status} ${problem.error?.code}`;
  }

  for (const operation of operations) {
    const { id, body, maxBodyBytes } = operation;

    it(`${id} answers 400 to a version that there is not, and 406 to a media type that it has not`, async () => {
      assert.equal(await answerTo(operation, { 'x-api-version': '1999-01-01' }), '400 unsupported_version');
      assert.equal(await answerTo(operation, { accept: 'image/x-none' }), '406 not_acceptable');
    });

    if (!body) continue;

    it(`${id} answers 415 to another content type`, async () => {
      const answer = await answerTo(operation, { 'content-type': 'application/x-none' }, 'name=x');
      assert.equal(answer, '415 unsupported_media_type');
    });

    if (isMultipart(body)) continue;

    it(`${id} answers 400 to broken JSON, and 413 to more than ${maxBodyBytes} bytes`, async () => {
      const json = { 'content-type': 'application/json' };
      assert.equal(await answerTo(operation, json, '{"name":'), '400 malformed_json');
      const tooLong = JSON.stringify('a'.repeat(maxBodyBytes));
      assert.equal(await answerTo(operation, json, tooLong), '413 payload_too_large');
    });
  }
});
