import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { newId } from '../../core/ids.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { buildZip } from '../adapters/extraction/build-zip.ts';
import { buildPng, buildPngChunk } from '../support/images.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { upload } from './files-support.ts';

const SCRIPT = '<script>alert(1)</script>';

/** Builds a small PNG that declares more pixels than it contains. */
function buildPixelBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    buildPngChunk('IHDR', header),
    buildPngChunk('IDAT', deflateSync(Buffer.alloc(64))),
    buildPngChunk('IEND'),
  ]);
}

const REFUSED: [title: string, content: Buffer | string, name: string, outcome: string][] = [
  [
    'an SVG image named as PNG',
    `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`,
    'a.png',
    '415 unsupported_media_type',
  ],
  ['an HTML page named as text', `<!doctype html><body>${SCRIPT}`, 'a.txt', '415 unsupported_media_type'],
  [
    'a page in UTF-16',
    Buffer.from(`\ufeff<html>${SCRIPT}`, 'utf16le'),
    'a.txt',
    '415 unsupported_media_type',
  ],
  ['an image of 900 million pixels', buildPixelBomb(30_000, 30_000), 'a.png', '422 validation_error'],
  ['a truncated image', buildPng(64, 64).subarray(0, 60), 'a.png', '422 validation_error'],
  ['a file of 0 bytes', '', 'a.txt', '422 validation_error'],
  [
    'a program',
    Buffer.from('MZ\x90\0\x03'.padEnd(200, '\0'), 'latin1'),
    'a.pdf',
    '415 unsupported_media_type',
  ],
  [
    'a ZIP archive',
    Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'),
    'a.docx',
    '415 unsupported_media_type',
  ],
  [
    'a document with macros named as one without',
    buildZip({
      '[Content_Types].xml':
        '<Types><Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>',
    }),
    'a.docx',
    '415 unsupported_media_type',
  ],
  [
    'a workbook with a part of macros',
    buildZip({ 'xl/workbook.xml': '<x/>', 'xl/vbaProject.bin': 'VBA' }),
    'a.xlsx',
    '415 unsupported_media_type',
  ],
  ['a file of more than 10 MB', 'a'.repeat(10 * 1024 * 1024 + 1), 'a.txt', '413 payload_too_large'],
];

describe('hostile files of visitors:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function build() {
    const visit = await buildSession(parley, {
      widget_theme: { files: 'all' },
      handoff_enabled: true,
    });
    const path = `/api/ext/public/sessions/${visit.session.session_id}/files` as const;
    const add = (content: Uint8Array | string, name: string, fields: Record<string, string> = {}) =>
      upload(visit.visitor, path, content, { client_id: newId(), name, ...fields });
    return { ...visit, path, add, listOwn: async () => (await visit.visitor.get(path)).body };
  }

  /** Begins an upload from another network address, and does not finish it. */
  function beginUpload(path: string, token: string): ClientRequest {
    const slow = request(new URL(path, parley.baseUrl), {
      method: 'POST',
      localAddress: '127.0.0.2',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'multipart/form-data; boundary=b',
        Expect: '100-continue',
      },
    });
    slow.on('error', () => {});
    slow.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe brake');
    return slow;
  }

  const open = (url: string) => parley.client().fetch(new URL(url).pathname);

  it('uploadWidgetFile refuses files that are not what they seem, and stores none of them', async () => {
    const { add, listOwn } = await build();
    for (const [title, content, name, outcome] of REFUSED)
      assert.equal(formatOutcome(await add(content, name)), outcome, title);
    assert.deepEqual(await listOwn(), []);
  });

  it('uploadWidgetFile stores only the picture of an image that is followed by a script', async () => {
    const { add } = await build();
    const { body } = await add(Buffer.concat([buildPng(8, 8), Buffer.from(SCRIPT)]), 'a.html');
    assert.deepEqual([body.name, body.mime_type], ['a.html.png', 'image/png']);
    const served = Buffer.from(await (await open(body.url)).arrayBuffer());
    assert.equal(served.includes(SCRIPT), false);
    assert.equal((await sharp(served).metadata()).width, 8);
  });

  it('uploadWidgetFile refuses an animation with too many pixels in all its frames', async () => {
    const { add } = await build();
    const frame = { width: 1024, height: 1024, channels: 3, background: '#123456' } as const;
    const frames = await Promise.all(
      Array.from({ length: 15 }, (_, at) =>
        sharp({ create: { ...frame, background: { r: at * 17, g: 0, b: 0 } } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const { status, problem } = await add(animation, 'a.webp');
    assert.equal(status, 422);
    assert.equal(
      problem.details[0]!.message,
      'has 15728640 pixels; the maximum is 15000000, counting all 15 frames of the animation',
    );
  });

  it('uploadWidgetFile cleans names, and adds an extension that fits the content', async () => {
    const { add } = await build();
    const [clientId, long] = [newId(), 'n'.repeat(300)];
    for (const [name, expected] of [
      ['../../etc/passwd', 'passwd.txt'],
      ['invoice\u202efdp.exe', 'invoicefdp.exe.txt'],
      ['a\u0007b\u0085.txt', 'ab.txt'],
      [`${long}.txt`, `${long.slice(0, 251)}.txt`],
      ['run.js', 'run.js.txt'],
    ] as const) {
      const { status, body } = await add('alert(1)', name, { client_id: clientId });
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(body.name, expected);
      const { headers } = await open(body.url);
      assert.match(headers.get('content-type')!, /^text\/plain/);
      assert.match(headers.get('content-disposition')!, /^attachment; /);
    }
  });

  it('uploadWidgetFile takes a file while another address begins 24 uploads that do not end', async () => {
    const { add, path, session } = await build();
    const uploads = Array.from({ length: 24 }, () => beginUpload(path, session.visitor_token));
    try {
      await Promise.all(uploads.map((slow) => once(slow, 'continue')));
      assert.equal(formatOutcome(await add('The brake squeals.', 'a.txt')), '201');
    } finally {
      for (const slow of uploads) slow.destroy();
    }
  });

  it('uploadWidgetFile and sendConversationFile refuse the 201st file of a day without a paid plan', async () => {
    const { add, orgId, client, visitor, session } = await build();
    await visitor.post(`/api/public/sessions/${session.session_id}/handoff`, {});
    const { database } = parley;
    await database.repository(Org).update({ id: orgId }, { planTier: 'free' });
    const send = () =>
      upload(client, `/api/ext/conversations/${session.session_id}/files`, 'a', { name: 'a.txt' });
    const attempts = { 'agent-files': send, 'visitor-files': () => add('a', 'a.txt') };
    for (const [name, attempt] of Object.entries(attempts)) {
      assert.equal(formatOutcome(await attempt()), '201', name);
      await database.repository(RateWindow).update({ key: `${name}:payer:${orgId}` }, { used: 200 });
      assert.equal(formatOutcome(await attempt()), '429 rate_limited', name);
      await database.repository(Org).update({ id: orgId }, { planTier: 'starter' });
      assert.equal(formatOutcome(await attempt()), '201', name);
      await database.repository(Org).update({ id: orgId }, { planTier: 'free' });
    }
  });

  it('uploadWidgetFile refuses ended sessions, other sessions and missing fields', async () => {
    const { visitor, add, path, session } = await build();
    const other = await build();
    assert.equal(formatOutcome(await upload(other.visitor, path, 'a', { client_id: 'c' })), '403 forbidden');
    assert.equal(formatOutcome(await upload(visitor, path, 'a', { name: 'a.txt' })), '422 validation_error');
    await visitor.post(`/api/public/sessions/${session.session_id}/end`, {});
    assert.equal(formatOutcome(await add('a', 'a.txt')), '409 conflict');
  });

  it('downloadConversationFile refuses tampered, expired and foreign links', async () => {
    const { add } = await build();
    const { body } = await add('The brake squeals.', 'a.txt');
    const token = new URL(body.url).pathname.split('/').at(-1)!;
    const { keyring } = parley.runtime;
    const payload = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as object;
    for (const changed of [
      `${token.slice(0, -2)}AA`,
      keyring.sign('conversation-file', { ...payload, expires_at: Date.now() - 1 }),
      keyring.sign('file-link', payload),
      keyring.sign('conversation-file', { ...payload, org_id: newId() }),
      'a.b',
    ])
      assert.equal((await open(`http://x/api/ext/files/${changed}`)).status, 404, changed);
    assert.equal((await open(body.url)).status, 200);
  });
});
