import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { measureCpuMs } from '../../support/cost.ts';
import { formatNumber, createNumberStyle } from '../../../adapters/extraction/office/sheet-values.ts';
import { assertUnreadable, extractBytes, extractFixture } from './extraction-support.ts';
import { buildZip } from './build-zip.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

interface WorkbookParts {
  /** Content of `sheetData`, by the names of sheets. */
  sheets: Record<string, string>;
  strings?: string;
  /** XML after `sheetData` of each sheet. */
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

describe('extracting an Excel workbook', () => {
  it('reads sheet by sheet, each row with its headers, without what its author has hidden', async () => {
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
      'Group: Boats\nItem: Kayak\nPrice: 12.5%\nValid from: 2026-04-15 14:30',
      'Group: Deposit\nItem: Paddle\nPrice: 39.8',
      'All prices include VAT.',
      'Day: Monday\nOpens: 09:30\nStaffed: TRUE',
      'Day: Tuesday\nOpens: 10:00\nStaffed: FALSE',
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

  it('counts days from 1904 if the workbook says so', async () => {
    const { sections } = await extractFixture('dates-1904.xlsx');
    assert.equal(
      sections[0]?.text,
      'Event: Regatta\nDay: 2026-07-04\n\nEvent: Summer party\nDay: 2026-08-09',
    );
  });

  it('refuses an unreadable file with a reason', async () => {
    const parts = workbookParts({ sheets: { A: words('a', 'b') } });
    const damaged = 'The Excel workbook is damaged.';
    const whole = buildZip(parts);
    const cases: [Uint8Array | string, string][] = [
      [whole.subarray(0, whole.length - 30), damaged],
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
    const unusual = 'The Excel workbook is damaged or built in an unusual way.';
    await assertUnreadable(readWorkbook({ sheets: { A: '<row><c><v>1</v>' } }), 'damaged', unusual);
    const laughs = '<!DOCTYPE sst [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><sst><si><t>&b;</t></si></sst>';
    await assertUnreadable(
      extractBytes(buildZip({ ...parts, 'xl/sharedStrings.xml': laughs }), 'a.xlsx'),
      'damaged',
      unusual,
    );
    await assertUnreadable(
      readWorkbook({ sheets: { A: '' } }),
      'no_text',
      'The Excel workbook holds no text.',
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

  it('refuses one that would exceed the limit of text before reading it', async () => {
    const tooMuch = 'The Excel workbook has more than 200000 rows or more text than Parley reads.';
    const unpacks = 'The Excel workbook unpacks to more than Parley reads.';
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
      'The document is damaged: its elements are nested without end.',
    );
  });
});

describe('formatting a number in a cell', () => {
  const formatWith = (value: string, pattern: string) =>
    formatNumber(value, createNumberStyle(164, new Map([[164, pattern]])), false);

  it('follows its number format', () => {
    const cases: [string, string, string][] = [
      ['1234.5', '#,##0.00', '1,234.50'],
      ['1234567', '#,##0', '1,234,567'],
      ['-5', '#,##0.00;[Red]-#,##0.00', '-5.00'],
      ['-5', '0.0;(0.0)', '(5.0)'],
      ['0', '0;-0;"none"', 'none'],
      ['0.5', '0%', '50%'],
      ['19.9', '_-* #,##0.00 [$€-407]_-', '19.90 €'],
      ['19.9', '[$£-809]#,##0.00', '£19.90'],
      ['7', '00000', '00007'],
      ['2500000', '0.0,,"M"', '2.5M'],
      ['3', '0 "pcs."', '3 pcs.'],
      ['0.1', '# ?/?', '0.1'],
      ['12345', '0.00E+00', '12345'],
      ['4006381333931', 'General', '4006381333931'],
      ['1.1000000000000001', 'General', '1.1'],
      ['42', ';;;', ''],
    ];
    for (const [value, pattern, text] of cases)
      assert.equal(formatWith(value, pattern), text, `${value} as ${pattern}`);
  });

  it('returns a date or a time if its format is one', () => {
    const cases: [string, string, string][] = [
      ['46082', 'dd/mm/yyyy', '2026-03-01'],
      ['46082.604166666664', 'd.m.yy h:mm', '2026-03-01 14:30'],
      ['46082.604166666664', 'mmm yyyy', '2026-03-01'],
      ['0.75', 'hh:mm AM/PM', '18:00'],
      ['1.5', '[h]:mm', '36:00'],
      ['1', 'yyyy-mm-dd', '1900-01-01'],
      ['59', 'yyyy-mm-dd', '1900-02-28'],
      ['61', 'yyyy-mm-dd', '1900-03-01'],
      ['-3', 'yyyy-mm-dd', '-3'],
      ['12', '0 "days"', '12 days'],
    ];
    for (const [value, pattern, text] of cases)
      assert.equal(formatWith(value, pattern), text, `${value} as ${pattern}`);
    assert.equal(formatNumber('46082', createNumberStyle(14, new Map()), false), '2026-03-01');
    assert.equal(formatNumber('0', createNumberStyle(14, new Map()), true), '1904-01-01');
  });

  itInSoak('formats a number quickly with any format', () => {
    for (const pattern of [
      '0'.repeat(255),
      '#,'.repeat(120),
      '[$'.repeat(120),
      '"'.repeat(255),
      '0'.repeat(100_000),
      '#,'.repeat(50_000),
      '"'.repeat(100_001),
      '[$'.repeat(50_000),
    ]) {
      assert(measureCpuMs(() => formatWith('1.5', pattern)) < 500, pattern.slice(0, 10));
    }
  });
});
