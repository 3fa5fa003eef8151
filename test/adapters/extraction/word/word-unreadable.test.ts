import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { paragraph, readWordText, run, wordParts, wordRelationships } from './word-support.ts';

const WHITE = '<w:color w:val="FFFFFF"/>';
const TINY = '<w:sz w:val="2"/>';
const BLUE = '<w:shd w:val="clear" w:fill="1F4E79"/>';
const FEE = run('Five euros. ');
const HIDDEN = 'Five euros.';
const SHOWN = 'Five euros. More';
const white = run('More', WHITE);

const style = (type: string, id: string, properties: string) =>
  `<w:style w:type="${type}" w:styleId="${id}">${properties}</w:style>`;
const styles = {
  'word/styles.xml': `<w:styles>${style('character', 'White', `<w:rPr>${WHITE}</w:rPr>`)}${style('character', 'Child', '<w:basedOn w:val="White"/>')}${style('character', 'Tiny', `<w:rPr>${TINY}</w:rPr>`)}${style('paragraph', 'Secret', `<w:rPr>${WHITE}</w:rPr>`)}${style('paragraph', 'Banner', `<w:pPr>${BLUE}</w:pPr><w:rPr>${WHITE}</w:rPr>`)}${style('table', 'Grid', `<w:tblStylePr w:type="firstRow"><w:rPr>${WHITE}</w:rPr><w:tcPr>${BLUE}</w:tcPr></w:tblStylePr>`)}${style('table', 'Plain', '<w:tblPr/>')}</w:styles>`,
};

const cells = (...contents: [text: string, properties?: string][]) =>
  `<w:tr>${contents.map(([text, properties = '']) => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`).join('')}</w:tr>`;
const table = (properties: string, ...rows: string[]) =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr>${rows.join('')}</w:tbl>`;

describe('extractDocument of a Word document with unreadable text', () => {
  it('omits white text and letters of one point, by the run and by its styles', async () => {
    for (const properties of [
      WHITE,
      '<w:color w:val="fefefe"/>',
      TINY,
      '<w:sz w:val="1"/>',
      '<w:rStyle w:val="White"/>',
      '<w:rStyle w:val="Child"/>',
      '<w:rStyle w:val="Tiny"/>',
      `${WHITE}<w:shd w:val="clear" w:fill="FFFFFF"/>`,
      `${WHITE}<w:shd w:val="clear" w:color="auto" w:fill="auto"/>`,
    ])
      assert.equal(
        await readWordText(paragraph(FEE + run('Secret', properties)), styles),
        HIDDEN,
        properties,
      );
    const secret = paragraph(run('Secret'), '<w:pStyle w:val="Secret"/>');
    assert.equal(await readWordText(paragraph(FEE) + secret, styles), HIDDEN);
    const plain = table('<w:tblStyle w:val="Plain"/>', cells([FEE], [white]));
    assert.equal(await readWordText(plain, styles), '| Five euros. |\n| --- |');
  });

  it('reads text in other colors and sizes, even if its styles are white', async () => {
    for (const properties of [
      '<w:color w:val="auto"/>',
      '<w:color w:val="C0C0C0"/>',
      '<w:rStyle w:val="White"/><w:color w:val="000000"/>',
      '<w:rStyle w:val="Tiny"/><w:sz w:val="24"/>',
      '<w:sz w:val="3"/>',
    ])
      assert.equal(await readWordText(paragraph(FEE + run('More', properties)), styles), SHOWN, properties);
  });

  it('reads white text on a color of its run, paragraph, cell, table or style', async () => {
    for (const content of [
      paragraph(FEE + run('More', WHITE + BLUE)),
      paragraph(FEE + run('More', `${WHITE}<w:shd w:val="solid" w:color="000000" w:fill="auto"/>`)),
      paragraph(FEE + run('More', `${WHITE}<w:highlight w:val="black"/>`)),
      paragraph(FEE + run('More', `${WHITE}<w14:textOutline/>`)),
      paragraph(FEE + white, BLUE),
      paragraph(FEE + run('More'), '<w:pStyle w:val="Banner"/>'),
      table('', cells([FEE + white, BLUE])),
    ])
      assert.equal(await readWordText(content, styles), SHOWN, content);
    const row = cells([FEE], [white]);
    for (const content of [
      table('<w:tblStyle w:val="Grid"/>', row),
      table(BLUE, row),
      table('', cells([FEE], [white, BLUE])),
    ])
      assert.equal(await readWordText(content, styles), '| Five euros. | More |\n| --- | --- |', content);
  });

  it('reads white text in text boxes, and on pages with a color or with pictures behind the text', async () => {
    const box = (text: string) => `<w:r><w:drawing><w:txbxContent>${text}</w:txbxContent></w:drawing></w:r>`;
    assert.equal(await readWordText(paragraph(FEE + box(paragraph(white)))), 'Five euros.\n\nMore');
    const behind = '<w:r><w:drawing><wp:anchor behindDoc="1"/></w:drawing></w:r>';
    const old = '<w:r><w:pict><v:rect style="position:absolute;z-index:-2"/></w:pict></w:r>';
    const line = paragraph(FEE + white);
    for (const shape of [behind, old]) assert.equal(await readWordText(line + paragraph(shape)), SHOWN);
    const header = {
      ...wordRelationships({}, { h: ['header', 'header1.xml'] }),
      'word/header1.xml': `<w:hdr>${paragraph(behind)}</w:hdr>`,
    };
    assert.equal(await readWordText(line, header), SHOWN);
    for (const [color, text] of [
      ['1F4E79', SHOWN],
      ['FFFFFF', HIDDEN],
    ] as const) {
      const page = wordParts(line)['word/document.xml'].replace(
        '<w:body>',
        `<w:background w:color="${color}"/><w:body>`,
      );
      assert.equal(await readWordText('', { 'word/document.xml': page }), text);
    }
  });

  it('reads the description of a picture in a white run', async () => {
    const picture =
      '<w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:drawing><wp:inline><wp:docPr descr="A red boat"/><pic:pic/></wp:inline></w:drawing></w:r>';
    assert.equal(await readWordText(paragraph(FEE + picture)), 'Five euros. A red boat');
  });
});
