import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PdfBuilder, showLines } from './build-pdf.ts';
import { extractBytes } from '../extraction-support.ts';
import { selectCases } from '../../../support/it-in-soak.ts';

const read = async (pdf: Buffer) =>
  (await extractBytes(pdf, 'a.pdf')).sections.map(({ text }) => text).join('\n\n');

/** Test sentences for each of Adobe's collections of East Asian characters. */
const sentences = {
  Japan1: '配送は三日かかります',
  Korea1: '배송은 사흘 걸립니다',
  GB1: '送货需要三天时间',
  CNS1: '送貨需要三天時間',
};

const encodings: [keyof typeof sentences, string[], string][] = [
  ['Japan1', ['H', 'V'], '475b4177244f3b30467c242b242b246a245e2439'],
  ['Japan1', ['90ms-RKSJ-H', '90ms-RKSJ-V'], '947a919782cd8e4f93fa82a982a982e882dc82b7'],
  ['Japan1', ['EUC-H'], 'c7dbc1f7a4cfbbb0c6fca4aba4aba4eaa4dea4b9'],
  ['Japan1', ['UniJIS-UCS2-H', 'UniJIS-UTF16-V'], '914d9001306f4e0965e5304b304b308a307e3059'],
  ['Korea1', ['KSC-EUC-H', 'KSCms-UHC-H'], 'b9e8bcdbc0ba20bbe7c8ea20b0c9b8b3b4cfb4d9'],
  ['Korea1', ['UniKS-UCS2-H', 'UniKS-UTF16-V'], 'bc30c1a1c7400020c0acd7580020ac78b9bdb2c8b2e4'],
  ['GB1', ['GB-EUC-H', 'GBK-EUC-H', 'GBKp-EUC-V', 'GBK2K-H'], 'cbcdbbf5d0e8d2aac8fdcceccab1bce4'],
  ['GB1', ['UniGB-UCS2-H', 'UniGB-UTF16-H'], '90018d27970089814e09592965f695f4'],
  ['CNS1', ['B5pc-H', 'ETen-B5-V', 'ETenms-B5-H', 'HKscs-B5-H'], 'b065b366bbddad6ea454a4d1aec9b6a1'],
  ['CNS1', ['UniCNS-UCS2-H', 'UniCNS-UTF16-H'], '90018ca8970089814e09592966429593'],
];

function addFont(pdf: PdfBuilder, collection: string, encoding: string): string {
  const system = `/CIDSystemInfo<</Registry(Adobe)/Ordering(${collection})/Supplement 2>>`;
  const descriptor = pdf.add(
    '<</Type/FontDescriptor/FontName/Sample/Flags 4/FontBBox[0 -120 1000 880]/ItalicAngle 0' +
      '/Ascent 880/Descent -120/CapHeight 700/StemV 80>>',
  );
  const descendant = pdf.add(
    `<</Type/Font/Subtype/CIDFontType0/BaseFont/Sample${system}/DW 1000/FontDescriptor ${descriptor}>>`,
  );
  return pdf.add(
    `<</Type/Font/Subtype/Type0/BaseFont/Sample/Encoding ${encoding}/DescendantFonts[${descendant}]>>`,
  );
}

describe('extractDocument of a PDF with unusual fonts', () => {
  for (const [collection, names, hex] of encodings) {
    for (const name of selectCases(names, 4)) {
      it(`decodes ${name}, which the PDF names without embedding it`, async () => {
        const pdf = new PdfBuilder();
        const font = addFont(pdf, collection, `/${name}`);
        pdf.addPage({
          content: `BT /F1 12 Tf 300 700 Td <${hex}> Tj ET`,
          resources: `/Font<</F1 ${font}>>`,
        });
        assert.equal(await read(pdf.build()), sentences[collection]);
      });
    }
  }

  it('decodes the glyph numbers of a collection', async () => {
    const pdf = new PdfBuilder();
    const font = addFont(pdf, 'Japan1', '/Identity-H');
    // Numbers of the glyphs of あいうえお in the character collection Adobe-Japan1.
    const content = 'BT /F1 12 Tf 72 700 Td <034b034d034f03510353> Tj ET';
    pdf.addPage({ content, resources: `/Font<</F1 ${font}>>` });
    assert.equal(await read(pdf.build()), 'あいうえお');
  });

  it('decodes an embedded CMap that extends a predefined CMap', async () => {
    const pdf = new PdfBuilder();
    const map = pdf.addStream(
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /90ms-RKSJ-H usecmap\n' +
        '/CMapName /Own-H def /CMapType 1 def endcmap end end',
      '/Type/CMap/CMapName/Own-H/UseCMap/90ms-RKSJ-H',
    );
    const font = addFont(pdf, 'Japan1', map);
    const content = 'BT /F1 12 Tf 72 700 Td <947a919782cd8e4f93fa> Tj ET';
    pdf.addPage({ content, resources: `/Font<</F1 ${font}>>` });
    assert.equal(await read(pdf.build()), '配送は三日');
  });

  it('reads vertical lines from right to left', async () => {
    const pdf = new PdfBuilder();
    const font = addFont(pdf, 'Japan1', '/UniJIS-UCS2-V');
    const column = (x: number, hex: string) => `BT /F1 12 Tf ${x} 700 Td <${hex}> Tj ET`;
    // 配送は, 三日, かかります.
    const columns = [
      column(500, '914d9001306f'),
      column(480, '4e0965e5'),
      column(460, '304b304b308a307e3059'),
    ];
    pdf.addPage({ content: columns.join('\n'), resources: `/Font<</F1 ${font}>>` });
    assert.equal(await read(pdf.build()), '配送は\n三日\nかかります');
  });

  it('reads rotated text line by line, and the shorter upright text after it', async () => {
    const lines = ['The harbour opens at six.', 'It closes at nine.', 'Boats wait outside.'];
    const rotate = (matrix: string, [x, y]: number[], [dx, dy]: number[]) =>
      lines.map(
        (line, row) => `BT /F1 12 Tf ${matrix} ${x! + row * dx!} ${y! + row * dy!} Tm (${line}) Tj ET`,
      );
    const matrices: [string, number[], number[]][] = [
      ['0 1 -1 0', [100, 100], [14, 0]],
      ['-1 0 0 -1', [500, 100], [0, 14]],
      ['0 -1 1 0', [500, 700], [-14, 0]],
    ];
    for (const [matrix, start, step] of matrices) {
      const content = ['BT /F1 12 Tf 72 20 Td (Sheet 9) Tj ET', ...rotate(matrix, start, step)].join('\n');
      const pdf = new PdfBuilder().addPage({ content }).build();
      const [text, sheet] = (await read(pdf)).split('\n\n');
      assert.deepEqual([text?.split(/\s+/).join(' '), sheet], [lines.join(' '), 'Sheet 9'], matrix);
    }
  });

  it('reads text in a standard font that is not embedded', async () => {
    const pdf = new PdfBuilder();
    const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Symbol>>');
    pdf.addPage({
      content: `${showLines('Gauge').replace('F1', 'F2')}\nBT /F1 12 Tf 72 600 Td (abg) Tj ET`,
      resources: `/Font<</F1 ${font}/F2 ${pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')}>>`,
    });
    assert.equal(await read(pdf.build()), 'Gauge\n\nαβγ');
  });
});
