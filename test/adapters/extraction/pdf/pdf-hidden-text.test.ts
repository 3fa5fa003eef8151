import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { hasSignsOfHiddenText } from '../../../../adapters/extraction/pdf/signs-of-hidden-text.ts';
import { assertCpuBelow } from '../../../support/cost.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { PdfBuilder, showLines } from './build-pdf.ts';
import { extractBytes } from '../extraction-support.ts';

const VISIBLE = 'The lockers open at seven each day.';
const BOX = '50 580 400 60 re f';
const PICTURE = '/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8';

/** Returns PDF operators that show the visible line, and below it, at a height of 600, another text. */
const show = (before: string, text = 'Secret words', after = '') =>
  `${showLines(VISIBLE)} q ${before} BT /F1 12 Tf 72 600 Td (${text}) Tj ET ${after} Q`;

async function read(pdf: Buffer): Promise<string> {
  const { sections } = await extractBytes(pdf, 'a.pdf');
  return sections.map(({ text }) => text).join('\n');
}

const readPage = (content: string, resources = '') =>
  read(new PdfBuilder().addPage({ content, resources }).build());

/** Reads a PDF page with a text on an optional layer, which the PDF's catalog shows or hides. */
function readLayer(catalog: (layer: string) => string, isForm = false): Promise<string> {
  const pdf = new PdfBuilder();
  const layer = pdf.add('<</Type/OCG/Name(Draft)>>');
  const text = 'BT /F1 12 Tf 72 600 Td (Secret words) Tj ET';
  const form = pdf.addStream(text, `/Type/XObject/Subtype/Form/BBox[0 0 595 842]/OC ${layer}`);
  const content = `${showLines(VISIBLE)} ${isForm ? '/X Do' : `/OC /L BDC ${text} EMC`}`;
  pdf.addPage({ content, resources: `/Properties<</L ${layer}>>/XObject<</X ${form}>>` });
  return read(pdf.build({ catalog: `/OCProperties<</OCGs[${layer}]/D<<${catalog(layer)}>>>>` }));
}

describe('text of a PDF that no reader sees', () => {
  for (const [what, content, resources] of [
    ['invisible text', show('3 Tr')],
    ['text that only clips', show('7 Tr')],
    ['transparent text', show('/G gs'), '/ExtGState<</G<</ca 0>>>>'],
    ['white text', show('1 1 1 rg')],
    ['white text of decimals', show('1.0 1.0 1.0 rg')],
    ['white text of CMYK', show('0 0 0 0 k')],
    ['white text next to a box', show(`0 g 50 100 400 60 re f 1 g`)],
    ['white text on a white box', show(`1 g ${BOX}`)],
    ['text of half a point', show('0.04 0 0 0.04 72 600 cm')],
  ] as const)
    it(`is left out: ${what}`, async () => assert.equal(await readPage(content, resources), VISIBLE));

  it('is left out of a line with visible text', async () => {
    const line = 'BT /F1 12 Tf 72 600 Td (Shown) Tj 3 Tr ( secret) Tj 0 Tr ( here) Tj ET';
    assert.equal(await readPage(`${showLines(VISIBLE)} ${line}`), `${VISIBLE}\n\nShown here`);
  });

  for (const isForm of [false, true])
    it(`is left out on a layer that is off, ${isForm ? 'as a form' : 'marked in the page'}`, async () => {
      assert.equal(await readLayer((layer) => `/OFF[${layer}]`, isForm), VISIBLE);
      assert.equal(await readLayer(() => '/BaseState/OFF', isForm), VISIBLE);
      for (const shown of [() => '/ON[]', (layer: string) => `/BaseState/OFF/ON[${layer}]`])
        assert.equal(await readLayer(shown, isForm), `${VISIBLE}\n\nSecret words`);
    });
});

describe('text of a PDF that is visible, or is the only text of its page,', () => {
  const expected = `${VISIBLE}\n\nSecret words`;
  for (const [what, content, resources] of [
    ['white text on a box', show(`0 g ${BOX} 1 g`)],
    ['white text on a box that a form draws', show('0 g /Box Do 1 g')],
    [
      'white text on a shading',
      show('/S sh 1 g'),
      '/Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 9 9]/Function<</FunctionType 2/Domain[0 1]/N 1>>>>>>',
    ],
    ['white text with an outline', show('1 g 2 Tr')],
    ['text after the mode is restored', show('q 3 Tr Q')],
  ] as const)
    it(`is read: ${what}`, async () => {
      const pdf = new PdfBuilder();
      const box = pdf.addStream(BOX, '/Type/XObject/Subtype/Form/BBox[0 0 595 842]');
      pdf.addPage({ content, resources: `/XObject<</Box ${box}>>${resources ?? ''}` });
      assert.equal(await read(pdf.build()), expected);
    });

  it('is read as the invisible text of a recognized scan, drawn before or after its picture', async () => {
    const text = 'BT /F1 12 Tf 3 Tr 72 600 Td (The fees of the harbour are due in May) Tj ET';
    const picture = 'q 595 0 0 842 0 0 cm /Im Do Q';
    for (const content of [`${picture} ${text}`, `${text} ${picture}`]) {
      const pdf = new PdfBuilder();
      const image = pdf.addStream(Buffer.from([0, 90, 180, 250]), PICTURE);
      pdf.addPage({ content, resources: `/XObject<</Im ${image}>>` });
      assert.equal(await read(pdf.build()), 'The fees of the harbour are due in May');
    }
  });

  it('is read on a layer that is off, if the page has no other text, as in recognized scans', async () => {
    const pdf = new PdfBuilder();
    const layer = pdf.add('<</Type/OCG/Name(Text)>>');
    const image = pdf.addStream(Buffer.from([0, 90, 180, 250]), PICTURE);
    const text = 'BT /F1 12 Tf 72 600 Td (Fees are due in May) Tj ET';
    const content = `q 595 0 0 842 0 0 cm /Im Do Q /OC /L BDC ${text} EMC`;
    pdf.addPage({ content, resources: `/Properties<</L ${layer}>>/XObject<</Im ${image}>>` });
    const catalog = `/OCProperties<</OCGs[${layer}]/D<</OFF[${layer}]>>>>`;
    assert.equal(await read(pdf.build({ catalog })), 'Fees are due in May');
  });

  it('is read however small it is, if the page has no larger text', async () => {
    assert.equal(
      await readPage('0.04 0 0 0.04 72 600 cm BT /F1 12 Tf 72 600 Td (Fees are due in May) Tj ET'),
      'Fees are due in May',
    );
  });

  it('is read, although invisible, if the page draws its letters as shapes', async () => {
    const shapes = '72 600 m 80 610 l 90 600 l f';
    assert.equal(
      await readPage(`${shapes} BT /F1 12 Tf 3 Tr 72 600 Td (Fees are due in May) Tj ET`),
      'Fees are due in May',
    );
  });
});

describe('hasSignsOfHiddenText', () => {
  const findSigns = (content: string, isDeflated = true) => {
    const pdf = new PdfBuilder();
    const stream = isDeflated ? deflateSync(content) : Buffer.from(content);
    const entries = isDeflated ? '/Filter/FlateDecode' : '';
    pdf.addStream(stream, entries);
    return hasSignsOfHiddenText(pdf.addPage({ content: showLines(VISIBLE) }).build());
  };

  it('finds operators and transparency in streams, compressed or not', () => {
    for (const isDeflated of [true, false]) {
      for (const content of ['3 Tr (a) Tj ET', '1 g BT (a) Tj ET', '0 0 0 0 k [(a)]TJ ET', '<</ca 0/CA 1>>'])
        assert.equal(findSigns(content, isDeflated), true, content);
      for (const content of ['0 Tr (a) Tj ET', '1 g 0 0 9 9 re f', '0.1 g (a) Tj ET', '<</ca 0.5>>', ''])
        assert.equal(findSigns(content, isDeflated), false, content);
    }
  });

  itInSoak('searches 16 MB of hostile operators in less than 3 s', () => {
    for (const unit of ['1 g ', '1 1 ', '0 0 0 0 ', '3 ', '1   ', 'stream\n', '/ca 0'])
      assertCpuBelow(3000, () => findSigns(unit.repeat(16_000_000 / unit.length)), unit);
  });
});
