import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { hasMacros, zipType } from '../../../adapters/extraction/zip-type.ts';
import { assertCpuBelow } from '../../support/cost.ts';

const MACROS = '<Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/>';
const DOCUMENT = '<Override ContentType="application/vnd.ms-word.document"/>';
const TEN_MB = 10 * 1024 * 1024;

/** Builds an entry of a ZIP archive with its local header (APPNOTE.TXT, 4.3.7). */
function buildFile(name: string, content: Buffer | string, { method = 8, flags = 0 } = {}): Buffer {
  const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content);
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name), packed]);
}

const buildDocument = (types: string, before: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([before, buildFile('[Content_Types].xml', types)]);

describe('hasMacros', () => {
  for (const [what, bytes, expected] of [
    ['a document', buildDocument(DOCUMENT), false],
    ['a document without a list of content types', buildFile('word/document.xml', '<w/>'), false],
    ['a document with macros', buildDocument(MACROS), true],
    ['a part with a project of macros', buildFile('word/vbaProject.bin', 'VBA'), true],
    [
      'a list of content types after the first MiB',
      buildDocument(MACROS, buildFile('word/a.bin', Buffer.alloc(2 * 1024 * 1024), { method: 0 })),
      true,
    ],
    ['an unreadable list of content types', buildDocument(' '.repeat(300 * 1024) + MACROS), true],
    [
      'a list of content types after many names of it',
      buildDocument(MACROS, Buffer.from('[Content_Types].xml'.repeat(100))),
      true,
    ],
  ] as const)
    it(`returns ${expected} for ${what}`, () => assert.equal(hasMacros(bytes), expected));
});

describe('zipType and hasMacros', () => {
  const open = buildFile('word/document.xml', '', { method: 0, flags: 8 });
  const longName = buildFile('\xc3'.repeat(32_000), '', { method: 0, flags: 8 });
  for (const [what, bytes] of [
    ['of a P repeated', Buffer.concat([open, Buffer.alloc(TEN_MB, 'P')])],
    ['of files with names of 64,000 bytes', Buffer.concat([open, ...Array(160).fill(longName)])],
    [
      'of the name of content types repeated',
      Buffer.concat([open, Buffer.alloc(TEN_MB, '[Content_Types].xm')]),
    ],
  ] as const)
    it(`examine 10 MB ${what} in a few milliseconds`, () => {
      assert.deepEqual(zipType(bytes), { type: 'docx' });
      assertCpuBelow(50, () => (zipType(bytes), hasMacros(bytes)), what);
    });
});
