import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { extractDocument } from '../../../../../adapters/extraction/extract.ts';
import type {
  PageRecognition,
  PageToRecognize,
} from '../../../../../adapters/extraction/page-recognition.ts';
import { Tesseract } from '../../../../../adapters/recognition/tesseract.ts';
import type { RecognizedLine } from '../../../../../adapters/recognition/text-recognizer.ts';
import { skipWithoutTesseract } from '../../../../support/tesseract.ts';
import { PdfBuilder, showLines } from '../../../../adapters/extraction/pdf/build-pdf.ts';
import { assertUnreadable, fixturePath } from '../../../../adapters/extraction/extraction-support.ts';

const image = '/Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceGray';
const onPage = 'q 595 0 0 842 0 0 cm /Im Do Q';

const toLine = (text: string, startsParagraph = true): RecognizedLine => ({
  text,
  right: 0.9,
  columnRight: 0.9,
  relativeHeight: 0.5,
  startsParagraph,
});

/** Builds a PDF with a page for each text; null is a page with a picture. */
function buildPdf(texts: (string | null)[], content = onPage): Buffer {
  const pdf = new PdfBuilder();
  const picture = pdf.addStream(Buffer.from([0, 90, 180, 250]), `${image}/Width 2/Height 2`);
  for (const text of texts) {
    if (text === null) pdf.addPage({ content, resources: `/XObject<</Im ${picture}>>` });
    else pdf.addPage({ content: showLines(text) });
  }
  return pdf.build();
}

async function read(bytes: Buffer, recognition: PageRecognition) {
  const document = await extractDocument({ bytes, filename: 'a.pdf', mimeType: null }, recognition);
  return { text: document.sections.map(({ text }) => text).join('\n\n'), notice: document.notice };
}

const refuse = (recognition: PageRecognition, message: string, bytes = buildPdf([null])) =>
  assertUnreadable(read(bytes, recognition), 'no_text', message);

/**
 * Wraps the fax-coded data of a scanned page in segments of the image format JBIG2, which also supports this
 * coding.
 */
function wrapAsJbig2(scan: Buffer): Buffer {
  const [width, height, length] = ['Width', 'Height', 'Length'].map((name) =>
    Number(new RegExp(`/${name} (\\d+)`).exec(scan.toString('latin1'))![1]),
  ) as [number, number, number];
  const start = scan.indexOf('stream\n') + 'stream\n'.length;
  const toBytes = (...numbers: number[]) => {
    const bytes = Buffer.alloc(numbers.length * 4);
    for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
    return bytes;
  };
  const segment = (number: number, type: number, data: Buffer) =>
    Buffer.concat([toBytes(number), Buffer.from([type, 0, 1]), toBytes(data.length), data]);
  const PAGE = 48;
  const REGION = 38;
  const pageFlags = Buffer.alloc(3);
  const regionFlags = Buffer.from([0, 1]);
  const stream = Buffer.concat([
    segment(0, PAGE, Buffer.concat([toBytes(width, height, 0, 0), pageFlags])),
    segment(
      1,
      REGION,
      Buffer.concat([toBytes(width, height, 0, 0), regionFlags, scan.subarray(start, start + length)]),
    ),
  ]);
  const pdf = new PdfBuilder();
  const picture = pdf.addStream(
    stream,
    `/Type/XObject/Subtype/Image/BitsPerComponent 1/ColorSpace/DeviceGray/Decode[1 0]/Filter/JBIG2Decode/Width ${width}/Height ${height}`,
  );
  return pdf.addPage({ content: onPage, resources: `/XObject<</Im ${picture}>>` }).build();
}

describe('extractDocument of scanned pages with a recognizer', () => {
  it('adds the text of scanned pages between that of other pages', async () => {
    const seen: (string | null)[] = [];
    const recognize = async ({ language }: PageToRecognize) => {
      seen.push(language);
      return { lines: [toLine('Bicycles are al-'), toLine('lowed on ferries.', false), toLine('Dogs pay.')] };
    };
    assert.deepEqual(await read(buildPdf(['The first page', null, 'The last page']), recognize), {
      text: 'The first page\n\nBicycles are allowed on ferries.\n\nDogs pay.\n\nThe last page',
      notice: undefined,
    });
    assert.deepEqual(seen, [null]);
  });

  it('fails with has_scans if a later step recognizes the scans', async () => {
    const message = 'The PDF has pages that are pictures.';
    await assertUnreadable(read(buildPdf(['Text', null]), 'defer'), 'has_scans', message);
    assert.equal((await read(buildPdf(['Text', '']), 'defer')).text, 'Text');
  });

  it('fails with the reason if nothing was recognized', async () => {
    const start = 'The PDF contains no text, only pictures of its pages, such as scans.';
    const end = 'run text recognition (OCR) on the file and upload it again.';
    await refuse('off', `${start} Parley does not recognize text in pictures (PARLEY_OCR is off): ${end}`);
    await refuse(async () => ({ lines: [] }), `${start} Parley found no text in the pictures: ${end}`);
    await refuse({ obstacle: 'Parley is tired' }, `${start} Parley is tired: ${end}`);
    await refuse(
      async () => ({ obstacle: 'Parley has no ink', isFinal: false }),
      `${start} Parley has no ink: ${end}`,
    );
  });

  it('skips a page that fails, and stops if the failure is final', async () => {
    let calls = 0;
    const failFirst = (isFinal: boolean) => async () =>
      ++calls === 1 ? { obstacle: 'Parley has no ink', isFinal } : { lines: [toLine('Second')] };
    assert.deepEqual(await read(buildPdf(['Text', null, null]), failFirst(false)), {
      text: 'Text\n\nSecond',
      notice: '1 of 3 pages contain no text, perhaps because they are scans: Parley has no ink.',
    });
    calls = 0;
    const { notice } = await read(buildPdf(['Text', null, null]), failFirst(true));
    assert.equal(notice, '2 of 3 pages contain no text, perhaps because they are scans: Parley has no ink.');
    assert.equal(calls, 1);
  });

  it('reads at most 50 pages', async () => {
    let calls = 0;
    const recognize = async () => ({
      lines: [toLine(`Page ${['one', 'two', 'three'][calls++ % 3]} of the book`)],
    });
    const { notice } = await read(buildPdf(Array(52).fill(null)), recognize);
    assert.equal(calls, 50);
    assert.equal(
      notice,
      '2 of 52 pages contain no text, perhaps because they are scans: Parley recognizes text on at most 50 pages of a document.',
    );
  });

  it('uses the recognized text of a page’s picture instead of a text layer that is only a watermark', async () => {
    const pdf = new PdfBuilder();
    const picture = pdf.addStream(Buffer.from([0, 90, 180, 250]), `${image}/Width 2/Height 2`);
    const content = `q BT /F1 12 Tf 72 30 Td (Scanned with CamScanner) Tj ET Q ${onPage}`;
    pdf.addPage({ content, resources: `/XObject<</Im ${picture}>>` });
    const recognize = async () => ({ lines: [toLine('The harbour opens at six')] });
    assert.deepEqual(await read(pdf.build(), recognize), {
      text: 'The harbour opens at six',
      notice: undefined,
    });
  });

  describe('from a real scanner', () => {
    before(skipWithoutTesseract);

    const scan = readFileSync(fixturePath('scan-german.pdf'));
    for (const [format, bytes] of [
      ['fax', scan],
      ['JBIG2', wrapAsJbig2(scan)],
    ] as const)
      it(`reads German paragraphs, compressed as ${format}`, async () => {
        const tesseract = new Tesseract();
        const signal = new AbortController().signal;
        const recognize = async ({ picture }: PageToRecognize) => ({
          lines: await tesseract.recognize(picture, { languages: ['de'], timeoutMs: 60_000, signal }),
        });
        assert.deepEqual(await read(bytes, recognize), {
          text:
            'Die Öffnungszeiten der Geschäftsstelle gelten auch für Gäste. Übernachtungen müssen spätestens am Vortag gebucht werden.\n\n' +
            'Für Hunde wird eine Gebühr von fünf Euro erhoben.',
          notice: undefined,
        });
      });
  });
});

describe('pictures of pages', () => {
  /** Renders a PDF page of 4 × 4 units as a picture, and returns its pixels, row by row. */
  async function draw(
    content: string,
    streams: [name: string, entries: string, data: number[]][],
    entries = '',
  ) {
    const pdf = new PdfBuilder();
    const names = streams.map(
      ([name, dictionary, data]) => `/${name} ${pdf.addStream(Buffer.from(data), dictionary)}`,
    );
    pdf.addPage({
      content,
      resources: `/XObject<<${names.join('')}>>`,
      entries: entries.includes('/MediaBox') ? entries : `/MediaBox[0 0 4 4]${entries}`,
    });
    let drawn: PageToRecognize['picture'] | undefined;
    await read(pdf.build(), async ({ picture }) => {
      drawn = picture;
      return { lines: [toLine('Text')] };
    });
    assert.ok(drawn);
    const { width, pixels } = drawn;
    return Array.from({ length: drawn.height }, (_, row) => [
      ...pixels.subarray(row * width, (row + 1) * width),
    ]);
  }

  const gray: [string, string, number[]] = ['Im', `${image}/Width 2/Height 2`, [0, 50, 100, 250]];
  const full = 'q 4 0 0 4 0 0 cm /Im Do Q';

  it('have the resolution of the image', async () => {
    assert.deepEqual(await draw(full, [gray]), [
      [0, 50],
      [100, 250],
    ]);
  });

  it('have at most 32,767 pixels a side, even on a page of almost no height', async () => {
    const thin = await draw(
      'q 100000 0 0 0.0000001 0 0 cm /Im Do Q',
      [gray],
      '/MediaBox[0 0 100000 0.0000001]',
    );
    assert.deepEqual([thin.length, thin[0]?.length], [1, 32_767]);
  });

  it('are rotated as viewers show the page', async () => {
    assert.deepEqual(await draw(full, [gray], '/Rotate 90'), [
      [100, 0],
      [250, 50],
    ]);
    assert.deepEqual(await draw('q -4 0 0 -4 4 4 cm /Im Do Q', [gray]), [
      [250, 100],
      [50, 0],
    ]);
  });

  it('are joined if the PDF has them in strips', async () => {
    const strip = (name: string, data: number[]): [string, string, number[]] => [
      name,
      `${image}/Width 2/Height 1`,
      data,
    ];
    const content = 'q 4 0 0 2 0 2 cm /A Do Q q 4 0 0 2 0 0 cm /B Do Q';
    assert.deepEqual(await draw(content, [strip('A', [1, 2]), strip('B', [3, 4])]), [
      [1, 2],
      [3, 4],
    ]);
  });

  it('show stencil masks in the fill color, over the background', async () => {
    const stencil: [string, string, number[]] = [
      'St',
      '/Type/XObject/Subtype/Image/ImageMask true/BitsPerComponent 1/Width 2/Height 2',
      [0b01000000, 0b10000000],
    ];
    const background: [string, string, number[]] = ['Im', `${image}/Width 1/Height 1`, [200]];
    const content = `${full} q 1 0 0 rg 4 0 0 4 0 0 cm /St Do Q`;
    assert.deepEqual(await draw(content, [background, stencil]), [
      [76, 200],
      [200, 76],
    ]);
  });

  it('are converted from colors to their brightness', async () => {
    const color: [string, string, number[]] = [
      'Im',
      '/Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceRGB/Width 1/Height 1',
      [255, 0, 0],
    ];
    assert.deepEqual(await draw(full, [color]), [[76]]);
  });
});
