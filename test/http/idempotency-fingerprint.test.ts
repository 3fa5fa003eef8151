import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { defineOperation } from '../../api/http/operation.ts';
import { newId } from '../../core/ids.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { serveOperations } from '../support/serve-operations.ts';

const note = {
  tag: 'meta',
  auth: 'public',
  scope: null,
  role: null,
  path: '/notes/{id}',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ color: Type.Optional(Type.String()) }),
  responses: { 200: Type.Object({ id: Type.String() }) },
  summary: 'Writes a note.',
} as const;

const operations = [
  defineOperation({ ...note, id: 'putNote', method: 'PUT', handle: async () => ({ id: newId() }) }),
  defineOperation({ ...note, id: 'postNote', method: 'POST', handle: async () => ({ id: newId() }) }),
];

describe('an Idempotency-Key of a request without a body', () => {
  let parley: TestParley;
  let server: Awaited<ReturnType<typeof serveOperations>>;
  before(async () => {
    parley = await startParley();
    server = await serveOperations(operations, parley.runtime);
  });
  after(async () => {
    await server.close(100);
    await parley.stop();
  });

  async function send(key: string, method: string, target: string, { baseUrl } = server) {
    const response = await fetch(baseUrl + target, { method, headers: { 'idempotency-key': key } });
    const { id, error } = (await response.json()) as { id?: string; error?: { code: string } };
    return id ?? error?.code;
  }

  for (const [what, method, target] of [
    ['method', 'POST', '/notes/1?color=red'],
    ['path', 'PUT', '/notes/2?color=red'],
    ['query', 'PUT', '/notes/1?color=blue'],
    ['query, which is empty', 'PUT', '/notes/1'],
  ] as const) {
    it(`differs for a different ${what}`, async () => {
      const key = newId();
      const first = await send(key, 'PUT', '/notes/1?color=red');
      assert.equal(await send(key, method, target), 'idempotency_key_reused');
      assert.equal(await send(key, 'PUT', '/notes/1?color=red'), first);
    });
  }

  it('is stored as a keyed digest, so that a copy of the database reveals no short requests', async () => {
    const key = newId();
    const first = await send(key, 'PUT', '/notes/1');
    const { runtime } = await parley.startAnother({ masterKey: randomBytes(32).toString('base64') });
    const another = await serveOperations(operations, runtime);
    assert.equal(await send(key, 'PUT', '/notes/1', another), 'idempotency_key_reused');
    await another.close(100);
    assert.equal(await send(key, 'PUT', '/notes/1'), first);
  });
});
