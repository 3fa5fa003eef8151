import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCsv } from '../../../adapters/extraction/csv/read-csv.ts';
import { selectCases } from '../../support/it-in-soak.ts';
import { assertCpuBelow } from '../../support/cost.ts';

/** Returns the rows of a CSV file as paragraphs, and the notice about lines that were not read as written. */
function read(text: string): { rows: string[]; notice?: string } {
  const { sections, notice } = readCsv(Buffer.from(text));
  const rows = (sections[0]?.text ?? '').split('\n\n').map((row) => row.replaceAll('\n', ' / '));
  return { rows, ...(notice !== undefined && { notice }) };
}

const readRows = (text: string) => read(text).rows;

describe('readCsv', () => {
  it('uses the delimiter that Excel’s line sep= names', () => {
    const expected = ['Name: Hinge / Price: 5', 'Name: Nut / Price: 6'];
    assert.deepEqual(readRows('sep=;\r\nName;Price\r\nHinge;5\r\nNut;6\r\n'), expected);
    assert.deepEqual(readRows('"sep=,"\nName,Price\nHinge,5\nNut,6'), expected);
    assert.deepEqual(readRows('\ufeffSEP=\t\nName\tPrice\nHinge\t5\nNut\t6\n'), expected);
    assert.deepEqual(readRows('sep=^\nName^Price\nHinge^5\nNut^6\n'), expected);
    assert.deepEqual(readRows('sep=\\t\nName\tPrice\nHinge\t5\nNut\t6\n'), expected);
  });

  it('finds the header below title lines', () => {
    const expected = ['Name: Hinge / Size: 3 / Price: 5,50', 'Name: Nut / Size: 4 / Price: 6,20'];
    assert.deepEqual(readRows('Prices of May\n\nall in EUR\nName;Size;Price\nHinge;3;5,50\nNut;4;6,20\n'), [
      'Prices of May',
      'all in EUR',
      ...expected,
    ]);
    assert.deepEqual(
      readRows('Prices;;\nValid from:;2024-05-01;\nName;Size;Price\nHinge;3;5,50\nNut;4;6,20\n'),
      ['Prices', 'Valid from: 2024-05-01', ...expected],
    );
    assert.deepEqual(readRows('Prices, May\nName,Size,Price\nHinge,3,5\nNut,4,6\n'), [
      'Prices, May',
      'Name: Hinge / Size: 3 / Price: 5',
      'Name: Nut / Size: 4 / Price: 6',
    ]);
  });

  it('finds the header of a short table below several title lines', () => {
    for (const delimiter of [';', '\t', ','])
      assert.deepEqual(
        readRows(
          `Shop\nPrice list\nAll net\n${['Name;Size', 'Nut;4', 'Tee;7'].join('\n').replaceAll(';', delimiter)}\n`,
        ),
        ['Shop', 'Price list', 'All net', 'Name: Nut / Size: 4', 'Name: Tee / Size: 7'],
      );
    assert.deepEqual(readRows('Notes\nOpen daily\nBring a towel; soap is here\nLockers\n'), [
      'Notes: Open daily',
      'Notes: Bring a towel; soap is here',
      'Notes: Lockers',
    ]);
  });

  it('reads cells that Excel shows as text, with their leading zeros', () => {
    assert.deepEqual(readRows('Code,Name\n="0042",A\n"=""0007""",B\n'), [
      'Code: 0042 / Name: A',
      'Code: 0007 / Name: B',
    ]);
  });

  it('reads the cells next to a stray NUL byte', () => {
    assert.deepEqual(readRows('Name,Price\nA\0,5\nB,6\n'), ['Name: A\0 / Price: 5', 'Name: B / Price: 6']);
  });

  it('ignores delimiters within quotation marks and decimal numbers', () => {
    assert.deepEqual(readRows('"Name, first";"Street, city, zip";Phone\nHinge;"Main St 1, X";5\n'), [
      'Name, first: Hinge / Street, city, zip: Main St 1, X / Phone: 5',
    ]);
    for (const delimiter of [';', '\t', '|']) {
      const row = (...cells: string[]) => `${cells.join(delimiter)}\n`;
      const amounts = Array.from({ length: 20 }, (_, index) => row(`${index},50`, '2,00', '3,10'));
      assert.equal(
        readRows(row('Net', 'Tax', 'Total') + amounts.join(''))[7],
        'Net: 7,50 / Tax: 2,00 / Total: 3,10',
      );
    }
    assert.deepEqual(readRows('Name,Price\nHinge,5,50\nNut,6,20 €\nBolt,7\n'), [
      'Name: Hinge / Price: 5,50',
      'Name: Nut / Price: 6,20 €',
      'Name: Bolt / Price: 7',
    ]);
  });

  it('keeps the rows after a stray quotation mark, and names its line in the notice', () => {
    const { rows, notice } = read('Name,Size,Price\nHinge,3,5\nPipe,3,"bad\nNut,4,6\nTee,"5 inch",7\n');
    assert.deepEqual(rows, [
      'Name: Hinge / Size: 3 / Price: 5',
      'Name: Pipe / Size: 3 / Price: "bad',
      'Name: Nut / Size: 4 / Price: 6',
      'Name: Tee / Size: 5 inch / Price: 7',
    ]);
    assert.equal(
      notice,
      'A quotation mark is not closed in line 3 of the CSV file. It was read as text; check the cells next to it.',
    );
    const many = read(`sep=,\nName,Size,Price\n${'Pipe,3,"\nNut,4,6\n'.repeat(7)}`);
    assert.equal(many.rows.length, 14);
    assert.match(many.notice ?? '', /in lines 3, 5, 7, 9, 11 and 2 more of the CSV file/);
  });

  it('reads quotation marks within cells, doubled, escaped or bare', () => {
    assert.deepEqual(read('Name,Note,N\n"5"" pipe","a ""b"", c",1\n5" pipe,x,2\n"5" pipe",a "b" c,3\n'), {
      rows: [
        'Name: 5" pipe / Note: a "b", c / N: 1',
        'Name: 5" pipe / Note: x / N: 2',
        'Name: 5" pipe / Note: a "b" c / N: 3',
      ],
    });
    assert.deepEqual(read('Name,Note,N\nA,"said \\"no\\", and left",1\nB,"C:\\\\",2\n'), {
      rows: ['Name: A / Note: said "no", and left / N: 1', 'Name: B / Note: C:\\ / N: 2'],
    });
    assert.deepEqual(read('Name,Note\nA,"said \\"no\\""\nB,"x"\n'), {
      rows: ['Name: A / Note: said "no"', 'Name: B / Note: x'],
    });
    assert.deepEqual(readRows('"Name,Price"\n"Hinge,5"\n"""Nut, large"",6"\n'), [
      'Name: Hinge / Price: 5',
      'Name: Nut, large / Price: 6',
    ]);
  });

  it('reads cells of several lines', () => {
    assert.deepEqual(read('Name,Note,N\nA,"one\ntwo, more\n""three""\n",5\nB,x,6\n'), {
      rows: ['Name: A / Note: one / two, more / "three" / N: 5', 'Name: B / Note: x / N: 6'],
    });
  });

  it('reads rows of different lengths and any line ends', () => {
    assert.deepEqual(readRows('a;b;c\r1;2\r\n3;4;5;6\n\n;8;9\r\r\n10;;12'), [
      'a: 1 / b: 2',
      'a: 3 / b: 4 / c: 5 / Column 4: 6',
      'b: 8 / c: 9',
      'a: 10 / c: 12',
    ]);
    assert.deepEqual(readRows(`a\tb\n1${'\t'.repeat(60)}2\n`), ['b', 'a: 1 / Column 61: 2']);
    assert.deepEqual(readRows('Name,City\r\r\nAnna,5\r\r\nBob,6\r\r\n'), [
      'Name: Anna / City: 5',
      'Name: Bob / City: 6',
    ]);
    assert.deepEqual(readRows('Name,City\n\nAnna,Rome\n\nBob,5\n\n'), [
      'Name: Anna / City: Rome',
      'Name: Bob / City: 5',
    ]);
  });

  it('reads several tables of a file', () => {
    assert.deepEqual(
      readRows('Hours\nDay,From,To\nMonday,9,17\nFriday,9,12\n\nPrices\nItem,Price\nNut,6\n'),
      [
        'Hours',
        'Day: Monday / From: 9 / To: 17',
        'Day: Friday / From: 9 / To: 12',
        'Prices',
        'Item: Nut / Price: 6',
      ],
    );
  });

  it('reads a single column as a list', () => {
    assert.deepEqual(readRows('Sector\nHotels, bars\nSales\nOther\n'), [
      'Sector: Hotels, bars',
      'Sector: Sales',
      'Sector: Other',
    ]);
  });

  it('reads a single column whose texts all contain commas as a list', () => {
    assert.deepEqual(readRows('Address\nMain St 1, Berlin\nElm St 2, Hamburg\nOak St 3, Bremen\n'), [
      'Address: Main St 1, Berlin',
      'Address: Elm St 2, Hamburg',
      'Address: Oak St 3, Bremen',
    ]);
    assert.deepEqual(
      readRows('Question\nHello, do you ship to Spain?\nHi,are you open?\nIs 1,500 enough, or 2,000?\n'),
      [
        'Question: Hello, do you ship to Spain?',
        'Question: Hi,are you open?',
        'Question: Is 1,500 enough, or 2,000?',
      ],
    );
    assert.deepEqual(readRows('"Address"\n"Elm St 2, 20095 Hamburg, DE"\n"Oak St 3, 28195 Bremen, DE"\n'), [
      'Address: Elm St 2, 20095 Hamburg, DE',
      'Address: Oak St 3, 28195 Bremen, DE',
    ]);
    assert.deepEqual(readRows('Price\n5,50\n6,20\n'), ['Price: 5,50', 'Price: 6,20']);
  });

  it('reads a table of two columns below a title line', () => {
    assert.deepEqual(readRows('Branches\nStreet,City\nMain St 1,Berlin\nElm St 2,Hamburg\n'), [
      'Branches',
      'Street: Main St 1 / City: Berlin',
      'Street: Elm St 2 / City: Hamburg',
    ]);
    const expected = ['Prices of May', 'Name: Hinge / Price: 5', 'Name: Nut / Price: 6'];
    assert.deepEqual(readRows('Prices of May\nName,Price\nHinge,5\nNut,6\n'), expected);
    assert.deepEqual(readRows('Prices of May\nName, Price\nHinge, 5\nNut, 6\n'), expected);
    assert.deepEqual(readRows('Average\nMonth,Degrees\n1,20\n2,21\n3,24\n'), [
      'Average',
      'Month: 1 / Degrees: 20',
      'Month: 2 / Degrees: 21',
      'Month: 3 / Degrees: 24',
    ]);
  });

  for (const unit of selectCases(
    ['"a\n', '"a""\n', 'x,"""b\n', 'a,b,"\n', '"a"   x,', '"a\\"b\n', '"a"b,', '""x,', '""', '"\n\n', '\r'],
    1,
  )) {
    it(`takes linear time for repeated ${JSON.stringify(unit)}`, () => {
      const bytes = Buffer.from(unit.repeat(1_000_000 / unit.length));
      assertCpuBelow(4000, () => {
        try {
          readCsv(bytes);
        } catch {
          // The time counts also if Parley refuses the file for too many rows or columns.
        }
      });
    });
  }

  it('takes linear time for tabs behind the separator', () => {
    const bytes = Buffer.from(`sep=;${'\t'.repeat(65_000)}x`);
    assertCpuBelow(1000, () =>
      assert.throws(() => readCsv(bytes), { message: /more than 200000 rows or 1000 columns/ }),
    );
  });
});
