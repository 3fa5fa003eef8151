import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ingestWorkflowId } from '../../core/workflows/commands.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { addDocument, addUpload } from '../support/knowledge.ts';
import type { TestOrg } from '../support/parley.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  startParleyWithWorker,
  waitForTerminalState,
  type TestParleyWithWorker,
} from '../support/worker.ts';

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

  const getScope = () => ({ orgId: org.orgId, db: parley.database });

  async function uploadFile(filename: string, content?: Buffer): Promise<string> {
    const bytes = content ?? (await fixture(filename));
    const document = await addUpload(parley.runtime.services.knowledge.documentIntake, getScope(), botId, {
      file: { filename, declaredType: '', content: Readable.from([bytes]) },
      fields: async () => ({}),
    });
    return document.id;
  }

  async function createSource(input: object): Promise<string> {
    const document = await addDocument(
      parley.runtime.services.knowledge.documentIntake,
      getScope(),
      botId,
      input as never,
    );
    return document.id;
  }

  async function removeDocument(documentId: string): Promise<void> {
    await parley.database.transaction((db) =>
      parley.runtime.services.knowledge.documents.delete({ orgId: org.orgId, db }, botId, documentId),
    );
  }

  async function reindexDocument(documentId: string): Promise<void> {
    await parley.database.transaction((db) =>
      parley.runtime.services.knowledge.documents.reindex({ orgId: org.orgId, db }, botId, documentId),
    );
  }

  async function findChunkTexts(documentId: string): Promise<string[]> {
    const rows = await parley.database.sql<{ text: string }>(
      'SELECT text FROM chunks WHERE document_id = $1 ORDER BY position',
      [documentId],
    );
    return rows.map(({ text }) => text);
  }

  it('indexes a text', async () => {
    const document = await waitForTerminalState(
      parley,
      await createSource({
        source_type: 'raw_text',
        raw_text: '# Bees\n\nBees make honey.\n\n# Wasps\n\nWasps do not.',
      }),
    );
    assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    assert.equal(document.chunkCount, 2);
    assert.deepEqual(await findChunkTexts(document.id), ['Bees make honey.', 'Wasps do not.']);
  });

  for (const name of ['manual.pdf', 'warranty.docx', 'prices.csv', 'care-shift-jis.html']) {
    itInSoak(`indexes ${name}`, async () => {
      const document = await waitForTerminalState(parley, await uploadFile(name));
      assert.equal(document.status, 'indexed', document.errorMessage ?? '');
      assert.equal((await findChunkTexts(document.id)).length, document.chunkCount);
      assert.ok(document.tokenCount > 0);
    });
  }

  itInSoak('indexes the readable pages of a PDF, and reports how many have no text', async () => {
    const document = await waitForTerminalState(parley, await uploadFile('half-scanned.pdf'));
    assert.deepEqual(
      [document.status, document.notice],
      [
        'indexed',
        '2 of 3 pages contain no text, perhaps because they are scans: Parley does not recognize text in pictures (PARLEY_OCR is off).',
      ],
    );
    assert.deepEqual(await findChunkTexts(document.id), ['The first page has words that can be read.']);
  });

  it('indexes a page, and stores it as the original', async () => {
    const port = await servers.http((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        '<html><head><title>Snails</title></head><body><main><p>Snails carry their house.</p></main></body></html>',
      );
    });
    const document = await waitForTerminalState(
      parley,
      await createSource({ source_type: 'url', url: `http://127.0.0.1:${port}/snails` }),
    );
    assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    assert.equal(document.title, 'Snails');
    assert.equal(document.mimeType, 'text/html');
    assert.ok(document.storageKey);
    assert.deepEqual(await findChunkTexts(document.id), ['Snails carry their house.']);
  });

  it('marks an unreadable document as failed, with a reason', async () => {
    const document = await waitForTerminalState(parley, await uploadFile('truncated.pdf'));
    assert.equal(document.status, 'failed');
    assert.equal(
      document.errorMessage,
      'The PDF is damaged: its end is missing. Save the file again in the program that created it, or download it again, and send the new file.',
    );
    assert.deepEqual(await findChunkTexts(document.id), []);
  });

  itInSoak('marks a page that returns 404 as failed at the first attempt', async () => {
    let requests = 0;
    const port = await servers.http((request, response) => {
      if (request.url !== '/robots.txt') requests += 1;
      response.writeHead(404).end();
    });
    const url = `http://127.0.0.1:${port}/gone`;
    const document = await waitForTerminalState(parley, await createSource({ source_type: 'url', url }));
    assert.equal(document.status, 'failed');
    assert.equal(document.errorMessage, `${url} responded with status 404.`);
    assert.equal(requests, 1);
  });

  it('fails a page that exceeds PARLEY_UPLOAD_MAX_BYTES, and names the setting', async () => {
    const port = await servers.http((_request, response) => {
      response.setHeader('content-type', 'text/plain').end(Buffer.alloc(25 * 1024 * 1024 + 1, 'text '));
    });
    const url = `http://127.0.0.1:${port}/huge`;
    const document = await waitForTerminalState(parley, await createSource({ source_type: 'url', url }));
    assert.deepEqual(
      [document.status, document.errorMessage],
      [
        'failed',
        `The response from 127.0.0.1:${port} exceeds the limit of 25 MB. An operator can raise PARLEY_UPLOAD_MAX_BYTES.`,
      ],
    );
  });

  itInSoak('retries a page that is temporarily unavailable', async () => {
    let requests = 0;
    const port = await servers.http((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      requests += 1;
      if (requests < 3) return void response.writeHead(503).end();
      response.setHeader('content-type', 'text/plain').end('Here I am.');
    });
    const url = `http://127.0.0.1:${port}/flaky`;
    const document = await waitForTerminalState(parley, await createSource({ source_type: 'url', url }));
    assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    assert.equal(requests, 3);
  });

  itInSoak('does not fetch a page that robots.txt disallows', async () => {
    const port = await servers.http((request, response) => {
      response.end(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /' : 'secret');
    });
    const url = `http://127.0.0.1:${port}/page`;
    const document = await waitForTerminalState(parley, await createSource({ source_type: 'url', url }));
    assert.equal(
      document.errorMessage,
      `The robots.txt of 127.0.0.1:${port} does not allow this page to be read.`,
    );
  });

  it('replaces the chunks when a page is indexed again, and keeps them if the indexing fails', async () => {
    let content: string | null = 'Version one.';
    const port = await servers.http((request, response) => {
      if (request.url === '/robots.txt' || content === null) return void response.writeHead(404).end();
      response.setHeader('content-type', 'text/plain').end(content);
    });
    const url = `http://127.0.0.1:${port}/page`;
    const { id } = await waitForTerminalState(parley, await createSource({ source_type: 'url', url }));
    assert.deepEqual(await findChunkTexts(id), ['Version one.']);
    content = 'Version two.';
    await reindexDocument(id);
    assert.equal((await waitForTerminalState(parley, id)).status, 'indexed');
    assert.deepEqual(await findChunkTexts(id), ['Version two.']);
    content = null;
    await reindexDocument(id);
    const failed = await waitForTerminalState(parley, id);
    assert.equal(failed.status, 'failed');
    assert.equal(
      failed.errorMessage,
      `${url} responded with status 404. The previous content stays searchable.`,
    );
    assert.deepEqual(await findChunkTexts(id), ['Version two.']);
  });

  itInSoak('counts a bot’s chunks exactly if documents are indexed concurrently', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, number) =>
        createSource({
          source_type: 'raw_text',
          raw_text: `# A\n\nBees ${number}.\n\n# B\n\nWasps ${number}.`,
        }),
      ),
    );
    for (const id of ids) await waitForTerminalState(parley, id);
    const [counts] = await parley.database.sql<{ counted: number; present: number }>(
      `SELECT b.indexed_chunk_count AS counted, (SELECT count(*)::int FROM chunks WHERE bot_id = b.id) AS present
       FROM bots b WHERE id = $1`,
      [botId],
    );
    assert.equal(counts?.counted, counts?.present);
    assert.ok(counts && counts.present >= 12);
  });

  itInSoak('stops if its document is deleted, and leaves no chunks or files', async () => {
    let isAsked = false;
    const port = await servers.http((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      isAsked = true; // Leave the request without a response.
    });
    const id = await createSource({ source_type: 'url', url: `http://127.0.0.1:${port}/slow` });
    await waitUntil(() => isAsked, 'the page to be asked for');
    await removeDocument(id);
    const handle = parley.temporal.workflow.getHandle(ingestWorkflowId(id, 1));
    await waitUntil(async () => (await handle.describe()).status.name === 'CANCELLED', 'the cancellation');
    await parley.temporal.workflow.getHandle(`delete-document/${id}`).result();
    assert.deepEqual(await findChunkTexts(id), []);
    const { home } = parley.runtime.settings;
    assert.equal(existsSync(join(home, 'files', org.orgId, botId, id)), false);
  });

  itInSoak('waits up to pageFetchMs for a page', async () => {
    let isAsked = false;
    const port = await servers.http((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      isAsked = true; // Leave the request without a response.
    });
    const id = await createSource({ source_type: 'url', url: `http://127.0.0.1:${port}/slow` });
    await waitUntil(() => isAsked, 'the page to be asked for');
    const impatient = await parley.startAnother({ pageFetchMs: 100 });
    try {
      await assert.rejects(
        impatient.runtime.services.knowledge.ingestion.fetchSource(getScope(), {
          botId,
          documentId: id,
          revision: 1,
        }),
        { kind: 'timeout' },
      );
    } finally {
      await impatient.stop();
      await removeDocument(id);
    }
  });

  itInSoak('removes the files of a deleted document', async () => {
    const { id, storageKey } = await waitForTerminalState(
      parley,
      await createSource({ source_type: 'raw_text', raw_text: 'Short-lived.' }),
    );
    const file = join(parley.runtime.settings.home, 'files', storageKey ?? '');
    assert.ok(existsSync(file));
    await removeDocument(id);
    await waitUntil(() => !existsSync(file), 'the file to be removed');
  });

  itInSoak('shows operators its state and summary', async () => {
    const { id } = await waitForTerminalState(
      parley,
      await createSource({ source_type: 'raw_text', raw_text: 'Bees.' }),
    );
    const handle = parley.temporal.workflow.getHandle(ingestWorkflowId(id, 1));
    assert.equal(await handle.result(), 'indexed');
    const description = await handle.describe();
    assert.equal(await description.staticSummary(), 'Index a text');
    assert.deepEqual(description.searchAttributes['IngestState'], ['indexed']);
  });

  const readHistory = async (documentId: string) => {
    const handle = parley.temporal.workflow.getHandle(ingestWorkflowId(documentId, 1));
    const result = await handle.result();
    const { events } = await handle.fetchHistory();
    return {
      result,
      tasks: events!.filter((event) => event.workflowTaskCompletedEventAttributes).length,
      activities: events!.flatMap(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
      ),
    };
  };

  for (const [what, build] of [
    ['a short text', () => createSource({ source_type: 'raw_text', raw_text: 'Ants.' })],
    ['a small file', () => uploadFile('care-shift-jis.html')],
  ] as const)
    itInSoak(`indexes ${what} without an activity`, async () => {
      const { id } = await waitForTerminalState(parley, await build());
      const { result, activities } = await readHistory(id);
      assert.deepEqual({ result, activities }, { result: 'indexed', activities: [] });
    });

  // Run this test only in soak: on a busy machine, slow local activities split the workflow task.
  itInSoak('indexes a small file within one workflow task', async () => {
    const { id } = await waitForTerminalState(parley, await uploadFile('care-shift-jis.html'));
    assert.equal((await readHistory(id)).tasks, 1);
  });

  itInSoak('indexes a large file in an activity', async () => {
    const { id } = await waitForTerminalState(
      parley,
      await uploadFile('large.txt', Buffer.from('Ants march. '.repeat(6000))),
    );
    const { result, activities } = await readHistory(id);
    assert.deepEqual([result, activities], ['indexed', ['indexDocument']]);
  });
});
