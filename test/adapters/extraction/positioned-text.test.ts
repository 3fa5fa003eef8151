import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PdfBuilder } from './pdf/build-pdf.ts';
import { buildZip } from './build-zip.ts';
import { extractBytes } from './extraction-support.ts';
import { readBetween } from './html/page-support.ts';
import { paragraph, readWordText, run } from './word/word-support.ts';

const raised = '<w:vertAlign w:val="superscript"/>';
const lowered = '<w:vertAlign w:val="subscript"/>';

describe('raised and lowered text', () => {
  for (const [html, text] of [
    ['10<sup>3</sup> seats', '10³ seats'],
    ['<b>10</b><sup>-6</sup>', '**10**⁻⁶'],
    ['m<sup>2</sup>, H<sub>2</sub>O and Ca<sup>2+</sup>', 'm², H₂O and Ca²⁺'],
    ['x<sup>n</sup>, x<sup>n+1</sup>, V<sub>max</sub>', 'xⁿ, x^(n+1), V_max'],
    ['1<sup>1</sup>/<sub>2</sub> cups', '1¹/₂ cups'],
    ['the price<sup>1</sup> and fee<sup><a href="#f2">2</a></sup>', 'the price¹ and fee²'],
    ['a fact.<sup id="c"><a href="#n">[3]</a></sup>', 'a fact.[3]'],
    ['a fact<sup><a href="https://x.test/3">3</a></sup>', 'a fact[³](https://x.test/3)'],
    ['the 1<sup>st</sup> and 2<sup>e</sup> Brand<sup>TM</sup>', 'the 1st and 2e BrandTM'],
    ['$19<sup>99</sup> or 9,<sup>99</sup> €', '$19.99 or 9,99 €'],
    ['3·<math><msup><mn>10</mn><mn>8</mn></msup></math> m/s', '3·10⁸ m/s'],
    [
      'a <span class="katex"><span class="katex-mathml"><math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>x</span><span>2</span></span></span> b',
      'a x² b',
    ],
    ['words <sub>all prices include tax</sub>', 'words all prices include tax'],
  ] as const)
    it(`is read from ${html} as ${text}`, async () =>
      assert.deepEqual(await readBetween(`<p>${html}</p>`), [text]));

  it('is read in Word documents', async () =>
    assert.equal(
      await readWordText(
        paragraph(
          run('10') +
            run('3', raised) +
            run(' and H') +
            run('2', lowered) +
            run('O, the 1') +
            run('st', raised),
        ),
      ),
      '10³ and H₂O, the 1st',
    ));

  it('is read in presentations', async () => {
    const office = 'application/vnd.openxmlformats-officedocument.presentationml';
    const { sections } = await extractBytes(
      buildZip({
        '[Content_Types].xml': `<Types><Override ContentType="${office}.presentation.main+xml"/></Types>`,
        'ppt/presentation.xml':
          '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels':
          '<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/slide1.xml"/></Relationships>',
        'ppt/slides/slide1.xml':
          '<p:sld><p:sp><p:txBody><a:p><a:r><a:rPr/><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>3</a:t></a:r>' +
          '<a:r><a:t> of CO</a:t></a:r><a:r><a:rPr baseline="-25000"/><a:t>2</a:t></a:r></a:p></p:txBody></p:sp></p:sld>',
      }),
      'a.pptx',
    );
    assert.equal(sections[0]?.text, '10³ of CO₂');
  });

  it('is read in cells of workbooks', async () => {
    const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const area =
      '<r><t>Area in m</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r><r><t> here</t></r>';
    const { sections } = await extractBytes(
      buildZip({
        '[Content_Types].xml':
          '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        'xl/workbook.xml':
          '<workbook><sheets><sheet name="Rooms" sheetId="1" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${related}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${related}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
        'xl/sharedStrings.xml': `<sst><si>${area}</si></sst>`,
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="s"><v>0</v></c></row><row><c t="inlineStr"><is>${area}</is></c></row></sheetData></worksheet>`,
      }),
      'a.xlsx',
    );
    assert.equal(sections[0]?.text.match(/Area in m² here/g)?.length, 2);
  });

  it('is read in OpenDocument texts', async () => {
    const mimetype = 'application/vnd.oasis.opendocument.text';
    const style = (name: string, position: string) =>
      `<style:style style:name="${name}" style:family="text"><style:text-properties style:text-position="${position}"/></style:style>`;
    const { sections } = await extractBytes(
      buildZip({
        mimetype,
        'content.xml':
          `<office:document-content><office:automatic-styles>${style('T1', 'super 58%')}${style('T2', '-33% 58%')}</office:automatic-styles><office:body><office:text>` +
          '<text:p>10<text:span text:style-name="T1">3</text:span> of H<text:span text:style-name="T2">2</text:span>O</text:p></office:text></office:body></office:document-content>',
      }),
      'a.odt',
    );
    assert.equal(sections[0]?.text, '10³ of H₂O');
  });

  it('is read in PDFs by its size and height', async () => {
    const content =
      'BT /F1 12 Tf 72 700 Td (The hall has 10) Tj ET BT /F1 7 Tf 154 705 Td (3) Tj ET BT /F1 12 Tf 158 700 Td ( seats.) Tj ET\n' +
      'BT /F1 12 Tf 72 640 Td (Drink more H) Tj ET BT /F1 7 Tf 143 637 Td (2) Tj ET BT /F1 12 Tf 147 640 Td (O than tea.) Tj ET';
    const { sections } = await extractBytes(new PdfBuilder().addPage({ content }).build(), 'a.pdf');
    assert.equal(sections[0]?.text, 'The hall has 10³ seats.\n\nDrink more H₂O than tea.');
  });
});
