import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { buildZip } from '../adapters/extraction/build-zip.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const MB = 1024 * 1024;
/**
 * Maximum memory in MB of the process that reads documents. Two threads may take 400 MB each, and V8 takes
 * the rest. Before the limit of threads, each document took 230 MB more.
 */
const MAX_MB = 1300;

/**
 * Program that reads documents in several threads, one after another in each. Prints each outcome and the
 * process's highest memory.
 */
const PROGRAM = `
  import { readFileSync } from 'node:fs';
  const [, module, mimeType, threads, ...files] = process.argv;
  const { extractAndChunk } = await import(module);
  let most = 0;
  setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20).unref();
  const read = async (filename) => {
    const source = { bytes: new Uint8Array(readFileSync(filename)), mimeType, filename };
    return extractAndChunk(source, () => {}, { timeoutMs: 10_000, payerId: 'payer' }).then(() => 'read', ({ reason }) => reason);
  };
  const reasons = [];
  await Promise.all(Array.from({ length: Number(threads) }, async (_, thread) => {
    for (let at = thread; at < files.length; at += Number(threads)) reasons[at] = await read(files[at]);
  }));
  console.log(JSON.stringify({ reasons, megabytes: Math.round(most / 1024 / 1024) }));
  process.exit();
`;

/** Reads documents with `PROGRAM` in a separate process. */
async function readFiles(
  mimeType: string,
  threads: number,
  files: readonly string[],
): Promise<{ reasons: string[]; megabytes: number }> {
  const module = new URL('dist/services/knowledge/ingestion/extract-and-chunk.js', projectRoot()).href;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, module, mimeType, String(threads), ...files],
    { env: { ...process.env, MALLOC_ARENA_MAX: '2' } },
  );
  return JSON.parse(stdout) as { reasons: string[]; megabytes: number };
}

/** Builds a PDF of a few kilobytes whose page decompresses to `sizeBytes`. */
function buildBomb(sizeBytes: number): Buffer {
  return buildPdf(Buffer.alloc(sizeBytes, ' '));
}

/** Builds a PDF whose page shows a single string, for which the reader fills a long array. */
function buildLongString(length: number): Buffer {
  return buildPdf(
    Buffer.concat([Buffer.from('BT /F 12 Tf ('), Buffer.alloc(length, 'a'), Buffer.from(') Tj ET')]),
  );
}

function buildPdf(text: Buffer): Buffer {
  const content = deflateSync(deflateSync(text));
  const head = [
    '%PDF-1.7',
    '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
    '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
    '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>> endobj',
    '5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj',
    `4 0 obj <</Length ${content.length} /Filter [/FlateDecode /FlateDecode]>> stream\n`,
  ].join('\n');
  const tail = '\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF';
  return Buffer.concat([Buffer.from(head), content, Buffer.from(tail)]);
}

/** Builds an EPUB book of a hundred kilobytes whose chapter has more than a million self-closing elements. */
function buildBookBomb(): Buffer {
  const chapter = `<html><body>${'<div/>'.repeat(1_400_000)}${randomBytes(75_000).toString('hex')}</body></html>`;
  return buildZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    'a.opf':
      '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': chapter,
  });
}

describe('a process that reads decompression bombs', () => {
  for (const [what, name, mimeType, build, reason] of [
    ['PDFs', 'bomb.pdf', 'application/pdf', () => buildBomb(1500 * MB), 'out_of_memory'],
    [
      'PDFs with a long string',
      'string.pdf',
      'application/pdf',
      () => buildLongString(100 * MB),
      'out_of_memory',
    ],
    ['EPUB books', 'bomb.epub', 'application/epub+zip', buildBookBomb, 'too_large'],
  ] as const)
    it(`fails each of ten ${what} with ${reason}, and never takes more than ${MAX_MB} MB`, async () => {
      const file = join(makeTemporaryFolder(), name);
      await writeFile(file, build());
      const { reasons, megabytes } = await readFiles(mimeType, 2, Array<string>(10).fill(file));
      assert.deepEqual(reasons, Array(10).fill(reason));
      assert.ok(megabytes < MAX_MB, `${megabytes} MB`);
    });

  it(`reads ordinary PDFs beside hostile ones, and never takes more than ${MAX_MB} MB`, async () => {
    const folder = makeTemporaryFolder();
    const [ordinary, hostile] = [join(folder, 'ordinary.pdf'), join(folder, 'hostile.pdf')];
    await writeFile(ordinary, buildPdf(Buffer.from('BT /F 12 Tf (A day pass costs 12 euros.) Tj ET')));
    await writeFile(hostile, buildLongString(90 * MB));
    const files = [hostile, hostile, ordinary, hostile, ordinary, hostile, ordinary, hostile, hostile];
    const { reasons, megabytes } = await readFiles('application/pdf', 3, files);
    assert.deepEqual(
      reasons,
      files.map((file) => (file === ordinary ? 'read' : 'out_of_memory')),
    );
    assert.ok(megabytes < MAX_MB, `${megabytes} MB`);
  });
});
