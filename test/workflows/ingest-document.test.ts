import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LocalServers } from '../outbound/local-servers.ts';
import type { TestOrg } from '../support/parley.ts';
import { buildBot, startParleyWithWorker, terminal, type TestParleyWithWorker } from '../support/worker.ts';

const fixture = (name: string) => readFile(new URL(`../fixtures/documents/${name}`, import.meta.url));

describe('ingestDocument', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;
  const servers = new LocalServers();

  before(async () => {
    parley = await startParleyWithWorker();
    org = await parley.buildOrg();
    botId = await buildBot(org);
  });

  after(async () => {
    await parley.stop();
    await servers.close();
  });

  const scope = () => ({ orgId: org.orgId, db: parley.database });

  async function upload(filename: string, content?: Buffer): Promise<string> {
    const bytes = content ?? (await fixture(filename));
    const document = await parley.runtime.services.documentIntake.upload(scope(), botId, {
      file: { filename, declaredType: '', content: Readable.from([bytes]) },
      fields: async () => ({}),
    });
    return document.id;
  }

  async function create(input: object): Promise<string> {
    const document = await parley.runtime.services.documentIntake.create(scope(), botId, input as never);
    return document.id;
  }

  async function chunksOf(documentId: string): Promise<string[]> {
    const rows = await parley.database.sql<{ text: string }>(
      'SELECT text FROM chunks WHERE document_id = $1 ORDER BY position',
      [documentId],
    );
    return rows.map(({ text }) => text);
  }

  it('indexes a text', async () => {
    const document = await terminal(
      parley,
      await create({
        source_type: 'raw_text',
        raw_text: '# Bees\n\nBees make honey.\n\n# Wasps\n\nWasps do not.',
      }),
    );
    assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    assert.equal(document.chunkCount, 2);
    assert.deepEqual(await chunksOf(document.id), ['Bees make honey.', 'Wasps do not.']);
  });

  for (const name of [
    'manual.pdf',
    'warranty.docx',
    'faq.md',
    'notes-utf16.txt',
    'prices.csv',
    'care-shift-jis.html',
  ]) {
    it(`indexes ${name}`, async () => {
      const document = await terminal(parley, await upload(name));
      assert.equal(document.status, 'indexed', document.errorMessage ?? '');
      assert.equal((await chunksOf(document.id)).length, document.chunkCount);
      assert.ok(document.tokenCount > 0);
    });
  }

  it('indexes a page and keeps it as the original', async () => {
    const port = await servers.http((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        '<html><head><title>Snails</title></head><body><main><p>Snails carry their house.</p></main></body></html>',
      );
    });
    const document = await terminal(
      parley,
      await create({ source_type: 'url', url: `http://127.0.0.1:${port}/snails` }),
    );
    assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    assert.equal(document.title, 'Snails');
    assert.equal(document.mimeType, 'text/html');
    assert.ok(document.storageKey);
    assert.deepEqual(await chunksOf(document.id), ['Snails carry their house.']);
  });
});
