import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bareField, field, paragraph, readWordText, run, wordRelationships } from './word-support.ts';

/** Asserts the text that Parley reads from a Word paragraph with each of these contents. */
async function assertTexts(cases: [content: string, text: string][], more: Record<string, string> = {}) {
  for (const [content, text] of cases)
    assert.equal(await readWordText(paragraph(content), more), text, content);
}

describe('extractDocument of a Word paragraph', () => {
  it('shows results of fields without their instructions', async () => {
    await assertTexts([
      [
        `${run('see ')}<w:fldSimple w:instr="REF _R1">${run('SECTION FOUR')}</w:fldSimple>${run(' for prices')}`,
        'see SECTION FOUR for prices',
      ],
      [run('page ') + field('PAGE', run('7')) + run(' of ') + field('NUMPAGES', run('9')), 'page 7 of 9'],
      [run('at ') + field('TIME', run('six')) + run(' pm'), 'at six pm'],
      [
        `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>${field('MERGEFIELD x', run('hidden'))}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('shown')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
        'shown',
      ],
      [
        run('box ') + bareField('FORMCHECKBOX', '<w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>'),
        'box ☒',
      ],
      [
        run('box ') +
          bareField('FORMCHECKBOX', '<w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData>'),
        'box ☐',
      ],
      [
        bareField(
          'FORMDROPDOWN',
          '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/></w:ddList></w:ffData>',
        ),
        'Blue',
      ],
      [run('a ') + bareField('SYMBOL 74 \\f Wingdings'), 'a ☺'],
      [bareField('MACROBUTTON NoMacro [Name of the guest]'), '[Name of the guest]'],
      [bareField('EQ \\f(1,2)'), '1/2'],
      [
        `${bareField('EQ \\* jc2 \\* "Font:Arial" \\* hps10 \\o\\ad(\\s\\up 9(とうきょう),東京)')}${run('駅')}`,
        '東京駅',
      ],
    ]);
  });

  it('reads the text after a field that is never closed', async () => {
    const open = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>';
    const body = paragraph(open + run('Contents')) + paragraph(run('see ') + field('REF a', run('four')));
    assert.equal(await readWordText(body), 'Contents\n\nsee four');
  });

  it('makes links of fields and elements with public addresses', async () => {
    const links = wordRelationships({ rId1: 'https://example.com/a', rId2: 'file:///c:/a' });
    await assertTexts(
      [
        [
          `${run('see ')}<w:hyperlink r:id="rId1">${run('prices')}</w:hyperlink>`,
          'see [prices](https://example.com/a)',
        ],
        [
          `<w:hyperlink r:id="rId1" w:anchor="b">${run('prices')}</w:hyperlink>`,
          '[prices](https://example.com/a#b)',
        ],
        [`<w:hyperlink r:id="rId2">${run('local')}</w:hyperlink>`, 'local'],
        [`<w:hyperlink r:id="rId9">${run('missing')}</w:hyperlink>`, 'missing'],
        [`<w:hyperlink w:anchor="b">${run('below')}</w:hyperlink>`, 'below'],
        [
          field('HYPERLINK "https://example.com/c"', run('here')) + run('.'),
          '[here](https://example.com/c).',
        ],
        [field('HYPERLINK \\l "b"', run('there')), 'there'],
        [
          `<w:fldSimple w:instr='HYPERLINK "mailto:a@example.com"'>${run('write')}</w:fldSimple>`,
          '[write](mailto:a@example.com)',
        ],
      ],
      links,
    );
  });

  it('reads through direction marks, content controls and other wrappers', async () => {
    await assertTexts([
      [
        `${run('one ')}<w:bdo w:val="rtl">${run('two ')}</w:bdo><w:dir w:val="ltr">${run('three')}</w:dir>`,
        'one two three',
      ],
      [
        `<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>${run('chosen')}</w:sdtContent></w:sdt>`,
        'chosen',
      ],
      [
        `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('☒')}</w:sdtContent></w:sdt>${run(' yes')}`,
        '☒ yes',
      ],
      [
        `<w:smartTag w:element="place">${run('Kiel')}</w:smartTag><w:customXml w:element="a">${run(' harbour')}</w:customXml>`,
        'Kiel harbour',
      ],
      [`<x:unknown>${run('future')}</x:unknown>`, 'future'],
    ]);
  });

  it('reads words with ruby annotations, without the annotations', async () => {
    const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('とうきょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby></w:r>`;
    await assertTexts([[run('「') + ruby + run('駅」'), '「東京駅」']]);
  });

  it('reads symbols, hyphens, tabs and line breaks', async () => {
    await assertTexts([
      ['<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>' + run(' done'), '✓ done'],
      ['<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>', 'α'],
      ['<w:r><w:sym w:font="Arial" w:char="20AC"/></w:r>' + run('5'), '€5'],
      ['<w:r><w:sym w:font="Unknown" w:char="F0FC"/></w:r>' + run('x'), 'x'],
      [run('\uf061 \uf062', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'), 'α β'],
      ['<w:r><w:t>Donau</w:t><w:softHyphen/><w:t>dampf</w:t></w:r>', 'Donaudampf'],
      ['<w:r><w:t>T</w:t><w:noBreakHyphen/><w:t>1000</w:t></w:r>', 'T\u20111000'],
      [
        '<w:r><w:t>Canoe</w:t><w:tab/><w:t>12 €</w:t><w:br/><w:t>Kayak</w:t><w:ptab/><w:t>9 €</w:t></w:r>',
        'Canoe 12 €\nKayak 9 €',
      ],
      ['<w:r><w:t>a</w:t><w:cr/><w:t>b</w:t></w:r>', 'a\nb'],
      ['<w:r><w:t xml:space="preserve">two\n  lines</w:t></w:r>', 'two lines'],
      [run('old ') + run('49 €', '<w:strike/>') + run(' 39 €'), 'old ~~49 €~~ 39 €'],
    ]);
  });

  it('shows what tracked changes insert, and omits what they delete', async () => {
    await assertTexts([
      [
        `${run('costs ')}<w:del><w:r><w:delText>49</w:delText></w:r></w:del><w:ins>${run('39')}</w:ins>`,
        'costs 39',
      ],
      [`<w:moveFrom>${run('gone ')}</w:moveFrom><w:moveTo>${run('moved')}</w:moveTo>`, 'moved'],
      [run('kept', '<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>'), 'kept'],
    ]);
    const joined = paragraph(run('Zebra'), '<w:rPr><w:del/></w:rPr>') + paragraph(run('fink'));
    assert.equal(await readWordText(joined), 'Zebrafink');
  });

  it('joins a large initial with its word', async () => {
    const body = paragraph(run('Z'), '<w:framePr w:dropCap="drop"/>') + paragraph(run('ebrafink'));
    assert.equal(await readWordText(body), 'Zebrafink');
  });
});

describe('extractDocument of a Word document with hidden text', () => {
  const styles = {
    'word/styles.xml':
      '<w:styles><w:style w:type="paragraph" w:default="1" w:styleId="N"/>' +
      '<w:style w:type="character" w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style>' +
      '<w:style w:type="character" w:styleId="Child"><w:basedOn w:val="Base"/></w:style>' +
      '<w:style w:type="character" w:styleId="Shown"><w:basedOn w:val="Base"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>' +
      '<w:style w:type="table" w:styleId="Grid"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>',
  };

  it('omits text that the run hides, or its styles if the run states nothing', async () => {
    await assertTexts(
      [
        [run('a ') + run('secret', '<w:vanish/>') + run('b'), 'a b'],
        [run('a ') + run('shown', '<w:vanish w:val="false"/>'), 'a shown'],
        [run('a ') + run('secret', '<w:rStyle w:val="Child"/>') + run('b'), 'a b'],
        [run('a ') + run('shown', '<w:rStyle w:val="Shown"/>'), 'a shown'],
        [run('a ') + run('shown', '<w:rStyle w:val="Child"/><w:vanish w:val="0"/>'), 'a shown'],
        [run('a ') + run('web', '<w:webHidden/>'), 'a web'],
        [
          `${run('a ')}<w:r><w:rPr><w:vanish/></w:rPr><w:sym w:font="Arial" w:char="20AC"/><w:tab/></w:r>${run('b')}`,
          'a b',
        ],
      ],
      styles,
    );
    const secret = '<w:pStyle w:val="Secret"/>';
    const body =
      paragraph(run('secret'), secret) +
      paragraph(run('shown', '<w:vanish w:val="0"/>'), secret) +
      paragraph(run('twice', '<w:rStyle w:val="Base"/>'), secret);
    assert.equal(await readWordText(body, styles), 'shown\n\ntwice');
  });

  it('omits text that is hidden by the styles of tables, or by the document’s default', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr><w:tr>${cell(run('secret'))}${cell(run('shown', '<w:vanish w:val="0"/>'))}</w:tr></w:tbl>`;
    assert.equal(await readWordText(table, styles), '|  | shown |\n| --- | --- |');
    const byDefault = {
      'word/styles.xml':
        '<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:vanish/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>',
    };
    const body = paragraph(run('secret') + run('shown', '<w:vanish w:val="0"/>'));
    assert.equal(await readWordText(body, byDefault), 'shown');
  });

  it('omits hidden rows, drawings and notes, and joins lines over a hidden paragraph mark', async () => {
    const row = (text: string, properties = '') =>
      `<w:tr>${properties && `<w:trPr>${properties}</w:trPr>`}<w:tc>${paragraph(run(text))}</w:tc><w:tc>${paragraph(run('1'))}</w:tc></w:tr>`;
    const table = `<w:tbl>${row('shown')}${row('secret', '<w:hidden/>')}${row('deleted', '<w:del/>')}</w:tbl>`;
    assert.equal(await readWordText(table), '| shown | 1 |\n| --- | --- |');
    const box = `<w:txbxContent>${paragraph(run('secret'))}</w:txbxContent>`;
    const drawing = `<w:r><w:drawing><wp:anchor><wp:docPr hidden="1"/>${box}</wp:anchor></w:drawing></w:r>`;
    const shape = `<w:r><w:pict><v:shape style="position:absolute;visibility:hidden"><v:textbox>${box}</v:textbox></v:shape></w:pict></w:r>`;
    assert.equal(await readWordText(paragraph(run('a') + drawing + shape)), 'a');
    const joined = paragraph(run('Zebra'), '<w:rPr><w:vanish/></w:rPr>') + paragraph(run('fink'));
    assert.equal(await readWordText(joined), 'Zebrafink');
    const separated =
      paragraph(run('Title'), '<w:outlineLvl w:val="0"/><w:rPr><w:vanish/><w:specVanish/></w:rPr>') +
      paragraph(run('Text'));
    assert.equal(await readWordText(separated), 'Text');
  });
});
