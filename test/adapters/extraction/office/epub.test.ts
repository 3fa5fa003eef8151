import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assertUnreadable, extractBytes, extractFixture } from '../extraction-support.ts';
import { buildZip } from '../build-zip.ts';

describe('extractDocument of an EPUB book', () => {
  const page = (body: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;
  const parts = (
    chapters: Record<string, string>,
    more: Record<string, string> = {},
  ): Record<string, string> => ({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package><metadata><dc:title>A book</dc:title><dc:language>en-GB</dc:language></metadata><manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${Object.keys(
      chapters,
    )
      .map(
        (name) =>
          `<item id="${name}" href="${encodeURIComponent(name)}" media-type="application/xhtml+xml"/>`,
      )
      .join('')}</manifest><spine>${Object.keys(chapters)
      .map((name) => `<itemref idref="${name}"/>`)
      .join('')}</spine></package>`,
    ...Object.fromEntries(Object.entries(chapters).map(([name, body]) => [`OPS/${name}`, page(body)])),
    ...more,
  });
  const readBook = (...book: Parameters<typeof parts>) => extractBytes(buildZip(parts(...book)), 'a.epub');

  it('reads chapters in order, under the titles of the table of contents, with notes', async () => {
    const { title, language, mimeType, sections } = await extractFixture('harbour.epub');
    assert.deepEqual([title, language, mimeType], ['The harbour book', 'en', 'application/epub+zip']);
    assert.deepEqual(sections, [
      {
        headings: ['Part one', 'Arrival'],
        text: 'Ferries land at pier four1.\n\nExcept on Sundays.',
      },
      { headings: ['Part one', 'Leaving'], text: 'The last ferry leaves at ten.' },
      { headings: ['Part one', 'Leaving'], text: 'Dogs travel free.' },
    ]);
  });

  it('reads a chapter once that the reading order repeats', async () => {
    const book = parts({ 'a.xhtml': '<p>One</p>', 'b.xhtml': '<p>Two</p>' });
    const again = '<itemref idref="a.xhtml"/></spine>';
    book['OPS/book.opf'] = book['OPS/book.opf']!.replace('</spine>', again);
    const { sections } = await extractBytes(buildZip(book), 'a.epub');
    assert.deepEqual(
      sections.map(({ text }) => text),
      ['One', 'Two'],
    );
  });

  it('reads titles within a chapter from the contents of EPUB 2, and omits printed page numbers', async () => {
    const ncx =
      '<ncx><navMap><navPoint><navLabel><text>Boats</text></navLabel><content src="z%20last.xhtml"/>' +
      '<navPoint><navLabel><text>Canoes</text></navLabel><content src="z%20last.xhtml#canoes"/></navPoint></navPoint></navMap></ncx>';
    const { title, sections } = await readBook(
      {
        'z last.xhtml':
          '<a id="top"/><p>All&nbsp;float.</p><span epub:type="pagebreak">12</span><p id="canoes">Canoes are light.</p><script>alert(1)</script>',
        'a.xhtml': '<h2>Own heading</h2><p>Text.</p>',
      },
      { 'OPS/toc.ncx': ncx },
    );
    assert.equal(title, 'A book');
    assert.deepEqual(sections, [
      { headings: ['Boats'], text: 'All float.' },
      { headings: ['Boats', 'Canoes'], text: 'Canoes are light.' },
      { headings: ['Own heading'], text: 'Text.' },
    ]);
  });

  it('omits hidden and concealed text, and reads notes that a link opens', async () => {
    const { sections } = await readBook({
      'a.xhtml':
        '<p>Five<a href="#n">1</a> euros.</p><p style="display:none">Secret</p><p style="color:#fff">Secret</p>' +
        '<p hidden="hidden">Secret</p><aside id="n" hidden="hidden"><p>In cash.</p></aside>',
    });
    assert.deepEqual(sections, [{ headings: [], text: 'Five1 euros.\n\nIn cash.' }]);
  });

  it('reads the rest of a book with damaged and missing chapters, which a notice names', async () => {
    const deep = '<div>'.repeat(20_000);
    const { 'OPS/c.xhtml': missing, ...others } = parts({
      'a.xhtml': '<p>x</p>',
      'b.xhtml': deep,
      'c.xhtml': '<p>y</p>',
      'd.xhtml': '<p>z</p>',
    });
    assert.ok(missing);
    const { sections, notice } = await extractBytes(buildZip(others), 'a.epub');
    assert.deepEqual(sections, [
      { headings: [], text: 'x' },
      { headings: [], text: 'z' },
    ]);
    assert.equal(notice, 'Parts of the EPUB book are damaged and were skipped: chapter 2, chapter 3.');
  });

  it('refuses an unreadable file with a reason, but accepts obfuscated fonts', async () => {
    const buildEncryption = (uri: string) => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
    });
    await assertUnreadable(
      readBook({ 'a.xhtml': '<p>x</p>' }, buildEncryption('OPS/a.xhtml')),
      'encrypted',
      'The EPUB book is protected against copying (DRM). Upload a version without protection.',
      null,
    );
    const { sections } = await readBook({ 'a.xhtml': '<p>x</p>' }, buildEncryption('OPS/fonts/a.otf'));
    assert.deepEqual(sections, [{ headings: [], text: 'x' }]);
    const { 'OPS/a.xhtml': chapter, ...without } = parts({ 'a.xhtml': '<p>x</p>' });
    assert.ok(chapter);
    await assertUnreadable(extractBytes(buildZip(without), 'a.epub'), 'damaged', 'The EPUB book is damaged.');
    await assertUnreadable(
      readBook({ 'a.xhtml': '' }),
      'no_text',
      'The EPUB book contains no text. Parley reads text in pictures only in PDFs. Send a file with text.',
    );
    await assertUnreadable(
      readBook({ 'a.xhtml': '<div>'.repeat(20_000) }),
      'damaged',
      'The HTML page is damaged: its elements are nested too deeply.',
    );
    await assertUnreadable(
      readBook({ 'a.xhtml': ' '.repeat(60_000_000) }),
      'too_large',
      'The EPUB book unpacks to more than Parley can read.',
    );
  });
});
