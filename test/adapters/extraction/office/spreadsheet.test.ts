import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readSheetTail } from '../../../../adapters/extraction/office/sheet-tail.ts';
import { assertCpuBelow } from '../../../support/cost.ts';
import { assertUnreadable, extractBytes, extractFixture } from '../extraction-support.ts';
import { buildZip } from '../build-zip.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';

interface WorkbookParts {
  /** XML content of the element `sheetData`, by the names of the workbook's sheets. */
  sheets: Record<string, string>;
  strings?: string;
  /** XML that follows the element `sheetData` of each sheet. */
  behind?: string;
}

const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function workbookParts({ sheets, strings = '', behind = '' }: WorkbookParts): Record<string, string> {
  const names = Object.keys(sheets);
  const relationship = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${related}/${kind}" Target="${target}"/>`;
  return {
    '[Content_Types].xml':
      '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    'xl/workbook.xml': `<workbook><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_name, index) => relationship(`rId${index}`, 'worksheet', `worksheets/sheet${index}.xml`))
      .join('')}${relationship('rIdS', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet><sheetData>${rows}</sheetData>${behind}</worksheet>`,
      ]),
    ),
  };
}

const readWorkbook = (parts: WorkbookParts) => extractBytes(buildZip(workbookParts(parts)), 'a.xlsx');
const words = (...texts: string[]) =>
  `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

describe('extractDocument of an Excel workbook', () => {
  it('reads sheet by sheet, each row with its headers, and omits hidden content', async () => {
    const { title, mimeType, sections } = await extractFixture('prices.xlsx');
    assert.deepEqual(
      { title, mimeType },
      {
        title: 'Harbour prices',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    );
    const rows = [
      'Prices of the harbour 2026',
      'Group: Boats\nItem: Rowing boat\nPrice: 19.90 €\nValid from: 2026-03-01',
      'Group: Boats\nItem: Canoe\nPrice: 1,234.50 €\nValid from: 2026-04-15',
      'Group: Boats\nItem: Kayak\nPrice: 12.5%\nValid from: 15.04.2026 14:30 (2026-04-15)',
      'Group: Deposit\nItem: Paddle\nPrice: 39.8',
      'All prices include VAT.',
      'Day: Monday\nOpens: 9:30:00\nStaffed: TRUE',
      'Day: Tuesday\nOpens: 10:00:00\nStaffed: FALSE',
    ];
    assert.deepEqual(sections, [
      { headings: ['Price list'], text: rows.join('\n\n') },
      {
        headings: ['Öffnung & Kontakt'],
        text: 'Name: Ärztin Çelik\nTelephone: +49 40 123\n\nName: 0042\nTelephone: 00007',
      },
    ]);
  });

  it('reads sheets in the order of the workbook, with shared, rich and phonetic texts', async () => {
    const { sections } = await readWorkbook({
      strings:
        '<si><t>Name</t></si><si><r><t>Sum</t></r><r><t xml:space="preserve">mer </t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>two_x000D_\nlines</t></si>',
      sheets: {
        Zebra:
          '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Place &amp; time</t></is></c></row>' +
          '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><v>0.30000000000000004</v></c><c r="C2" t="s"><v>2</v></c></row>' +
          '<row r="3"/><row r="4"><c r="A4" t="s"><v>3</v></c><c r="C4" t="e"><v>#DIV/0!</v></c><c r="D4" t="str"><f>1</f><v>made</v></c></row>',
        Aardvark: words('One', 'Two'),
      },
    });
    assert.deepEqual(sections, [
      {
        headings: ['Zebra'],
        text: 'Name: Summer\nColumn 2: 0.3\nPlace & time: 東京\n\nName: two\nlines\nColumn 4: made',
      },
      { headings: ['Aardvark'], text: 'One\nTwo' },
    ]);
  });

  it('reads links, formulas of links and text formats, and the header of a column without values', async () => {
    const parts = workbookParts({
      sheets: {
        A:
          '<row r="1"><c r="A1" t="str"><v>Boat</v></c><c r="B1" t="str"><v>Guide</v></c><c r="C1" t="str"><v>Remark</v></c></row>' +
          '<row r="2"><c r="A2" t="str" s="1"><v>Canoe</v></c><c r="B2" t="str"><v>Read</v></c></row>' +
          '<row r="3"><c r="A3" t="str" s="2"><v>Secret</v></c><c r="B3" t="str"><f>HYPERLINK("https://example.com/b","More")</f><v>More</v></c></row>' +
          '<row r="4" ht="0"><c r="A4" t="str"><v>Flat</v></c></row>',
      },
      behind: '<hyperlinks><hyperlink ref="B2" r:id="rId1"/></hyperlinks>',
    });
    const styles = '"Boat "@'.replace(/"/g, '&quot;');
    const { sections } = await extractBytes(
      buildZip({
        ...parts,
        'xl/_rels/workbook.xml.rels': parts['xl/_rels/workbook.xml.rels']!.replace(
          '</Relationships>',
          `<Relationship Id="rIdF" Type="${related}/styles" Target="styles.xml"/></Relationships>`,
        ),
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${styles}"/><numFmt numFmtId="165" formatCode=";;;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
        'xl/worksheets/_rels/sheet0.xml.rels': `<Relationships><Relationship Id="rId1" Type="${related}/hyperlink" Target="https://example.com/a" TargetMode="External"/></Relationships>`,
      }),
      'a.xlsx',
    );
    assert.equal(
      sections[0]?.text,
      'Remark\n\nBoat: Boat Canoe\nGuide: [Read](https://example.com/a)\n\nGuide: [More](https://example.com/b)',
    );
  });

  it('reads text boxes, titles of charts among cells, and sheets that are charts', async () => {
    const parts = workbookParts({ sheets: { Costs: words('Boat', 'Price'), Chart: '' } });
    const relate = (kind: string, target: string) =>
      `<Relationships><Relationship Id="r1" Type="${related}/${kind}" Target="${target}"/></Relationships>`;
    const text = (content: string) => `<a:p><a:r><a:t>${content}</a:t></a:r></a:p>`;
    const chart = (title: string) =>
      `<c:chartSpace><c:chart><c:title><c:tx><c:rich>${text(title)}</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser>` +
      '<c:tx><c:v>Guests</c:v></c:tx><c:cat><c:pt><c:v>2025</c:v></c:pt></c:cat><c:val><c:pt><c:v>340</c:v></c:pt></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>';
    const { sections } = await extractBytes(
      buildZip({
        ...parts,
        'xl/_rels/workbook.xml.rels': parts['xl/_rels/workbook.xml.rels']!.replace(
          '/worksheet" Target="worksheets/sheet1.xml"',
          '/chartsheet" Target="chartsheets/sheet1.xml"',
        ),
        'xl/worksheets/_rels/sheet0.xml.rels': relate('drawing', '../drawings/drawing0.xml'),
        'xl/drawings/drawing0.xml':
          `<xdr:wsDr><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1"/></xdr:nvSpPr><xdr:txBody>${text('All prices include tax')}</xdr:txBody></xdr:sp>` +
          `<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" hidden="1"/></xdr:nvSpPr><xdr:txBody>${text('Margin 40 %')}</xdr:txBody></xdr:sp></xdr:wsDr>`,
        'xl/drawings/_rels/drawing0.xml.rels': relate('chart', '../charts/chart0.xml'),
        'xl/charts/chart0.xml': chart('Prices a year'),
        'xl/chartsheets/sheet1.xml': '<chartsheet/>',
        'xl/chartsheets/_rels/sheet1.xml.rels': relate('drawing', '../drawings/drawing1.xml'),
        'xl/drawings/drawing1.xml': '<xdr:wsDr/>',
        'xl/drawings/_rels/drawing1.xml.rels': relate('chart', '../charts/chart1.xml'),
        'xl/charts/chart1.xml': chart('Guests a year'),
      }),
      'a.xlsx',
    );
    assert.deepEqual(sections, [
      { headings: ['Costs'], text: 'Boat\nPrice\n\nAll prices include tax\n\nPrices a year' },
      {
        headings: ['Chart'],
        text: 'Guests a year\n\n|  | Guests |\n| --- | --- |\n| 2025 | 340 |',
      },
    ]);
  });

  it('reads a sheet whose drawing is damaged', async () => {
    const parts = workbookParts({ sheets: { Costs: words('Boat', 'Price') } });
    const { sections } = await extractBytes(
      buildZip({
        ...parts,
        'xl/worksheets/_rels/sheet0.xml.rels': `<Relationships><Relationship Id="r1" Type="${related}/drawing" Target="../drawings/drawing0.xml"/></Relationships>`,
        'xl/drawings/drawing0.xml': '<xdr:wsDr><xdr:sp',
      }),
      'a.xlsx',
    );
    assert.equal(sections[0]?.text, 'Boat\nPrice');
  });

  for (const element of ['<mergeCell ', '<x:mergeCell ref="A1:', '<hyperlink ', '<hyperlink ref="A1 '])
    it(`reads 40,000 unclosed elements ${element.trim()} in less than 0.5 s`, () => {
      const tail = Buffer.from(`</sheetData><!--${element.repeat(40_000)}`);
      assertCpuBelow(500, () => readSheetTail(tail));
    });

  it('counts days from 1904 if the workbook is set to 1904', async () => {
    const { sections } = await extractFixture('dates-1904.xlsx');
    assert.equal(
      sections[0]?.text,
      'Event: Regatta\nDay: 2026-07-04\n\nEvent: Summer party\nDay: 2026-08-09',
    );
  });

  it('omits white text on white cells, unless the sheet or the text may have another color', async () => {
    const cell = (style: number, content: string) => `<c s="${style}" ${content}</c>`;
    const text = (style: number, value: string) => cell(style, `t="inlineStr"><is><t>${value}</t></is>`);
    const row =
      `<row>${text(0, 'Fee')}${text(1, 'Secret')}${cell(1, '><v>7</v>')}${text(2, 'Dark')}${text(3, 'Blank')}` +
      `${cell(1, 't="s"><v>0</v>')}${cell(1, 't="s"><v>1</v>')}</row>`;
    const read = async (behind = '') => {
      const parts = workbookParts({
        sheets: { A: row },
        strings: '<si><t>Shared</t></si><si><r><rPr><color rgb="FFFF0000"/></rPr><t>Rich</t></r></si>',
        behind,
      });
      const styles =
        '<styleSheet><fonts><font><color theme="1"/></font><font><color rgb="FFFFFFFF"/></font></fonts>' +
        '<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF1F4E79"/></patternFill></fill></fills>' +
        '<cellXfs><xf/><xf fontId="1"/><xf fontId="1" fillId="1"/><xf fontId="0" fillId="0"/></cellXfs>' +
        '<dxfs><dxf><font><color rgb="FF000000"/></font><fill><patternFill patternType="solid"/></fill></dxf></dxfs></styleSheet>';
      const { sections } = await extractBytes(
        buildZip({
          ...parts,
          'xl/_rels/workbook.xml.rels': parts['xl/_rels/workbook.xml.rels']!.replace(
            '</Relationships>',
            `<Relationship Id="f" Type="${related}/styles" Target="styles.xml"/>$&`,
          ),
          'xl/styles.xml': styles,
        }),
        'a.xlsx',
      );
      return sections[0]!.text.split(/\s+/).join(' ');
    };
    assert.equal(await read(), 'Fee Dark Blank Rich');
    for (const color of ['<conditionalFormatting/>', '<tableParts/>', '<x:drawing/>', '<picture/>'])
      assert.equal(await read(color), 'Fee Secret 7 Dark Blank Shared Rich', color);
  });

  it('reads the rest of a workbook with damaged sheets, formats and properties, which a notice names', async () => {
    const parts = workbookParts({
      sheets: { A: words('a', 'b'), B: `${words('c', 'd')}<row><c><v>1</x>`, C: words('e', 'f') },
    });
    const { sections, notice } = await extractBytes(
      buildZip({
        ...parts,
        'xl/_rels/workbook.xml.rels': parts['xl/_rels/workbook.xml.rels']!.replace(
          '</Relationships>',
          `<Relationship Id="f" Type="${related}/styles" Target="styles.xml"/>$&`,
        ).replace('sheet2.xml', 'missing.xml'),
        'xl/styles.xml': '<styleSheet><cellXfs',
        'docProps/core.xml': '<cp:coreProperties><dc:title>Fees</dc:title><',
      }),
      'a.xlsx',
    );
    assert.deepEqual(sections, [
      { headings: ['A'], text: 'a\nb' },
      { headings: ['B'], text: 'c\nd' },
    ]);
    assert.equal(
      notice,
      'Parts of the Excel workbook are damaged and were skipped: formats, sheet B, sheet C.',
    );
  });

  it('expands no entities of its texts, and reads the texts before and after', async () => {
    const laughs =
      '<!DOCTYPE sst [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><sst><si><t>one</t></si><si><t>&b;</t></si></sst>';
    const parts = workbookParts({
      sheets: {
        A: `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>two</t></is></c></row>`,
      },
    });
    const { sections, notice } = await extractBytes(
      buildZip({ ...parts, 'xl/sharedStrings.xml': laughs }),
      'a.xlsx',
    );
    assert.deepEqual(sections, [{ headings: ['A'], text: 'one\ntwo' }]);
    assert.equal(notice, 'Parts of the Excel workbook are damaged and were skipped: texts.');
  });

  it('refuses an unreadable file with a reason', async () => {
    const parts = workbookParts({ sheets: { A: words('a', 'b') } });
    const damaged = 'The Excel workbook is damaged.';
    const whole = buildZip(parts);
    const cases: [Uint8Array | string, string][] = [
      [whole.subarray(0, whole.length - 30), 'The Excel workbook is damaged: its end is missing.'],
      [buildZip(parts, { checksum: 1 }), damaged],
      [
        buildZip({
          ...parts,
          'xl/_rels/workbook.xml.rels': parts['xl/_rels/workbook.xml.rels']!.replace(
            'worksheets/',
            '../../../../etc/',
          ),
        }),
        damaged,
      ],
    ];
    for (const [bytes, message] of cases)
      await assertUnreadable(extractBytes(bytes, 'a.xlsx'), 'damaged', message);
    const unusual = 'The Excel workbook is damaged or has an unusual structure.';
    await assertUnreadable(readWorkbook({ sheets: { A: '<row><c><v>1</v>' } }), 'damaged', unusual);
    await assertUnreadable(
      readWorkbook({ sheets: { A: '' } }),
      'no_text',
      'The Excel workbook contains no text. Parley reads text in pictures only in PDFs. Send a file with text.',
    );
    await assertUnreadable(
      extractBytes(
        Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.from('EncryptedPackage', 'utf16le')]),
        'a.xlsx',
      ),
      'encrypted',
      'The Excel workbook is protected by a password.',
    );
    await assertUnreadable(
      extractBytes(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'a.xlsx'),
      'unsupported',
      'The file is an old Excel workbook (.xls). Save it as XLSX or PDF.',
    );
  });

  itInSoak('refuses a workbook that would exceed the text limit before reading it', async () => {
    const tooMuch = 'The Excel workbook has more than 200000 rows or more text than Parley can read.';
    const unpacks = 'The Excel workbook unpacks to more than Parley can read.';
    const row = words('a', 'b');
    await assertUnreadable(
      readWorkbook({ sheets: { A: `${row}<row><c><v>1</v></c></row>`.repeat(1) + row.repeat(200_001) } }),
      'too_large',
      unpacks,
    );
    const different = Array.from(
      { length: 200_001 },
      (_value, index) =>
        `<row><c><v>${(index * 7919) % 1e9}</v></c><c><v>${(index * index) % 1e9}</v></c></row>`,
    );
    await assertUnreadable(readWorkbook({ sheets: { A: different.join('') } }), 'too_large', tooMuch);
    const shared = {
      strings: `<si><t>${'long '.repeat(20_000)}</t></si>`,
      sheets: { A: `<row>${'<c t="s"><v>0</v></c>'.repeat(300)}</row>` },
    };
    await assertUnreadable(readWorkbook(shared), 'too_large', tooMuch);
    const deep = { sheets: { A: '<row>'.repeat(3000) } };
    await assertUnreadable(
      readWorkbook(deep),
      'damaged',
      'The document is damaged: its elements are nested too deeply.',
    );
  });
});
