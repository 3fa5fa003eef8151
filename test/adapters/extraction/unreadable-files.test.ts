import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { extractDocument } from '../../../adapters/extraction/extract.ts';
import { buildZip } from './build-zip.ts';
import { extractBytes, fixturePath } from './extraction-support.ts';

describe('extractDocument of an unreadable file', () => {
  const fixture = (name: string) => readFile(fixturePath(name));
  const saveAgain =
    'Save the file again in the program that created it, or download it again, and send the new file.';
  const isCut = `is damaged: its end is missing. ${saveAgain}`;
  const removePassword = 'is protected by a password. Remove the file’s password, then send the file again.';
  const accepted = 'Accepted formats: PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML, Markdown, plain text and CSV.';
  const otherwise = 'Otherwise, send the correct file.';
  const noText = 'contains no text. Parley reads text in pictures only in PDFs. Send a file with text.';
  const cut = async (name: string) => {
    const bytes = await fixture(name);
    return bytes.subarray(0, Math.floor(bytes.length * 0.7));
  };
  const cases: [name: string, content: () => Promise<Buffer> | Buffer, message: string][] = [
    ['cut.pdf', () => fixture('truncated.pdf'), `The PDF ${isCut}`],
    ['noise.pdf', () => Buffer.from('%PDF-1.7 nonsense %%EOF'), `The PDF is damaged. ${saveAgain}`],
    ['cut.docx', () => cut('warranty.docx'), `The Word document ${isCut}`],
    ['cut.xlsx', () => cut('prices.xlsx'), `The Excel workbook ${isCut}`],
    ['cut.pptx', () => cut('safety.pptx'), `The PowerPoint presentation ${isCut}`],
    ['cut.odt', () => cut('rental-terms.odt'), `The OpenDocument text ${isCut}`],
    ['cut.epub', () => cut('harbour.epub'), `The EPUB book ${isCut}`],
    ['locked.pdf', () => fixture('encrypted.pdf'), `The PDF ${removePassword}`],
    ['locked.docx', () => fixture('encrypted.docx'), `The Word document ${removePassword}`],
    [
      'empty.pdf',
      () => Buffer.alloc(0),
      'The file is empty. Check that the file was saved completely, and send it again.',
    ],
    ['empty.html', () => Buffer.from('<html><body></body></html>'), `The HTML page ${noText}`],
    [
      'other.docx',
      () => fixture('manual.pdf'),
      `The file is named or declared as a Word document (DOCX), but it contains a PDF. If the content is right, send the file with the extension .pdf and the matching type. ${otherwise}`,
    ],
    [
      'text.pdf',
      () => Buffer.from('Dear all'),
      `The file is named or declared as a PDF, but it contains plain text. If the content is right, send the file with the extension .txt and the matching type. ${otherwise}`,
    ],
    [
      'photo.png',
      () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      `The file looks like a PNG image. ${accepted}`,
    ],
    [
      'photo.jpg',
      () => Buffer.from('\xff\xd8\xff\xe0', 'latin1'),
      `The file looks like a JPEG image. ${accepted}`,
    ],
    ['files.zip', () => buildZip({ 'a.txt': 'Dear all' }), `The file looks like a ZIP archive. ${accepted}`],
  ];

  it('throws an error that names the fault and the remedy in plain words', async () => {
    const messages: [string, string][] = [];
    for (const [name, content] of cases) {
      const text = await extractBytes(await content(), name).then(
        ({ sections }) => JSON.stringify(sections),
        (error: unknown) => (error as Error).message,
      );
      messages.push([name, text]);
    }
    assert.deepEqual(
      messages,
      cases.map(([name, , message]) => [name, message]),
    );
  });

  it('returns a notice if the text does not match the given encoding', async () => {
    const bytes = await fixture('rental-windows-1251.html');
    const { notice } = await extractDocument({
      bytes,
      filename: 'a.html',
      mimeType: null,
      encoding: 'utf-8',
    });
    assert.equal(
      notice,
      'The text does not seem to be in utf-8, the specified encoding. If some letters are wrong, add the document again with a different encoding.',
    );
  });
});
