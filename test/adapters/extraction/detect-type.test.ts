import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { detectType, type TypeHint } from '../../../adapters/extraction/detect-type.ts';
import { AppError } from '../../../core/errors/errors.ts';
import { assertCpuBelow } from '../../support/cost.ts';
import { buildZip } from './build-zip.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

const accepted = 'Accepted formats: PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML, Markdown, plain text and CSV.';
const fixture = (name: string) => readFile(new URL(`../../fixtures/documents/${name}`, import.meta.url));
const text = (content: string) => Buffer.from(content, 'latin1');

const officeTypes = (mainPart: string) =>
  `<Types><Override PartName="/x.xml" ContentType="application/vnd.openxmlformats-officedocument.${mainPart}+xml"/></Types>`;

function refusal(content: Uint8Array, hint: TypeHint = {}): string {
  try {
    return `accepted as ${detectType(content, hint)}`;
  } catch (error) {
    assert(error instanceof AppError);
    assert.equal(error.code, 'unsupported_media_type');
    assert.equal(error.status, 415);
    return error.message;
  }
}

describe('detectType', () => {
  it('decides by the content, whatever the name says', async () => {
    assert.equal(detectType(await fixture('manual.pdf'), { filename: 'notes.txt' }), 'pdf');
    assert.equal(detectType(await fixture('warranty.docx'), { filename: 'warranty' }), 'docx');
    assert.equal(detectType(await fixture('encrypted.docx')), 'docx');
    assert.equal(detectType(text('<!-- hi -->\n<!DOCTYPE html><p>x'), { filename: 'page.txt' }), 'html');
    assert.equal(detectType(await fixture('notes-utf16.txt')), 'text');
  });

  it('decides between text types by the name', () => {
    const rows = text('a,b\n1,2\n');
    assert.equal(detectType(rows), 'text');
    assert.equal(detectType(rows, { filename: 'A.CSV' }), 'csv');
    assert.equal(
      detectType(rows, { filename: 'read.me', mimeType: 'text/markdown; charset=utf-8' }),
      'markdown',
    );
    assert.equal(detectType(rows, { mimeType: 'text/html' }), 'text');
    assert.equal(detectType(text('<p>Hello</p>'), { mimeType: 'text/html' }), 'html');
  });

  it('ignores NUL bytes in a page, as browsers do, but not in other text', () => {
    const padding = '\0'.repeat(900);
    const pages: [string, TypeHint][] = [
      [`<html><body><p>Boats</p>${padding}<p>Open</p>`, {}],
      [`${padding}<!doctype html><p>Boats</p>`, {}],
      [`<p>Bo\0ats</p>${padding}`, { filename: 'boats.html' }],
      [`<div>Boats</div>${padding}`, { mimeType: 'text/html; charset=utf-8' }],
    ];
    for (const [content, hint] of pages) assert.equal(detectType(text(content), hint), 'html');
    for (const content of [`Boats${padding}`, `<html>${'\x01'.repeat(90)}`])
      assert.equal(refusal(text(content)), `The file looks like a binary file. ${accepted}`);
  });

  it('decides by an archive’s own declaration, whatever its entries and their order', async () => {
    const within = { 'word/embeddings/prices.xlsx': await fixture('prices.xlsx') };
    const archives: [string, Buffer][] = [
      ['docx', buildZip({ ...within, '[Content_Types].xml': officeTypes('wordprocessingml.document.main') })],
      ['docx', buildZip({ 'word/document.xml': '<x/>', 'xl/workbook.xml': '<x/>' })],
      [
        'xlsx',
        buildZip({
          '[Content_Types].xml': officeTypes('ms-excel.sheet.macroEnabled.main'),
          'book/a.xml': '',
        }),
      ],
      ['xlsx', await fixture('prices.xlsx')],
      ['pptx', await fixture('safety.pptx')],
      ['pptx', buildZip({ '[Content_Types].xml': officeTypes('presentationml.slideshow.main') })],
      ['odt', await fixture('rental-terms.odt')],
      ['epub', await fixture('harbour.epub')],
      ['epub', buildZip({ 'META-INF/container.xml': '<x/>', 'word/a.xhtml': '' })],
    ];
    for (const [type, archive] of archives) assert.equal(detectType(archive), type);
    assert.equal(detectType((await fixture('safety.pptx')).subarray(0, 4096)), 'pptx');
    assert.equal(
      refusal(await fixture('prices.xlsx'), { filename: 'prices.docx' }),
      `The file is named or declared as a Word document (DOCX), but it contains an Excel workbook (XLSX). If the content is right, send the file with the extension .xlsx and the matching type. Otherwise, send the correct file.`,
    );
  });

  it('decides from the first 64 KiB', async () => {
    const content = await fixture('warranty.docx');
    assert.equal(detectType(content.subarray(0, 64 * 1024)), 'docx');
  });

  it('refuses a name that promises a PDF or DOCX if the content has another type', () => {
    assert.equal(
      refusal(text('<html><body>Please sign in'), { filename: 'a.pdf' }),
      `The file is named or declared as a PDF, but it contains an HTML page. If the content is right, send the file with the extension .html and the matching type. Otherwise, send the correct file.`,
    );
    assert.equal(
      refusal(text('%PDF-1.7\n'), { filename: 'a.docx' }),
      `The file is named or declared as a Word document (DOCX), but it contains a PDF. If the content is right, send the file with the extension .pdf and the matching type. Otherwise, send the correct file.`,
    );
  });

  it('names the detected type in its refusal', () => {
    const buildDeclared = (mediaType: string) => buildZip({ mimetype: mediaType });
    const container = (stream: string) =>
      Buffer.concat([text('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), Buffer.from(stream, 'utf16le')]);
    const refused: [string, Uint8Array][] = [
      ['a PNG image', text('\x89PNG\r\n\x1a\n')],
      ['an SVG image', text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>')],
      [
        'an SVG image',
        text('<?xml version="1.0"?>\n<!-- logo -->\n<!DOCTYPE svg PUBLIC "x" "y" [<!ENTITY z "z">]>\n<svg/>'),
      ],
      ['a ZIP archive', buildZip({ 'holiday.jpg': '' })],
      ['a ZIP archive', buildZip({ 'documents/word/document.xml': '' })],
      [
        'an OpenDocument spreadsheet (ODS); save it as XLSX',
        buildDeclared('application/vnd.oasis.opendocument.spreadsheet'),
      ],
      [
        'an OpenDocument presentation (ODP); save it as PPTX or PDF',
        buildDeclared('application/vnd.oasis.opendocument.presentation'),
      ],
      ['an OpenDocument file', buildDeclared('application/vnd.oasis.opendocument.graphics')],
      [
        'a binary Excel workbook (XLSB); save it as XLSX',
        buildZip({ '[Content_Types].xml': officeTypes('ms-excel.sheet.binary.macroEnabled.main') }),
      ],
      ['an old Word document (.doc); save it as DOCX or PDF', container('WordDocument')],
      ['an old Excel workbook (.xls); save it as XLSX', container('Workbook')],
      ['an old PowerPoint presentation (.ppt); save it as PPTX or PDF', container('PowerPoint Document')],
      ['an RTF document', text('{\\rtf1\\ansi')],
      ['a binary file', Buffer.from(Array.from({ length: 512 }, (_value, index) => index % 256))],
      [
        'an old Office file (such as .doc, .xls or .ppt); save it as DOCX, XLSX, PPTX or PDF',
        text('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
      ],
    ];
    for (const [what, content] of refused) {
      assert.equal(refusal(content), `The file looks like ${what}. ${accepted}`);
    }
  });

  it('refuses an empty file', () => {
    assert.throws(() => detectType(new Uint8Array()), {
      code: 'validation_error',
      message: 'file is empty; with curl, use -F file=@<path>',
    });
  });

  it('names the file in errors if its name is shown', () => {
    const shown = { shownName: 'notes.bin' };
    assert.throws(() => detectType(new Uint8Array(), shown), { message: 'file is empty (notes.bin)' });
    assert.throws(() => detectType(text('{\\rtf1\\ansi'), shown), {
      message: `The file notes.bin looks like an RTF document. ${accepted}`,
    });
    assert.throws(() => detectType(text('%PDF-1.7'), { ...shown, filename: 'notes.docx' }), {
      message: `The file notes.bin is named or declared as a Word document (DOCX), but it contains a PDF. If the content is right, send the file with the extension .pdf and the matching type. Otherwise, send the correct file.`,
    });
  });

  itInSoak('takes less than 0.5 s for many comments, tags or blanks', () => {
    for (const content of [
      '<!---->'.repeat(20_000),
      '<!--'.repeat(20_000),
      '<a '.repeat(30_000),
      ' '.repeat(90_000),
    ]) {
      assertCpuBelow(500, () => detectType(text(content), { filename: 'page.html' }), content.slice(0, 7));
    }
  });

  it('unpacks the list of content types of an archive once, even if its header repeats', () => {
    const name = '[Content_Types].xml';
    const header = Buffer.alloc(30);
    header.write('PK\x03\x04', 'latin1');
    header.writeUInt16LE(8, 6);
    header.writeUInt16LE(8, 8);
    header.writeUInt16LE(name.length, 26);
    const packed = deflateRawSync(Buffer.alloc(256 * 1024, 'a'));
    const archive = Buffer.concat(
      Array<Buffer[]>(3000)
        .fill([header, Buffer.from(name), packed])
        .flat(),
    );
    assertCpuBelow(200, () => assert.throws(() => detectType(archive), { code: 'unsupported_media_type' }));
  });
});
