import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assertUnreadable, extractBytes, extractFixture } from './extraction-support.ts';
import { buildZip } from './build-zip.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

const officeType = 'application/vnd.openxmlformats-officedocument';

describe('extracting a PowerPoint presentation', () => {
  const slide = (content: string, attributes = '') =>
    `<p:sld ${attributes}><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`;
  const shape = (role: string, ...lines: string[]) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${role && `<p:ph type="${role}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines
      .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
      .join('')}</p:txBody></p:sp>`;
  const parts = (slides: string[], more: Record<string, string> = {}) => ({
    '[Content_Types].xml': `<Types><Override ContentType="${officeType}.presentationml.presentation.main+xml"/></Types>`,
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_slide, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${slides.map((_slide, index) => `<Relationship Id="r${index}" Type="x/slide" Target="slides/slide${9 - index}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(slides.map((content, index) => [`ppt/slides/slide${9 - index}.xml`, content])),
    ...more,
  });

  it('reads slides in order, with lists, tables, charts, groups and notes, without hidden slides', async () => {
    const { title, mimeType, sections } = await extractFixture('safety.pptx');
    assert.deepEqual(
      { title, mimeType },
      { title: 'Safety on the water', mimeType: `${officeType}.presentationml.presentation` },
    );
    assert.deepEqual(sections, [
      { headings: ['Safety on the water'], page: 1, text: 'Briefing for guides' },
      {
        headings: ['Life jackets'],
        page: 2,
        text: '- Everybody wears one\n  - Children too\n- Check the straps\n\nNotes: Show the red jacket first.\nThen the blue one.',
      },
      {
        headings: ['Guests a year'],
        page: 3,
        text: '|  | Guests |\n| --- | --- |\n| 2024 | 120 |\n| 2025 | 340 |',
      },
      {
        headings: ['Sizes'],
        page: 4,
        text: '| Size | Weight |\n| --- | --- |\n| S | up to 50 kg |\n| L | up to 90 kg |\n\nGrouped remark',
      },
    ]);
  });

  it('reads alternate content once, SmartArt as words, and no page numbers', async () => {
    const alternative = `<mc:AlternateContent><mc:Choice>${shape('', 'Said once')}</mc:Choice><mc:Fallback>${shape('', 'Said once')}</mc:Fallback></mc:AlternateContent>`;
    const { sections } = await extractBytes(
      buildZip(
        parts([slide(shape('title', 'First')), slide(alternative + shape('sldNum', '2')), slide('')], {
          'ppt/slides/_rels/slide8.xml.rels':
            '<Relationships><Relationship Id="d" Type="x/diagramData" Target="../diagrams/data1.xml"/></Relationships>',
          'ppt/diagrams/data1.xml':
            '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Row</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
        }),
      ),
      'a.pptx',
    );
    assert.deepEqual(sections, [
      { headings: ['First'], page: 1, text: 'First' },
      { headings: ['Slide 2'], page: 2, text: 'Said once\n\n- Plan\n- Row' },
    ]);
  });

  it('repeats a cell of a table in the rows that it covers', async () => {
    const cell = (text: string, merge = '') =>
      `<a:tc ${merge}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const row = (...cells: string[]) => `<a:tr>${cells.join('')}</a:tr>`;
    const table = [
      row(cell('Boat', 'rowSpan="2"'), cell('Canoe'), cell('12')),
      row(cell('', 'vMerge="1"'), cell('Kayak'), cell('9')),
      row(cell('Both', 'rowSpan="2" gridSpan="2"'), cell('', 'rowSpan="2" hMerge="1"'), cell('20')),
      row(cell('', 'gridSpan="2" vMerge="1"'), cell('', 'hMerge="1" vMerge="1"'), cell('18')),
    ];
    const frame = `<p:graphicFrame><a:tbl>${table.join('')}</a:tbl></p:graphicFrame>`;
    const { sections } = await extractBytes(buildZip(parts([slide(frame)])), 'a.pptx');
    assert.equal(
      sections[0]!.text,
      '| Boat | Canoe | 12 |\n| --- | --- | --- |\n| Boat | Kayak | 9 |\n| Both |  | 20 |\n| Both |  | 18 |',
    );
  });

  it('reads fields and equations, and omits hidden groups and damaged diagrams', async () => {
    const equation =
      '<mc:AlternateContent><mc:Choice Requires="a14"><p:sp><p:nvSpPr><p:cNvPr id="1"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>Area: </a:t></a:r><a14:m><m:oMathPara><m:oMath><m:r><m:t>𝐴=𝜋</m:t></m:r><m:sSup><m:e><m:r><m:t>𝑟</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara></a14:m></a:p></p:txBody></p:sp></mc:Choice><mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t> </a:t></a:r></a:p></p:txBody></p:sp></mc:Fallback></mc:AlternateContent>';
    const fields =
      '<p:sp><p:txBody><a:p><a:r><a:t>Since </a:t></a:r><a:fld type="datetime1"><a:rPr/><a:t>3/1/2026</a:t></a:fld><a:br/><a:r><a:t>two_x000B_lines</a:t></a:r></a:p></p:txBody></p:sp>';
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="2" hidden="1"/></p:nvGrpSpPr><p:grpSp><p:nvGrpSpPr><p:cNvPr id="3"/></p:nvGrpSpPr>${shape('', 'Secret')}</p:grpSp></p:grpSp>`;
    const { sections } = await extractBytes(
      buildZip(
        parts([slide(equation + group + fields)], {
          'ppt/slides/_rels/slide9.xml.rels':
            '<Relationships><Relationship Id="d" Type="x/diagramData" Target="../diagrams/data1.xml"/></Relationships>',
          'ppt/diagrams/data1.xml': '<dgm:dataModel><dgm:pt>',
        }),
      ),
      'a.pptx',
    );
    assert.deepEqual(sections, [
      { headings: ['Slide 1'], page: 1, text: 'Area: A=πr²\n\nSince 3/1/2026 two lines' },
    ]);
  });

  it('omits boxes and groups beside a slide, unless something moves on it', async () => {
    const place = (x: number, y: number, rotation = '') =>
      `<a:xfrm ${rotation}><a:off x="${x}" y="${y}"/><a:ext cx="100" cy="50"/></a:xfrm>`;
    const box = (text: string, xfrm: string) =>
      shape('', text).replace('<p:txBody>', `<p:spPr>${xfrm}</p:spPr><p:txBody>`);
    const group = (xfrm: string, content: string) =>
      `<p:grpSp><p:nvGrpSpPr/><p:grpSpPr>${xfrm}</p:grpSpPr>${content}</p:grpSp>`;
    const content =
      box('left', place(-100, 0)) +
      box('right', place(1000, 0)) +
      box('above', place(0, -60)) +
      box('below', place(0, 900)) +
      group(place(2000, 0), box('grouped', place(0, 0)) + group(place(0, 0), box('nested', place(0, 0)))) +
      box('partly', place(-99, 0)) +
      box('turned', place(0, 600, 'rot="5400000"')) +
      group(place(0, 0), box('far in its group', place(5000, 0))) +
      shape('', 'placed by its layout');
    const shown = 'partly\n\nturned\n\nfar in its group\n\nplaced by its layout';
    const read = async (slides: string[], size: string) => {
      const built = parts(slides);
      const presentation = built['ppt/presentation.xml'].replace('</p:presentation>', `${size}$&`);
      const { sections } = await extractBytes(
        buildZip({ ...built, 'ppt/presentation.xml': presentation }),
        'a.pptx',
      );
      return sections.map(({ text }) => text);
    };
    const size = '<p:sldSz cx="1000" cy="600"/>';
    const moving = slide(content).replace(
      '</p:sld>',
      '<p:timing><p:animMotion path="M 0 0"/></p:timing></p:sld>',
    );
    const all = `left\n\nright\n\nabove\n\nbelow\n\ngrouped\n\nnested\n\n${shown}`;
    assert.deepEqual(await read([slide(content), moving], size), [shown, all]);
    assert.deepEqual(await read([slide(content)], ''), [all]);
  });

  it('refuses an unreadable file with a reason', async () => {
    const whole = buildZip(parts([slide(shape('', 'a'))]));
    const damaged = 'The PowerPoint presentation is damaged.';
    await assertUnreadable(extractBytes(whole.subarray(0, -9), 'a.pptx'), 'damaged', damaged);
    await assertUnreadable(
      extractBytes(buildZip(parts([slide('x')]), { checksum: 7 }), 'a.pptx'),
      'damaged',
      damaged,
    );
    await assertUnreadable(
      extractBytes(buildZip(parts([slide('')])), 'a.pptx'),
      'no_text',
      'The PowerPoint presentation holds no text.',
    );
    const bomb = slide(shape('', ' '.repeat(60_000_000)));
    await assertUnreadable(
      extractBytes(buildZip(parts([bomb])), 'a.pptx'),
      'too_large',
      'The PowerPoint presentation unpacks to more than Parley reads.',
    );
  });
});

describe('extracting an OpenDocument text', () => {
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

  it('omits hidden text: by styles, sections, fields and rows', async () => {
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

  itInSoak('reads a paragraph with many links in linear time', async () => {
    const { user: before } = process.cpuUsage();
    const link = '<text:a xlink:href="https://a.test">b </text:a>';
    const { sections } = await readText(`<text:p>${link.repeat(20_000)}</text:p>`);
    assert.equal(sections[0]!.text, '[b](https://a.test) '.repeat(20_000).trim());
    assert.ok((process.cpuUsage().user - before) / 1e6 < 1.5);
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
      'The OpenDocument text is damaged or built in an unusual way.',
    );
    await assertUnreadable(readText('<text:p/>'), 'no_text', 'The OpenDocument text holds no text.');
    await assertUnreadable(
      readText(
        `<table:table><table:table-row><table:table-cell table:number-columns-repeated="1000"><text:p>${'word '.repeat(1000)}</text:p></table:table-cell></table:table-row></table:table>`,
      ),
      'too_large',
      'The OpenDocument text has larger tables than Parley reads.',
    );
    await assertUnreadable(
      readText(`<text:p>${' '.repeat(60_000_000)}</text:p>`),
      'too_large',
      'The OpenDocument text unpacks to more than Parley reads.',
    );
    await assertUnreadable(
      readText('<text:list>'.repeat(2000)),
      'damaged',
      'The document is damaged: its elements are nested too deeply.',
    );
  });
});

describe('extracting an EPUB book', () => {
  const page = (body: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;
  const parts = (
    chapters: Record<string, string>,
    more: Record<string, string> = {},
  ): Record<string, string> => ({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package><metadata><dc:title>A book</dc:title><dc:language>en-GB</dc:language></metadata><manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${Object.keys(
      chapters,
    )
      .map(
        (name) =>
          `<item id="${name}" href="${encodeURIComponent(name)}" media-type="application/xhtml+xml"/>`,
      )
      .join('')}</manifest><spine>${Object.keys(chapters)
      .map((name) => `<itemref idref="${name}"/>`)
      .join('')}</spine></package>`,
    ...Object.fromEntries(Object.entries(chapters).map(([name, body]) => [`OPS/${name}`, page(body)])),
    ...more,
  });
  const readBook = (...book: Parameters<typeof parts>) => extractBytes(buildZip(parts(...book)), 'a.epub');

  it('reads chapters in order, under the titles of the table of contents, with notes', async () => {
    const { title, language, mimeType, sections } = await extractFixture('harbour.epub');
    assert.deepEqual([title, language, mimeType], ['The harbour book', 'en', 'application/epub+zip']);
    assert.deepEqual(sections, [
      {
        headings: ['Part one', 'Arrival'],
        text: 'Ferries land at pier four1.\n\nExcept on Sundays.',
      },
      { headings: ['Part one', 'Leaving'], text: 'The last ferry leaves at ten.' },
      { headings: ['Part one', 'Leaving'], text: 'Dogs travel free.' },
    ]);
  });

  it('reads titles within a chapter from the contents of EPUB 2, and omits printed page numbers', async () => {
    const ncx =
      '<ncx><navMap><navPoint><navLabel><text>Boats</text></navLabel><content src="z%20last.xhtml"/>' +
      '<navPoint><navLabel><text>Canoes</text></navLabel><content src="z%20last.xhtml#canoes"/></navPoint></navPoint></navMap></ncx>';
    const { title, sections } = await readBook(
      {
        'z last.xhtml':
          '<a id="top"/><p>All&nbsp;float.</p><span epub:type="pagebreak">12</span><p id="canoes">Canoes are light.</p><script>alert(1)</script>',
        'a.xhtml': '<h2>Own heading</h2><p>Text.</p>',
      },
      { 'OPS/toc.ncx': ncx },
    );
    assert.equal(title, 'A book');
    assert.deepEqual(sections, [
      { headings: ['Boats'], text: 'All float.' },
      { headings: ['Boats', 'Canoes'], text: 'Canoes are light.' },
      { headings: ['Own heading'], text: 'Text.' },
    ]);
  });

  it('refuses an unreadable file with a reason, but accepts obfuscated fonts', async () => {
    const buildEncryption = (uri: string) => ({
      'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
    });
    await assertUnreadable(
      readBook({ 'a.xhtml': '<p>x</p>' }, buildEncryption('OPS/a.xhtml')),
      'encrypted',
      'The EPUB book is protected against copying (DRM). Upload one without protection.',
    );
    const { sections } = await readBook({ 'a.xhtml': '<p>x</p>' }, buildEncryption('OPS/fonts/a.otf'));
    assert.deepEqual(sections, [{ headings: [], text: 'x' }]);
    const { 'OPS/a.xhtml': chapter, ...without } = parts({ 'a.xhtml': '<p>x</p>' });
    assert.ok(chapter);
    await assertUnreadable(extractBytes(buildZip(without), 'a.epub'), 'damaged', 'The EPUB book is damaged.');
    await assertUnreadable(readBook({ 'a.xhtml': '' }), 'no_text', 'The EPUB book holds no text.');
    await assertUnreadable(
      readBook({ 'a.xhtml': '<div>'.repeat(20_000) }),
      'damaged',
      'The HTML page is damaged: its elements are nested too deeply.',
    );
    await assertUnreadable(
      readBook({ 'a.xhtml': ' '.repeat(60_000_000) }),
      'too_large',
      'The EPUB book unpacks to more than Parley reads.',
    );
  });
});
