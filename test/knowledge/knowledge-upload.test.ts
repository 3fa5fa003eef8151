import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { newId } from '../../core/ids.ts';
import {
  buildKnowledgeBase,
  findCommands,
  buildMultipartUpload,
  type MultipartBody,
} from '../support/knowledge.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { ReceivedResponse } from '../support/api-client.ts';
import type { BodyAt } from '../support/response-types.ts';
import type { Problem } from '../../api/http/problems/problem.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const readFixture = (name: string) => readFile(join(import.meta.dirname, '../fixtures/documents', name));

type Uploaded = BodyAt<'POST', '/api/bots/{}/knowledge/upload'>;

describe('uploadDocument', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ PARLEY_UPLOAD_MAX_BYTES: String(MAX_BYTES) });
  });
  after(() => parley.stop());

  async function buildBot() {
    const base = await buildKnowledgeBase(parley);
    const upload = async (
      form: { headers: object; body: NonNullable<RequestInit['body']> },
      init: object = {},
    ) => {
      const response = await base.client.fetch(`${base.path}/upload`, {
        method: 'POST',
        headers: form.headers as Record<string, string>,
        body: form.body,
        ...init,
      });
      return new ReceivedResponse(response, (await response.json()) as Uploaded);
    };
    const uploadFile = (...form: Parameters<typeof buildMultipartUpload>) =>
      upload(toFetchBody(buildMultipartUpload(...form)));
    return { ...base, upload, uploadFile };
  }

  const toFetchBody = ({ headers, body }: MultipartBody) => ({ headers, body: new Uint8Array(body) });
  const filesFolder = () => join(parley.runtime.settings.home, 'files');
  const findRow = (id: string) => parley.database.repository(Document).findOneByOrFail({ id });

  /** Asserts that the bot has no document, outbox command or stored file, not even an unfinished one. */
  async function assertNothingLeft({ orgId, botId }: { orgId: string; botId: string }) {
    assert.equal(await parley.database.repository(Document).countBy({ botId }), 0);
    assert.deepEqual(await findCommands(parley.database, orgId), []);
    const kept = await readdir(join(filesFolder(), orgId, botId), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    assert.deepEqual(
      kept.filter((entry) => entry.isFile()),
      [],
    );
    if (existsSync(join(filesFolder(), '.incoming')))
      assert.deepEqual(await readdir(join(filesFolder(), '.incoming')), []);
  }

  it('stores the file unchanged and starts to index it', async () => {
    const { uploadFile, orgId, botId } = await buildBot();
    const pdf = await readFixture('manual.pdf');
    const { status, body } = await uploadFile('Manual.pdf', pdf);
    assert.equal(status, 201);
    const { id, created_at: _created, updated_at: _updated, ...rest } = body;
    assert.deepEqual(rest, {
      source_type: 'file',
      title: 'Manual.pdf',
      status: 'pending',
      chunk_count: 0,
      token_count: 0,
      embedding_model: null,
      is_qa: false,
      encoding: null,
      parent_id: null,
      refresh: 'none',
      error_message: null,
      mime_type: 'application/pdf',
      size_bytes: pdf.length,
      source_url: null,
      tags: [],
    });
    const row = await findRow(id);
    assert.equal(row.storageKey, `${orgId}/${botId}/${id}/1/original`);
    assert.equal(row.filename, 'Manual.pdf');
    assert.deepEqual(await readFile(join(filesFolder(), row.storageKey)), pdf);
    assert.deepEqual(
      (await findCommands(parley.database, orgId)).map(({ name, payload }) => [name, payload['workflowId']]),
      [['ingestDocument', `ingest/${id}/1`]],
    );
  });

  for (const [name, mimeType] of [
    ['warranty.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['prices.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['safety.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    ['rental-terms.odt', 'application/vnd.oasis.opendocument.text'],
    ['harbour.epub', 'application/epub+zip'],
    ['faq.md', 'text/markdown'],
    ['prices.csv', 'text/csv'],
    ['notes-utf16.txt', 'text/plain'],
    ['care-shift-jis.html', 'text/html'],
  ] as const) {
    it(`accepts ${name}`, async () => {
      const { uploadFile } = await buildBot();
      const { status, body } = await uploadFile(name, await readFixture(name));
      assert.deepEqual([status, body.mime_type], [201, mimeType]);
    });
  }

  it('accepts the title before or after the file', async () => {
    const { uploadFile } = await buildBot();
    const before = await uploadFile('a.txt', 'text', { before: { title: ' Before ' } });
    const after = await uploadFile('a.txt', 'text', { after: { title: 'After' } });
    assert.deepEqual([before.body.title, after.body.title], ['Before', 'After']);
  });

  it('stores the encoding, even of a PDF, and refuses an unknown encoding', async () => {
    const { uploadFile, orgId, botId } = await buildBot();
    const refused = await uploadFile('a.txt', 'text', { after: { encoding: 'klingon' } });
    assert.equal(formatOutcome(refused), '422 validation_error');
    assert.deepEqual(
      (refused.body as unknown as Problem).details.map(({ field }) => field),
      ['encoding'],
    );
    await assertNothingLeft({ orgId, botId });
    const before = await uploadFile('a.txt', 'text', { before: { encoding: 'Shift-JIS' } });
    const empty = await uploadFile('a.txt', 'text', { after: { encoding: '' } });
    const pdf = await uploadFile('a.pdf', await readFixture('manual.pdf'), { after: { encoding: 'gbk' } });
    assert.deepEqual(
      [before, empty, pdf].map(({ status, body }) => [status, body.encoding]),
      [
        [201, 'shift_jis'],
        [201, null],
        [201, 'gb18030'],
      ],
    );
  });

  it('accepts a form that fetch encodes', async () => {
    const { client, path } = await buildBot();
    const form = new FormData();
    form.set('file', new Blob(['text'], { type: 'text/plain' }), 'Größe 🚲.txt');
    form.set('title', 'Größe');
    const response = await client.fetch(`${path}/upload`, { method: 'POST', body: form });
    const body = (await response.json()) as Uploaded;
    assert.deepEqual([response.status, body.title], [201, 'Größe']);
    assert.equal((await findRow(body.id)).filename, 'Größe 🚲.txt');
  });

  for (const [sent, kept] of [
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\\\Users\\\\me\\\\notes.txt', 'notes.txt'],
    ['say \\"hi\\".txt', 'say "hi".txt'],
    ['line%0D%0Abreak.txt', 'line%0D%0Abreak.txt'],
    ['bicycle 🚲 велосипед.txt', 'bicycle 🚲 велосипед.txt'],
    ['..', 'document'],
    ['', 'document'],
    [`${'я'.repeat(200)}.txt`, `${'я'.repeat(125)}.txt`],
    ['gpj\u202etxt.exe', 'gpjtxt.exe'],
  ] as const) {
    it(`stores the name ${JSON.stringify(sent).slice(0, 30)} as ${JSON.stringify(kept).slice(0, 30)}`, async () => {
      const { uploadFile, orgId, botId } = await buildBot();
      const { status, body } = await uploadFile(sent, 'plain text');
      assert.equal(status, 201);
      const row = await findRow(body.id);
      assert.equal(row.filename, kept);
      assert.equal(row.storageKey, `${orgId}/${botId}/${body.id}/1/original`);
    });
  }

  const accepted = 'Accepted formats: PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML, Markdown, plain text and CSV.';
  const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  for (const [what, name, content, message] of [
    ['a PNG', 'image.png', png, `The file image.png looks like a PNG image. ${accepted}`],
    ['an image named PDF', 'x.pdf', png, `The file x.pdf looks like a PNG image. ${accepted}`],
    [
      'text named PDF',
      'x.pdf',
      Buffer.from('Dear all'),
      'The file x.pdf is named or declared as a PDF, but it contains plain text. If the content is right, send the file with the extension .txt and the matching type. Otherwise, send the correct file.',
    ],
    ['random bytes', 'x.txt', randomBytes(100_000), `The file x.txt looks like a binary file. ${accepted}`],
    [
      'many random bytes',
      'x.bin',
      randomBytes(3_000_000),
      `The file x.bin looks like a binary file. ${accepted}`,
    ],
  ] as const) {
    it(`refuses ${what}, names its type and what to send, and stores nothing`, async () => {
      const bot = await buildBot();
      const { status, body, problem } = await bot.uploadFile(name, content);
      assert.equal(formatOutcome({ status, body }), '415 unsupported_media_type');
      assert.equal(problem.error.message, message);
      await assertNothingLeft(bot);
    });
  }

  it('refuses an empty file', async () => {
    const bot = await buildBot();
    const { status, problem } = await bot.uploadFile('empty.pdf', '');
    assert.deepEqual([status, problem.error.message], [422, 'file is empty (empty.pdf)']);
    await assertNothingLeft(bot);
  });

  it('refuses a form without a file, a long title, and unknown fields', async () => {
    const bot = await buildBot();
    const form = new FormData();
    form.set('title', 'No file');
    const response = await bot.client.fetch(`${bot.path}/upload`, { method: 'POST', body: form });
    assert.equal(response.status, 422);
    for (const where of ['before', 'after']) {
      const long = await bot.uploadFile('a.txt', 'text', { [where]: { title: 'x'.repeat(501) } });
      assert.deepEqual([long.status, long.problem.details[0]?.field], [422, 'title']);
      const unknown = await bot.uploadFile('a.txt', 'text', { [where]: { colour: 'red' } });
      assert.deepEqual([unknown.status, unknown.problem.details[0]?.field], [422, 'colour']);
    }
    await assertNothingLeft(bot);
  });

  it('refuses a form with a second file, whatever its name', async () => {
    const bot = await buildBot();
    for (const names of [
      ['file', 'file'],
      ['file', 'other'],
      ['other', 'file'],
    ]) {
      const form = new FormData();
      for (const name of names) form.append(name, new File(['text'], `${name}.txt`));
      const response = await bot.client.fetch(`${bot.path}/upload`, { method: 'POST', body: form });
      const { details } = (await response.json()) as Problem;
      assert.equal(response.status, 422);
      assert.deepEqual([details[0]?.field, details[0]?.message], ['file', 'must be the only file']);
    }
    await assertNothingLeft(bot);
  });

  it('refuses a file in a field with another name, and names the field file', async () => {
    const bot = await buildBot();
    const form = new FormData();
    form.set('document', new File(['text'], 'a.txt'));
    const response = await bot.client.fetch(`${bot.path}/upload`, { method: 'POST', body: form });
    const { error } = (await response.json()) as Problem;
    assert.deepEqual(
      [response.status, error.message],
      [422, '2 fields are not valid: file is required; document is not a known field (did you mean file?)'],
    );
    await assertNothingLeft(bot);
  });

  it('refuses a file that was sent as text, and shows how to send it with curl', async () => {
    const bot = await buildBot();
    const form = new FormData();
    form.set('file', '/tmp/b.md');
    const response = await bot.client.fetch(`${bot.path}/upload`, { method: 'POST', body: form });
    const { error } = (await response.json()) as Problem;
    assert.deepEqual(
      [response.status, error.message],
      [422, 'file was sent as text, not as a file; with curl, write -F file=@<path>'],
    );
    await assertNothingLeft(bot);
  });

  it('refuses a body that is not a form', async () => {
    const bot = await buildBot();
    const { status } = await bot.upload({ headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7' });
    assert.equal(status, 415);
    await assertNothingLeft(bot);
  });

  it('refuses another workspace’s bot and an unknown bot', async () => {
    const bot = await buildBot();
    const stranger = await buildBot();
    const form = toFetchBody(buildMultipartUpload('a.txt', Buffer.alloc(3_000_000, 'text ')));
    const sendForm = (path: string) => stranger.client.fetch(path, { method: 'POST', ...form });
    assert.equal((await sendForm(`${bot.path}/upload`)).status, 403);
    assert.equal((await sendForm(`/api/bots/${newId()}/knowledge/upload`)).status, 404);
    await assertNothingLeft(bot);
  });

  it('accepts exactly PARLEY_UPLOAD_MAX_BYTES', async () => {
    const { uploadFile } = await buildBot();
    const { status, body } = await uploadFile('large.txt', Buffer.alloc(MAX_BYTES, 'text '));
    assert.deepEqual([status, body.size_bytes], [201, MAX_BYTES]);
  });

  it('refuses one byte more, with or without a content-length', async () => {
    const bot = await buildBot();
    const form = buildMultipartUpload('large.txt', Buffer.alloc(MAX_BYTES + 1, 'text '));
    const announced = await bot.upload(toFetchBody(form));
    assert.equal(formatOutcome(announced), '413 payload_too_large');
    assert.equal(
      announced.problem.error.message,
      'The file exceeds 4 MB. Send a smaller file, or have the operator raise PARLEY_UPLOAD_MAX_BYTES.',
    );
    await assertNothingLeft(bot);
    const body = Readable.toWeb(Readable.from(splitText(form.body))) as ReadableStream;
    const chunked = await bot.upload({ headers: form.headers, body }, { duplex: 'half' });
    assert.equal(formatOutcome(chunked), '413 payload_too_large');
    await assertNothingLeft(bot);
  });

  itInSoak('refuses twice the size, with or without a content-length', async () => {
    const bot = await buildBot();
    const form = buildMultipartUpload('huge.txt', Buffer.alloc(2 * MAX_BYTES, 'text '));
    const announced = await bot.upload(toFetchBody(form));
    assert.equal(announced.status, 413);
    const body = Readable.toWeb(Readable.from(splitText(form.body))) as ReadableStream;
    const chunked = await bot.upload({ headers: form.headers, body }, { duplex: 'half' });
    assert.equal(chunked.status, 413);
    await assertNothingLeft(bot);
  });

  itInSoak('stores nothing if the sender disconnects during the upload', async () => {
    const bot = await buildBot();
    const { headers, body } = buildMultipartUpload('half.txt', Buffer.alloc(4_000_000, 'text '));
    const socket = openRequest(bot.key, `${bot.path}/upload`, {
      ...headers,
      'content-length': String(body.length),
    });
    socket.write(body.subarray(0, 2_000_000));
    await waitForIncoming();
    socket.destroy();
    await waitForNoIncoming();
    await assertNothingLeft(bot);
    assert.equal((await bot.uploadFile('next.txt', 'text')).status, 201);
  });

  itInSoak('stores nothing if the form ends after its file', async () => {
    const bot = await buildBot();
    const { headers, body } = buildMultipartUpload('half.txt', 'text', { after: { title: 'Never' } });
    const cut = body.indexOf('Never');
    const socket = openRequest(bot.key, `${bot.path}/upload`, { ...headers, 'content-length': String(cut) });
    socket.write(body.subarray(0, cut));
    const response = await text(socket);
    assert.match(response, /^HTTP\/1\.1 422 /);
    assert.match(response, /not complete/);
    await assertNothingLeft(bot);
  });

  it('stores nothing if the document cannot be inserted', async () => {
    const bot = await buildBot();
    await parley.database.sql(`
      CREATE FUNCTION fail_for_test() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN IF NEW.org_id = ''${bot.orgId}'' THEN RAISE EXCEPTION ''no''; END IF; RETURN NEW; END'`);
    await parley.database.sql(
      'CREATE TRIGGER fail_for_test BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION fail_for_test()',
    );
    const { status, body } = await bot.uploadFile('a.txt', 'text');
    assert.equal(formatOutcome({ status, body }), '500 internal_error');
    const raw = await bot.client.post(bot.path, { source_type: 'raw_text', raw_text: 'text' });
    assert.equal(raw.status, 500);
    await assertNothingLeft(bot);
  });

  function openRequest(key: string, path: string, headers: Record<string, string>): Socket {
    const { port, host } = new URL(parley.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    const lines = Object.entries({ host, authorization: `Bearer ${key}`, connection: 'close', ...headers });
    socket.write(
      `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    return socket;
  }

  const listIncoming = async () =>
    existsSync(join(filesFolder(), '.incoming')) ? await readdir(join(filesFolder(), '.incoming')) : [];
  const waitForIncoming = async () => {
    while ((await listIncoming()).length === 0) await sleep(10);
  };
  const waitForNoIncoming = async () => {
    while ((await listIncoming()).length > 0) await sleep(10);
  };
});

function* splitText(body: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += 65_536) yield new Uint8Array(body.subarray(at, at + 65_536));
}
