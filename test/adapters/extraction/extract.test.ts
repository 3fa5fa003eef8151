import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { extractDocument } from '../../../adapters/extraction/extract.ts';
import { toPageLines } from '../../../adapters/extraction/pdf/pdf-lines.ts';
import { assertUnreadable, extractBytes, extractFixture, fixturePath } from './extraction-support.ts';
import { buildZip } from './build-zip.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

describe('extractDocument of a PDF', () => {
  it('returns title, language, headings and pages, without running heads', async () => {
    const { title, mimeType, language, sections } = await extractFixture('manual.pdf');
    assert.deepEqual(
      { title, mimeType, language },
      {
        title: 'Tidewater 200 service manual',
        mimeType: 'application/pdf',
        language: 'en',
      },
    );
    assert.deepEqual(
      sections.map(({ headings, page }) => [page, ...headings]),
      [
        [1, 'Safety'],
        [2, 'Installation'],
        [3, 'Operation'],
        [4, 'Error codes'],
        [4, 'Error codes', 'Resetting a fault'],
        [5, 'Maintenance'],
      ],
    );
    assert.equal(
      sections[0]?.text,
      'Disconnect the pump from the mains before you open the housing. The capacitor holds a charge for five minutes.\n\n' +
        'Never run the pump dry. A dry run of more than ninety seconds destroys the shaft seal.',
    );
    assert.equal(
      sections[3]?.text,
      'The display shows a code when the pump stops by itself.\n' +
        '| Code | Meaning | Remedy |\n| --- | --- | --- |\n' +
        '| E04 | Dry run | Fill the housing |\n| E17 | Overheated motor | Wait thirty minutes |',
    );
    assert.doesNotMatch(JSON.stringify(sections), /Page \d/);
  });

  it('reads column by column across two-column pages, between full-width elements', async () => {
    const { sections } = await extractFixture('two-columns.pdf');
    assert.deepEqual(sections, [
      {
        headings: ['Rules of the harbour, for everybody who arrives by boat'],
        page: 1,
        text: [
          'The harbour opens at six in the morning and closes when the last ferry has left. Visitors wait behind the yellow line until a guide calls their number. Children under ten years hold the hand of an adult all the time. Bicycles are pushed, never ridden, on the landing stage. Dogs travel free when they are on a lead and wear a muzzle.',
          'Tickets are sold at the kiosk beside the crane and in every tram that stops at the harbour. A day ticket costs twelve pounds. It ends at midnight, also when it was bought late. Lost tickets are not replaced. Groups of ten or more get a discount of a fifth when they book a day ahead by telephone. Schools pay nothing from November to March.',
          'Signed by the harbour master, whose word is final in every matter of the quay and the sea.',
          'Page 1',
        ].join('\n\n'),
      },
    ]);
  });

  it('reads three columns one by one, and keeps the rows of tables together', async () => {
    const { sections } = await extractFixture('columns-and-tables.pdf');
    assert.deepEqual(sections, [
      {
        headings: [],
        page: 1,
        text: [
          'Boats are cleaned after every tour by those who used them. Brushes are in the blue shed.',
          'Engines are not to run while swimmers are nearer than the red buoys, which a guide sets at nine.',
          'Fuel is stored in the stone house at the end of the pier and nobody smokes within ten metres.',
          'These are the fees that the harbour takes from everybody who stays over night.',
          '| Kind of boat | Fee for a night | Remark |\n| --- | --- | --- |\n| Rowing boat | 5.00 | Free in winter |\n| Sailing boat | 25.00 | Up to nine metres |\n| Motor yacht with cabin | 80.00 | Power is included |\n| Houseboat | 120.00 | By arrangement only |\n' +
            '| Lost key of a locker | Thirty pounds, and the lock |\n| or of a boat house | is changed within a week |\n| Late return of a boat | Twenty pounds for every hour |\n| after the harbour closes | or a part of it |\n| Damage to an oar or a | The price of a new one, less |\n| paddle of the school | what insurance has paid |\n| Cleaning of a boat that | Fifteen pounds for each boat |\n| comes back with mud | paid at the kiosk |',
        ].join('\n\n'),
      },
    ]);
  });

  it('reads the right-hand column first in a right-to-left script', () => {
    const line = (str: string, x: number, y: number) => ({
      str,
      transform: [10, 0, 0, 10, x, y],
      width: 200,
      height: 10,
      hasEOL: false,
    });
    const rows = [700, 686, 672].flatMap((y, row) => [
      line(`שורה של הטור הימני בעמוד הזה ${row}`, 320, y),
      line(`שורה של הטור השמאלי בעמוד הזה ${row}`, 60, y),
    ]);
    assert.deepEqual(
      toPageLines(rows, [0, 0, 600, 800]).map(({ text }) => text.replace(/.*(הימני|השמאלי).*/, '$1')),
      ['הימני', 'הימני', 'הימני', 'השמאלי', 'השמאלי', 'השמאלי'],
    );
  });

  it('counts pages without text in the notice', async () => {
    const { sections, notice } = await extractFixture('half-scanned.pdf');
    assert.deepEqual(sections, [
      { headings: [], page: 1, text: 'The first page has words that can be read.' },
    ]);
    assert.equal(
      notice,
      '2 of 3 pages contain no text, perhaps because they are scans: Parley does not recognize text in pictures (PARLEY_OCR is off).',
    );
    assert.equal((await extractFixture('manual.pdf')).notice, undefined);
  });

  it('refuses text that is not in the given encoding, with the reason no_text', async () => {
    // Bytes of Cyrillic letters in the encoding windows-1251.
    const bytes = Buffer.from(
      [...'Доставка занимает три дня'].map((letter) =>
        letter === ' ' ? 0x20 : letter.charCodeAt(0) - 0x350,
      ),
    );
    const source = { bytes, filename: 'a.txt', mimeType: null };
    assert.equal((await extractDocument(source)).sections[0]?.text, 'Доставка занимает три дня');
    await assertUnreadable(
      extractDocument({ ...source, encoding: 'utf-8' }),
      'no_text',
      'The text file contains no text in utf-8, the specified encoding. Omit the encoding, or specify the correct one.',
    );
  });

  it('refuses an unreadable file with a reason', async () => {
    await assertUnreadable(
      extractFixture('encrypted.pdf'),
      'encrypted',
      'The PDF is protected by a password.',
    );
    await assertUnreadable(
      extractFixture('truncated.pdf'),
      'damaged',
      'The PDF is damaged: its end is missing.',
    );
    await assertUnreadable(extractFixture('empty.pdf'), 'empty', 'The file is empty.');
    await assertUnreadable(
      extractBytes('%PDF-1.7 nonsense %%EOF', 'a.pdf'),
      'damaged',
      'The PDF is damaged.',
    );
    await assertUnreadable(
      extractFixture('scanned.pdf'),
      'no_text',
      'The PDF contains no text, only pictures of its pages, such as scans. Parley does not recognize text in pictures (PARLEY_OCR is off): run text recognition (OCR) on the file and upload it again.',
    );
  });
});

describe('extractDocument of a Word document', () => {
  it('returns headings, lists and tables', async () => {
    const { title, sections } = await extractFixture('warranty.docx');
    assert.equal(title, 'Warranty terms');
    assert.deepEqual(sections, [
      {
        headings: ['Warranty terms'],
        text: 'These terms cover every Tidewater pump sold after 1 March 2025.',
      },
      { headings: ['Coverage'], text: 'Parts and labour are covered for 36 months.' },
      { headings: ['Coverage', 'What is excluded'], text: '- Damage by frost\n- Dry running' },
      {
        headings: ['Fees'],
        text: '| Service | Price |\n| --- | --- |\n| Inspection | € 49 |\n| Seal replacement | € 120 |',
      },
    ]);
  });

  it('refuses an unreadable file with a reason', async () => {
    const encrypted = 'The Word document is protected by a password.';
    await assertUnreadable(extractFixture('encrypted.docx'), 'encrypted', encrypted);
    await assertUnreadable(
      extractFixture('truncated.docx'),
      'damaged',
      'The Word document is damaged: its end is missing.',
    );
    await assertUnreadable(extractBytes('', 'a.docx'), 'empty', 'The file is empty.');
    const notWord = buildZip({ 'word/other.xml': '<x/>' });
    await assertUnreadable(extractBytes(notWord, 'a.docx'), 'damaged', 'The Word document is damaged.');
  });

  it('refuses a document that unpacks to too many bytes, even if its directory states fewer', async () => {
    const message = 'The Word document unpacks to more than Parley can read.';
    const parts = { '[Content_Types].xml': '<x/>', 'word/document.xml': ' '.repeat(60_000_000) };
    await assertUnreadable(extractBytes(buildZip(parts), 'a.docx'), 'too_large', message);
    await assertUnreadable(
      extractBytes(buildZip(parts, { declaredBytes: 900 }), 'a.docx'),
      'too_large',
      message,
    );
  });
});

describe('extractDocument of the archive of a Word document', () => {
  const word = { '[Content_Types].xml': '<x/>', 'word/document.xml': '<x/>' };

  it('refuses more than 5,000 files', async () => {
    const files = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`word/${index}.xml`, '']));
    const message = 'The Word document unpacks to more than Parley can read.';
    await assertUnreadable(extractBytes(buildZip({ ...word, ...files }), 'a.docx'), 'too_large', message);
  });

  itInSoak(
    'refuses an archive in which readers could find a directory other than the checked directory',
    async () => {
      const bomb = { ...word, 'word/styles.xml': ' '.repeat(60_000_000) };
      for (const lie of [{ declaredEntries: 2 }, { skippedBytes: 60 }, { disk: 0xffff }])
        await assertUnreadable(
          extractBytes(buildZip(bomb, lie), 'a.docx'),
          'damaged',
          'The Word document is damaged.',
        );
    },
  );
});

describe('extractDocument of an HTML page', () => {
  it('decodes the page’s own encoding and omits navigation', async () => {
    const russian = await extractFixture('rental-windows-1251.html');
    assert.equal(russian.title, 'Прокат насосов');
    assert.equal(russian.language, 'ru');
    assert.deepEqual(
      russian.sections.map(({ headings }) => headings.at(-1)),
      ['Прокат насосов', 'Возврат'],
    );
    assert.match(russian.sections[0]?.text ?? '', /^Аренда насоса стоит 900 рублей в сутки\./);
    assert.doesNotMatch(JSON.stringify(russian.sections), /Главная|©/);
    const japanese = await extractFixture('care-shift-jis.html');
    assert.match(japanese.sections[0]?.text ?? '', /^フィルターは二百五十時間ごとに掃除してください。/);
  });

  it('uses the charset of the Content-Type header, and ignores declarations that the bytes contradict', async () => {
    const page = Buffer.from('<html><body><p>Цена'.replace(/[А-я]/g, ' '), 'latin1');
    const cyrillic = new Uint8Array([...page, 0xd6, 0xe5, 0xed, 0xe0]);
    const declared = await extractBytes(cyrillic, 'a.html', 'text/html; charset=windows-1251');
    assert.equal(declared.sections[0]?.text, 'Цена');
    const wrong = await extractBytes(
      '<html><meta charset="utf-16"><p>Größe</p>',
      'a.html',
      'text/html; charset=ascii7',
    );
    assert.equal(wrong.sections[0]?.text, 'Größe');
  });

  it('reads the whole page if a form surrounds it', async () => {
    const { sections } = await extractBytes(
      '<html><form><h2>Fees</h2><p>Twenty pounds.</p></form>',
      'a.html',
    );
    assert.deepEqual(sections, [{ headings: ['Fees'], text: 'Twenty pounds.' }]);
  });

  it('converts tables to Markdown, and omits scripts', async () => {
    const { sections } = await extractBytes(
      '<html><body><h1>Fees</h1><table><tr><td>Item</td><td>Price</td></tr><tr><td><div><p>Shaft</p><p>seal</p></div></td><td>20</td></tr></table><script>alert(1)</script>',
      'a.html',
    );
    assert.equal(sections[0]?.text, '| Item | Price |\n| --- | --- |\n| Shaft seal | 20 |');
  });

  it('converts a table with columns and a caption to Markdown', async () => {
    const { sections } = await extractBytes(
      '<html><body><h1>Fees</h1><table class="big"><caption>Of spare parts</caption><colgroup><col width="1%"><col></colgroup><tbody><tr><td>Item</td><td>Price</td></tr><tr><td>Seal</td><td>20</td></tr></tbody></table>',
      'a.html',
    );
    assert.equal(sections[0]?.text, 'Of spare parts\n\n| Item | Price |\n| --- | --- |\n| Seal | 20 |');
  });

  it('removes permalink signs from headings', async () => {
    const { sections } = await extractBytes(
      `<html><title>Pumps</title><body><main><h1>Pumps<a class="headerlink" href="#pumps">¶</a></h1><p>They move water.</p>
        <h2><a href="#c" class="anchor">#</a>In C# <a href="/sharp">and elsewhere</a></h2><p>They have a library.</p></main>`,
      'pumps.html',
    );
    assert.deepEqual(
      sections.map(({ headings }) => headings.at(-1)),
      ['Pumps', 'In C# and elsewhere'],
    );
  });

  it('keeps the short sections of a reference, and its heading', async () => {
    const options = Array.from(
      { length: 12 },
      (_, index) =>
        `<dt>--option-${index}</dt><dd><p>Says of option ${index}, at some length, what it is good for, when it is to be left out, and what it does.</p></dd>`,
    );
    const { sections } = await extractBytes(
      `<html><title>pump(1)</title><body>
        <div id="top"><a href="a">Manuals</a> <a href="b">Index</a></div>
        <div id="header"><h1>pump(1)</h1><h2>Name</h2><div class="body"><p>pump - move water</p></div></div>
        <div id="content">
          <div class="sect"><h2>Description</h2><div class="body"><p>Moves water from a place to another.</p></div></div>
          <div class="sect"><h2>Options</h2><div class="body"><dl>${options.join('')}</dl></div></div>
          <div class="sect"><h2>See also</h2><div class="body"><p>The manual of <a href="v">valve(1)</a>, which holds it back.</p></div></div>
        </div>
        <div class="sidebar"><p>Our newsletter tells you of each new pump, once a month, and costs nothing.</p></div>
        <div style="display: none"><p>Your browser is too old for this page, please get another one.</p></div>
        <div id="after"><a href="c">Previous</a> <a href="d">Next</a></div>`,
      'pump.html',
    );
    assert.deepEqual(
      sections.map(({ headings }) => headings.join(' > ')),
      ['pump(1) > Name', 'pump(1) > Description', 'pump(1) > Options', 'pump(1) > See also'],
    );
    assert.equal(sections[0]?.text, 'pump - move water');
    assert.equal(sections[1]?.text, 'Moves water from a place to another.');
    assert.equal(sections[3]?.text, 'The manual of valve(1), which holds it back.');
    assert.doesNotMatch(JSON.stringify(sections), /newsletter|too old|Previous|Manuals/);
  });

  it('refuses elements that are nested too deeply', async () => {
    const page = `<html><body>${'<div>'.repeat(200_000)}x`;
    await assertUnreadable(
      extractBytes(page, 'a.html'),
      'damaged',
      'The HTML page is damaged: its elements are nested too deeply.',
    );
  });
});

describe('extractDocument of plain text and CSV', () => {
  it('decodes UTF-16 and legacy encodings', async () => {
    assert.equal(
      (await extractFixture('notes-utf16.txt')).sections[0]?.text,
      'Größe: 12 µm – geprüft\nZweite Zeile',
    );
    const latin = Buffer.from('Der Schlüssel fürs Gerät hängt über der Tür.', 'latin1');
    assert.equal(
      (await extractBytes(latin, 'a.txt')).sections[0]?.text,
      'Der Schlüssel fürs Gerät hängt über der Tür.',
    );
  });

  it('omits the escape sequences of terminal colors', async () => {
    const { sections } = await extractBytes('\u001b[1;31mFull\u001b[0m at 9 [31m]', 'a.log');
    assert.deepEqual(sections, [{ headings: [], text: 'Full at 9 [31m]' }]);
  });

  it('returns text that PostgreSQL can store', async () => {
    const { sections } = await extractBytes(
      `a\u0000b\u0007 cafe\u0301\r\nc${' and so on'.repeat(30)}`,
      'a.txt',
    );
    assert.match(sections[0]?.text ?? '', /^ab café\nc and so on/);
    assert.equal(
      (await extractBytes('x'.repeat(3) + ' '.repeat(1e6) + 'y', 'a.txt')).sections[0]?.text,
      'xxx y',
    );
  });

  it('describes each row with its headers', async () => {
    assert.equal(
      (await extractFixture('prices.csv')).sections[0]?.text,
      'sku: 20-417\nname: Shaft seal; ceramic\nprice: 19.90\n\n' +
        'sku: 20-501\nname: Filter\nprice: 7.50\n\nsku: 20-777\nname: Multi\nline',
    );
  });

  it('refuses an unreadable file with a reason', async () => {
    await assertUnreadable(
      extractBytes(' \n\t', 'a.txt'),
      'no_text',
      'The text file contains no text. Parley reads text in pictures only in PDFs. Send a file with text.',
    );
    const image = await readFile(fixturePath('scanned.pdf')).then((bytes) => bytes.fill(0x89, 0, 9));
    await assertUnreadable(
      extractBytes(image.fill(0, 9), 'a.png'),
      'unsupported',
      'The file looks like a binary file. Accepted formats: PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML, Markdown, plain text and CSV.',
    );
  });
});
