import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '../../api/registry.ts';
import { publishedDocuments } from '../../scripts/generate/openapi-document.ts';
import { describeApi } from '../../scripts/generate/sdk/api-description.ts';
import { pythonName } from '../../scripts/generate/sdk/python-text.ts';
import { snakeCase } from '../../scripts/generate/sdk/names.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { codeSamples, findCodeSample } from '../support/code-samples.ts';
import { uploadAvatar } from '../support/images.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { buildSession } from '../support/widget.ts';

const run = promisify(execFile);
const EXAMPLE_ID = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';

describe('code samples of operations', () => {
  const methods = describeApi().resources.flatMap(({ name: resource, methods: all }) =>
    all.map((method) => ({ resource, ...method })),
  );

  it('exist for every operation, and call its method in each language', () => {
    assert.deepEqual(Object.keys(codeSamples).sort(), operations.map(({ id }) => id).sort());
    for (const { id, method, path } of operations) {
      const { resource, name } = methods.find(({ operationId }) => operationId === id)!;
      assert.ok(findCodeSample(id, 'TypeScript').includes(`client.${resource}.${name}(`), id);
      const python = `client.${snakeCase(resource)}.${pythonName(name)}(`;
      assert.ok(findCodeSample(id, 'Python').includes(python), `${id}: ${python}`);
      const curl = findCodeSample(id, 'curl');
      assert.ok(curl.startsWith(`curl 'http://localhost:3000${path.replace(/\{.*/, '')}`), id);
      const verb = /-X (\w+)/.exec(curl)?.[1] ?? (/ (--json|-F) /.test(curl) ? 'POST' : 'GET');
      assert.equal(verb, method, id);
    }
  });

  it('are in the document, with the server’s address', async () => {
    const baseUrl = 'https://chat.example.com';
    const parley = await startParley({ PARLEY_BASE_URL: baseUrl });
    try {
      const { body } = await parley.client().get('/openapi.json');
      const { paths } = body as { paths: Record<string, Record<string, { 'x-codeSamples': object[] }>> };
      const [typescript] = paths['/api/bots']!['get']!['x-codeSamples'] as { source: string }[];
      assert.match(typescript?.source ?? '', /baseUrl: 'https:\/\/chat\.example\.com'/);
      assert.equal(JSON.stringify(body).includes('http://localhost:3000'), false);
    } finally {
      await parley.stop();
    }
    for (const [file, documented] of Object.entries(publishedDocuments)) {
      const checkedIn = readFileSync(new URL(file, projectRoot()), 'utf8');
      assert.equal(checkedIn.match(/"x-codeSamples"/g)?.length, documented.length);
    }
  });

  describe('for curl', () => {
    let parley: TestParley;
    before(async () => {
      parley = await startParley();
    });
    after(() => parley.stop());

    async function buildShell() {
      const { bot, key, session, client } = await buildSession(parley);
      const cwd = makeTemporaryFolder();
      writeFileSync(join(cwd, 'prices.md'), 'A day pass costs 12 euros.');
      const env = {
        ...process.env,
        PARLEY_API_KEY: key,
        PARLEY_VISITOR_TOKEN: session.visitor_token,
      };
      const runSample = async (operationId: string, id: string) => {
        const sample = findCodeSample(operationId, 'curl')
          .replaceAll(EXAMPLE_ID, id)
          .replaceAll('http://localhost:3000', parley.baseUrl);
        const { stdout } = await run('bash', ['-c', `${sample} -sS --fail-with-body`], { cwd, env });
        return stdout;
      };
      const runJsonSample = async (...[operationId, id]: Parameters<typeof runSample>) =>
        JSON.parse(await runSample(operationId, id)) as never;
      return { bot, session, client, cwd, call: runSample, json: runJsonSample };
    }

    it('read, create, change and delete a resource', async () => {
      const { json, client, bot } = await buildShell();
      const { id } = await json('createBot', '');
      assert.equal((await client.get(`/api/bots/${String(id)}`)).status, 200);
      assert.equal((await json('updateBot', bot.id))['id'], bot.id);
      assert.equal((await json('listBots', ''))['total'], 2);
      await json('deleteBot', id);
      assert.equal((await json('listBots', ''))['total'], 1);
    });

    it('upload a file, stream, and send a visitor token', async () => {
      const { json, call, bot, session } = await buildShell();
      assert.equal((await json('uploadDocument', bot.id))['title'], 'title');
      assert.match(await call('streamWidgetMessage', session.session_id), /^event: done$/m);
      assert.equal((await json('getWidgetSession', session.session_id))['session_id'], session.session_id);
    });

    it('download a file', async () => {
      const { call, bot, client, cwd } = await buildShell();
      const body = await uploadAvatar(client, bot.id);
      const id = String(body.widget_theme['avatar_url']).split('/').at(-1) ?? '';
      await call('getPublicAsset', id);
      assert.equal(readFileSync(join(cwd, id)).subarray(1, 4).toString(), 'PNG');
    });
  });
});
