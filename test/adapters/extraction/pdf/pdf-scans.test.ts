import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PdfBuilder, showLines } from './build-pdf.ts';
import { assertUnreadable, extractBytes } from '../extraction-support.ts';

const picture = '/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8';

/** PDF operators for several ways to draw a picture that fills the page. */
const drawings: Record<string, string> = {
  'one picture': 'q 595 0 0 842 0 0 cm /Im Do Q',
  'a picture without its own graphics state': '595 0 0 842 0 0 cm /Im Do',
  'strips of pictures': [0, 1, 2, 3].map((row) => `q 595 0 0 210.5 0 ${row * 210.5} cm /Im Do Q`).join(' '),
  'a rotated picture': 'q 0 842 -595 0 595 0 cm /Im Do Q',
  'a picture in a scaled drawing': 'q .24 0 0 .24 0 0 cm q 2479 0 0 3508 0 0 cm /Im Do Q Q',
};

/** Builds a PDF like those of scanners: a picture on each page, and one text over it. */
function buildScans(texts: string[], drawing = drawings['one picture']!): Buffer {
  const pdf = new PdfBuilder();
  const image = pdf.addStream(Buffer.from([0, 90, 180, 250]), picture);
  for (const text of texts) {
    // Draw the text with a separate graphics state, so that the picture's scale does not enlarge it.
    const mark = text && `BT /F1 12 Tf 72 30 Td (${text}) Tj ET`;
    pdf.addPage({ content: `q ${mark} Q ${drawing}`, resources: `/XObject<</Im ${image}>>` });
  }
  return pdf.build();
}

const read = async (pdf: Buffer) => {
  const { sections, notice } = await extractBytes(pdf, 'a.pdf');
  return { text: sections.map(({ text }) => text).join('\n'), notice };
};

const scans =
  'The pages of the PDF are pictures, such as scans, whose only text is a watermark. Parley does not recognize text in pictures (PARLEY_OCR is off): run text recognition (OCR) on the file and upload it again.';

describe('scans in a PDF', () => {
  for (const [name, drawing] of Object.entries(drawings)) {
    it(`are refused under a watermark: ${name}`, async () => {
      await assertUnreadable(
        extractBytes(buildScans(Array(3).fill('Harbour archive'), drawing), 'a.pdf'),
        'no_text',
        scans,
      );
    });
  }

  const marks: Record<string, string[]> = {
    'the mark of an app on a single page': ['Scanned with CamScanner'],
    'a mark in another language': ['Gescannt mit ScanPro'],
    'page numbers': ['Page 1', 'Page 2', 'Page 3'],
    'a single page number': ['- 7 -'],
    'fax headers': [
      '12.03.2026 10:22 FAX +49 30 1234 P.001/002',
      '12.03.2026 10:22 FAX +49 30 1234 P.002/002',
    ],
    'numbers of an archive': ['HARBOUR 000117', 'HARBOUR 000118'],
  };
  for (const [name, texts] of Object.entries(marks)) {
    it(`are refused with ${name}`, async () => {
      await assertUnreadable(extractBytes(buildScans(texts), 'a.pdf'), 'no_text', scans);
    });
  }

  it('are counted in the notice if other pages have text', async () => {
    const pdf = new PdfBuilder();
    const image = pdf.addStream(Buffer.from([0, 90, 180, 250]), picture);
    pdf.addPage({ content: showLines('The harbour opens at six') });
    for (const text of ['Harbour archive', 'Harbour archive']) {
      const content = `${showLines(text)} ${drawings['one picture']}`;
      pdf.addPage({ content, resources: `/XObject<</Im ${image}>>` });
    }
    assert.deepEqual(await read(pdf.build()), {
      text: 'The harbour opens at six',
      notice:
        '2 of 3 pages are pictures, such as scans, whose only text is a watermark: Parley does not recognize text in pictures (PARLEY_OCR is off).',
    });
  });

  it('are read if their texts differ, as on tickets, posters and recognized pages', async () => {
    const codes = ['Code 1037', 'Code 1074', 'Code 1111'];
    assert.deepEqual(await read(buildScans(codes)), { text: codes.join('\n'), notice: undefined });
    const poster = 'Open day on 5 May';
    assert.deepEqual(await read(buildScans([poster])), { text: poster, notice: undefined });
    const pages = ['Rules of the harbour', 'Fees of the harbour'];
    assert.equal((await read(buildScans(pages))).text, pages.join(' '));
  });

  it('are read if the picture is small, such as a logo', async () => {
    const logo = 'q 100 0 0 100 400 700 cm /Im Do Q';
    const text = Array<string>(2).fill('Scanned with CamScanner');
    assert.match((await read(buildScans(text, logo))).text, /CamScanner/);
  });
});

describe('text in fonts that do not name their characters', () => {
  const glyphs = '000300040005000600070010001100120013001400150016';

  it('is omitted next to other text', async () => {
    const pdf = new PdfBuilder();
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
    const content = `${showLines('The harbour opens at six')} BT /F2 12 Tf 72 600 Td <${glyphs}> Tj ET`;
    pdf.addPage({ content, resources: `/Font<</F1 ${pdf.add(font)}/F2 ${addSubset(pdf)}>>` });
    assert.deepEqual(await read(pdf.build()), { text: 'The harbour opens at six', notice: undefined });
  });

  it('is refused with a reason if there is no other text', async () => {
    const pdf = new PdfBuilder();
    const content = `BT /F2 12 Tf 72 600 Td <${glyphs}> Tj ET`;
    pdf.addPage({ content, resources: `/Font<</F2 ${addSubset(pdf)}>>` });
    await assertUnreadable(
      extractBytes(pdf.build(), 'a.pdf'),
      'no_text',
      'The PDF contains text in fonts that do not define which characters they show. Save the PDF again from the original document, or run text recognition (OCR) on the file and upload it again.',
    );
  });

  /** Adds a PDF font whose table of characters maps the number of each glyph to itself. */
  function addSubset(pdf: PdfBuilder): string {
    const map = pdf.addStream(
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n' +
        '1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <00FF> <0000> endbfrange\n' +
        'endcmap end end',
    );
    const descriptor = pdf.add(
      '<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 -120 1000 880]/ItalicAngle 0/Ascent 880/Descent -120/StemV 80>>',
    );
    const descendant = pdf.add(
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000/FontDescriptor ${descriptor}>>`,
    );
    return pdf.add(
      `<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/ToUnicode ${map}/DescendantFonts[${descendant}]>>`,
    );
  }
});
