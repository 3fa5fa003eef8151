import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assertUnreadable, extractBytes, extractFixture } from '../extraction-support.ts';
import { buildZip } from '../build-zip.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { assertAsyncCpuBelow } from '../../../support/cost.ts';

describe('extractDocument of an OpenDocument text', () => {
  const mimetype = 'application/vnd.oasis.opendocument.text';
  const readText = (body: string, more: Record<string, string> = {}) =>
    extractBytes(
      buildZip({
        mimetype,
        'content.xml': `<office:document-content><office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/></office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
        ...more,
      }),
      'a.odt',
    );

  it('returns headings, lists, tables and links', async () => {
    const { title, mimeType, sections } = await extractFixture('rental-terms.odt');
    assert.deepEqual([title, mimeType], ['Mietbedingungen', mimetype]);
    assert.deepEqual(sections, [
      { headings: ['Mietbedingungen'], text: 'Diese Bedingungen gelten für alle Boote.' },
      {
        headings: ['Mietbedingungen', 'Kaution'],
        text: 'Die Kaution beträgt 50 Euro, siehe [Kaution](https://example.com/kaution).\n\n1. Boot prüfen\n2. Weste anlegen\n  - Gurte schließen\n\n| Boot | Preis |\n| --- | --- |\n| Kanu | 12 € |',
      },
      { headings: ['Mietbedingungen', 'Kaution', 'Rückgabe'], text: 'Bis 18 Uhr.' },
    ]);
  });

  it('puts notes after their section, and omits deletions, comments, contents and descriptions', async () => {
    const { sections } = await readText(
      '<text:tracked-changes><text:changed-region><text:deletion><text:p>Deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>' +
        '<text:table-of-content><text:index-body><text:p>Contents</text:p></text:index-body></text:table-of-content>' +
        '<text:p text:style-name="P1">Terms</text:p>' +
        '<text:p>Pay<text:s text:c="3"/>in   advance<text:note><text:note-citation>i</text:note-citation><text:note-body><text:p>By card.</text:p></text:note-body></text:note>.<office:annotation><text:p>Comment</text:p></office:annotation><draw:frame><svg:desc>Picture</svg:desc><draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame></text:p>' +
        '<text:section text:display="none"><text:p>Hidden</text:p></text:section>' +
        '<text:h text:outline-level="2">Late</text:h><text:p>Costs more.</text:p>' +
        '<table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Both</text:p></table:table-cell><table:covered-table-cell><text:p>Covered</text:p></table:covered-table-cell></table:table-row><table:table-row><table:table-cell><text:p>a</text:p><text:p>b</text:p></table:table-cell><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table>',
    );
    assert.deepEqual(sections, [
      { headings: ['Terms'], text: 'Pay in advance[1]. Boxed\n\n[1] By card.' },
      { headings: ['Terms', 'Late'], text: 'Costs more.\n\n| Both |  |\n| --- | --- |\n| a b | c |' },
    ]);
  });

  it('reads equations and fields', async () => {
    const object = (number: number) =>
      `<draw:frame><draw:object xlink:href="./Object ${number}"/><draw:image xlink:href="./ObjectReplacements/${number}"/></draw:frame>`;
    const mathml = (content: string) =>
      `<math><semantics><mrow>${content}</mrow><annotation>x</annotation></semantics></math>`;
    const square = '<msup><mi>r</mi><mn>2</mn></msup>';
    const { sections } = await readText(
      `<text:p>area: ${object(1)} as usual<text:hidden-text text:is-hidden="true">secret</text:hidden-text></text:p>` +
        `<text:p>${object(2)}${object(3)}<draw:object><math:math><math:mi>b</math:mi></math:math></draw:object></text:p>` +
        '<text:p>see <text:bookmark-ref>part four</text:bookmark-ref> of <text:date>1 March</text:date></text:p>',
      {
        'Object 1/content.xml': mathml(`<mi>A</mi><mo>=</mo><mi>π</mi>${square}`),
        'Object 2/content.xml': mathml(
          '<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac><mo>=</mo><msqrt><mi>x</mi></msqrt><mo>+</mo>' +
            '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub><mo>+</mo>' +
            '<mfenced open="(" close=")"><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable></mfenced><mo>=</mo>',
        ),
        'Object 3/content.xml': '<math><mi>damaged',
      },
    );
    assert.deepEqual(sections, [
      {
        headings: [],
        text: 'area: A=πr² as usual\n\n(a+1)/2=√x+∑_(i=1)^n xᵢ+(1, 0; 0, 1)=damagedb\n\nsee part four of 1 March',
      },
    ]);
  });

  it('reads a chart once as its title and table, and pictures as their descriptions', async () => {
    const chart =
      '<draw:frame><draw:object xlink:href="./Chart"/><draw:image xlink:href="./Copy"/></draw:frame>';
    const picture = (description: string) =>
      `<draw:frame><draw:image xlink:href="a.png"/><draw:image xlink:href="a.svg"/>${description}</draw:frame>`;
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const row = (...texts: string[]) => `<table:table-row>${texts.map(cell).join('')}</table:table-row>`;
    const { sections } = await readText(
      `<text:p>Guests a year:${chart}</text:p><text:p>Again ${chart}</text:p>` +
        `<text:p>${picture('<svg:title>Boat</svg:title><svg:desc>A red boat</svg:desc>')}</text:p>${picture('<svg:title>Map</svg:title>')}` +
        `<table:table>${row('Year', `Chart ${chart.replace('./Chart', './Small')}`)}</table:table>`,
      {
        'Chart/content.xml': `<office:chart><chart:chart><chart:title><text:p>Guests</text:p></chart:title><chart:plot-area/><table:table><table:table-header-rows>${row('', 'Canoe')}</table:table-header-rows><table:table-rows>${row('2025', '340')}</table:table-rows></table:table></chart:chart></office:chart>`,
        'Small/content.xml': `<chart:chart><chart:plot-area/><table:table>${row('2024', '120')}</table:table></chart:chart>`,
      },
    );
    assert.deepEqual(sections, [
      {
        headings: [],
        text: 'Guests a year:\n\nGuests\n\n|  | Canoe |\n| --- | --- |\n| 2025 | 340 |\n\nAgain\n\nA red boat\n\nMap\n\n| Year | Chart 2024 | 120 |\n| --- | --- |',
      },
    ]);
  });

  it('repeats a short cell of a table in the rows that it covers', async () => {
    const cell = (text: string, span = '') =>
      `<table:table-cell ${span}><text:p>${text}</text:p></table:table-cell>`;
    const covered = '<table:covered-table-cell/>';
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
    const two = 'table:number-rows-spanned="2"';
    const long = 'x'.repeat(301);
    const { sections } = await readText(
      `<table:table>${row(cell('Boat', two), cell('Canoe'), cell('12'), cell(long, two))}${row(covered, cell('Kayak'), cell('9'), covered)}` +
        `${row(cell('Both', 'table:number-columns-spanned="2"'), covered, cell('20'))}</table:table>`,
    );
    assert.equal(
      sections[0]!.text,
      `| Boat | Canoe | 12 | ${long} |\n| --- | --- | --- | --- |\n| Boat | Kayak | 9 |  |\n| Both |  | 20 |  |`,
    );
  });

  it('omits text that styles, sections, fields or rows hide', async () => {
    const styles =
      '<office:document-styles><office:styles><style:style style:name="Base" style:family="text"><style:text-properties text:display="none"/></style:style><style:style style:name="Secret" style:family="paragraph"><style:text-properties text:display="none"/></style:style></office:styles></office:document-styles>';
    const { sections } = await extractBytes(
      buildZip({
        mimetype,
        'styles.xml': styles,
        'content.xml':
          '<office:document-content><office:automatic-styles><style:style style:name="T1" style:family="text" style:parent-style-name="Base"/><style:style style:name="T2" style:family="text" style:parent-style-name="Base"><style:text-properties text:display="true"/></style:style><style:style style:name="T3" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles><office:body><office:text>' +
          '<text:p>a <text:span text:style-name="T1">secret</text:span><text:span text:style-name="T2">b </text:span><text:span text:style-name="T3">c</text:span></text:p>' +
          '<text:p text:style-name="Secret">secret</text:p><text:p>secret<text:hidden-paragraph text:is-hidden="true"/></text:p>' +
          '<text:section text:display="condition" text:is-hidden="true"><text:p>secret</text:p></text:section>' +
          '<table:table><table:table-row table:visibility="collapse"><table:table-cell><text:p>secret</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>d</text:p></table:table-cell></table:table-row></table:table>' +
          '</office:text></office:body></office:document-content>',
      }),
      'a.odt',
    );
    assert.deepEqual(sections, [{ headings: [], text: 'a b c\n\n| d |\n| --- |' }]);
  });

  it('omits white text on white and letters of one point, unless the text has a background', async () => {
    const style = (name: string, family: string, properties: string, parent = '') =>
      `<style:style style:name="${name}" style:family="${family}" style:parent-style-name="${parent}"><style:text-properties ${properties}/></style:style>`;
    const read = async (more = '') => {
      const { sections } = await extractBytes(
        buildZip({
          mimetype,
          'styles.xml': `<office:document-styles><office:styles>${style('White', 'text', 'fo:color="#FFFFFF"')}</office:styles></office:document-styles>`,
          'content.xml': `<office:document-content><office:automatic-styles>${style('T1', 'text', 'fo:font-weight="bold"', 'White')}${style('T2', 'text', 'fo:font-size="1pt"')}${style('T3', 'text', 'fo:color="#000000"', 'White')}${style('T4', 'text', 'fo:font-size="8pt"')}${style('P2', 'paragraph', 'fo:color="#fefefe"')}${more}</office:automatic-styles><office:body><office:text><text:p>a <text:span text:style-name="T1">white</text:span> <text:span text:style-name="T2">tiny</text:span> <text:span text:style-name="T3">b</text:span> <text:span text:style-name="T4">c</text:span></text:p><text:p text:style-name="P2">white <text:span text:style-name="T3">d</text:span> <text:span text:style-name="T4">white</text:span></text:p></office:text></office:body></office:document-content>`,
        }),
        'a.odt',
      );
      return sections[0]!.text;
    };
    assert.equal(await read(), 'a b c\n\nd');
    const cell = (attributes: string) =>
      `<style:style style:name="C" style:family="table-cell"><style:table-cell-properties ${attributes}/></style:style>`;
    assert.equal(await read(cell('fo:background-color="#ffffff"')), 'a b c\n\nd');
    for (const backdrop of [
      'fo:background-color="#000080"',
      'draw:fill="solid" draw:fill-color="#000080"',
      'style:run-through="background"',
    ])
      assert.equal(await read(cell(backdrop)), 'a white b c\n\nwhite d white', backdrop);
  });

  itInSoak('reads a paragraph with many links in linear time', async () => {
    const link = '<text:a xlink:href="https://a.test">b </text:a>';
    await assertAsyncCpuBelow(1500, async () => {
      const { sections } = await readText(`<text:p>${link.repeat(20_000)}</text:p>`);
      assert.equal(sections[0]!.text, '[b](https://a.test) '.repeat(20_000).trim());
    });
  });

  itInSoak('reads raised spans without text after long text in linear time', async () => {
    const styles =
      '<office:document-styles><style:style style:name="S" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style></office:document-styles>';
    const text = `${'word '.repeat(40_000)}<text:s/>`.repeat(3);
    const spans = '<text:span text:style-name="S"/>'.repeat(10_000);
    await assertAsyncCpuBelow(1500, () =>
      readText(`<text:p>${text}${spans}</text:p>`, { 'styles.xml': styles }),
    );
  });

  it('refuses an unreadable file with a reason', async () => {
    const manifest = {
      'META-INF/manifest.xml': '<manifest><file-entry><encryption-data/></file-entry></manifest>',
    };
    await assertUnreadable(
      readText('', manifest),
      'encrypted',
      'The OpenDocument text is protected by a password.',
    );
    await assertUnreadable(
      readText('<text:p> '),
      'damaged',
      'The OpenDocument text is damaged or has an unusual structure.',
    );
    await assertUnreadable(
      readText('<text:p/>'),
      'no_text',
      'The OpenDocument text contains no text. Parley reads text in pictures only in PDFs. Send a file with text.',
    );
    await assertUnreadable(
      readText(
        `<table:table><table:table-row><table:table-cell table:number-columns-repeated="1000"><text:p>${'word '.repeat(1000)}</text:p></table:table-cell></table:table-row></table:table>`,
      ),
      'too_large',
      'The OpenDocument text has larger tables than Parley can read.',
    );
    const repeat = (count: number, text: string) =>
      `<table:table-row><table:table-cell table:number-columns-repeated="${count}">${text}</table:table-cell></table:table-row>`;
    for (const rows of [
      repeat(-1_000_000, `<text:p>${'word '.repeat(1000)}</text:p>`) +
        repeat(1000, '<text:p>word</text:p>').repeat(300),
      repeat(1000, '').repeat(1100),
    ])
      await assertUnreadable(
        readText(`<table:table>${rows}</table:table><text:p>a</text:p>`),
        'too_large',
        'The OpenDocument text has larger tables than Parley can read.',
      );
    await assertUnreadable(
      readText(`<text:p>${' '.repeat(60_000_000)}</text:p>`),
      'too_large',
      'The OpenDocument text unpacks to more than Parley can read.',
    );
    await assertUnreadable(
      readText('<text:list>'.repeat(2000)),
      'damaged',
      'The document is damaged: its elements are nested too deeply.',
    );
  });
});
