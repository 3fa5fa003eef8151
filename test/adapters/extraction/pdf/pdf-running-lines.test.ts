import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PdfBuilder, showLines } from './build-pdf.ts';
import { extractBytes } from '../extraction-support.ts';

type PlacedLine = readonly [y: number, text: string];

const numbers = [1, 2, 3, 4, 5];

/** Reads a PDF with one page for each page number; `createPage` returns the page's lines and their heights. */
async function readPages(createPage: (number: number) => PlacedLine[], pageNumbers = numbers) {
  const pdf = new PdfBuilder();
  for (const number of pageNumbers) {
    const lines = createPage(number).map(([y, text]) => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET`);
    pdf.addPage({ content: lines.join('\n') });
  }
  const { sections } = await extractBytes(pdf.build(), 'a.pdf');
  return sections.map(({ page, text }) => ({ page, text }));
}

/** Returns text that differs on each page, long enough for a page of a book. */
const body = (number: number): PlacedLine[] =>
  ['harbour', 'lighthouse', 'ferry', 'boathouse', 'pier']
    .slice(number - 1)
    .concat(['crane', 'buoy', 'anchor', 'mast', 'sail'].slice(0, number))
    .map((word, row) => [
      640 - row * 80,
      `Rule of page ${'xvijk'[number - 1]} about the ${word} and its use.`,
    ]);

describe('extractDocument of a PDF with running heads', () => {
  it('keeps pages that differ only in their numbers, each as a separate section', async () => {
    const codes = [1037, 1074, 1111, 1148, 1185];
    assert.deepEqual(
      await readPages((number) => [[700, `Locker ${number}: code ${codes[number - 1]}`]]),
      numbers.map((number) => ({ page: number, text: `Locker ${number}: code ${codes[number - 1]}` })),
    );
  });

  it('keeps numbered lines that are the only text of their pages', async () => {
    const sections = await readPages((number) => [[800, `Ticket ${number}`]]);
    assert.deepEqual(
      sections.map(({ text }) => text),
      numbers.map((number) => `Ticket ${number}`),
    );
  });

  it('keeps all lines of vouchers whose names and codes differ', async () => {
    const names = ['Ada', 'Bela', 'Chioma', 'Dilan', 'Eve'];
    const sections = await readPages((number) => [
      [800, `Voucher ${number} of the harbour baths`],
      [760, 'Valid for a day and two persons'],
      [720, `Name: ${names[number - 1]}`],
      [60, `Code ${number * 7919}`],
    ]);
    assert.deepEqual(sections[2], {
      page: 3,
      text: 'Voucher 3 of the harbour baths\n\nValid for a day and two persons\n\nName: Chioma\n\nCode 23757',
    });
    assert.equal(sections.length, 5);
  });

  it('keeps a tariff on each page', async () => {
    const sections = await readPages((number) => [
      [800, `Tariff ${number}`],
      [700, `Price per month: ${number * 9}.90 euros`],
      [660, `Minutes: ${number * 100}`],
      [40, 'All prices include taxes.'],
    ]);
    assert.equal(
      sections[3]?.text,
      'Tariff 4\n\nPrice per month: 36.90 euros\n\nMinutes: 400\n\nAll prices include taxes.',
    );
  });

  const footers: Record<string, (number: number) => string> = {
    'the page': (number) => `Harbour rules 2026, page ${number}`,
    'the page of all pages': (number) => `${number} / 5`,
    'pages of a part of a book': (number) => `- ${number + 116} -`,
    'pages of chapters': (number) => (number < 3 ? `1-${number}` : `2-${number - 2}`),
    nothing: () => 'Issued on 12.03.2026, for internal use',
  };
  for (const [what, footer] of Object.entries(footers)) {
    it(`removes headers and footers that count ${what}`, async () => {
      const sections = await readPages((number) => [
        [810, 'Harbour master'],
        ...body(number),
        [30, footer(number)],
      ]);
      const text = sections.map((section) => section.text).join('\n');
      assert.doesNotMatch(text, /Harbour|[-/]|20\d\d/);
      assert.equal(text.match(/Rule of page/g)?.length, 30);
    });
  }

  it('keeps a line that each page has at a different height', async () => {
    const sections = await readPages((number) => [
      [820 - number * 12, 'See the notice at the pier'],
      ...body(number),
    ]);
    const text = sections.map((section) => section.text).join('\n');
    assert.equal(text.match(/See the notice at the pier/g)?.length, 5);
  });

  it('keeps a line that pages repeat in their middle', async () => {
    const sections = await readPages((number) => [
      [600, 'Ask the guide first'],
      ...body(number).slice(0, 1),
      [300, `${'abcde'[number - 1]} ends here and so does this part of the rules of the harbour`],
    ]);
    const text = sections.map((section) => section.text).join('\n');
    assert.equal(text.match(/Ask the guide first/g)?.length, 5);
  });

  it('keeps numbers in a footer that do not count pages', async () => {
    const sections = await readPages((number) => [
      ...body(number),
      [30, `Meter reading ${[812, 97, 4403, 58, 2210][number - 1]}`],
    ]);
    assert.match(sections.map((section) => section.text).join('\n'), /Meter reading 4403/);
  });

  it('keeps the header of a page that has no other text', async () => {
    const sections = await readPages((number) => [
      [810, 'Harbour master'],
      ...(number === 3 ? [] : body(number)),
    ]);
    assert.equal(
      sections
        .map((section) => section.text)
        .join('\n')
        .match(/Harbour master/g)?.length,
      1,
    );
  });

  it('removes a watermark across the pages, and never makes a heading of it', async () => {
    const pdf = new PdfBuilder();
    const watermark = 'BT /F1 60 Tf .7 .7 -.7 .7 150 300 Tm (SPECIMEN) Tj ET';
    for (const number of numbers) {
      const lines = body(number).map(([y, text]) => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET`);
      pdf.addPage({ content: [watermark, ...lines].join('\n') });
    }
    const many = await extractBytes(pdf.build(), 'a.pdf');
    assert.doesNotMatch(JSON.stringify(many), /SPECIMEN/);
    const one = new PdfBuilder().addPage({ content: `${watermark}\n${showLines('Open all year')}` }).build();
    assert.deepEqual((await extractBytes(one, 'a.pdf')).sections, [
      { headings: [], page: 1, text: 'Open all year\n\nSPECIMEN' },
    ]);
  });
});
