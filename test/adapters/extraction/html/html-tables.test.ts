import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { convertHtmlToMarkdown } from '../../../../adapters/extraction/html/html-markdown.ts';
import { assertCpuBelow } from '../../../support/cost.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { extractBytes } from '../extraction-support.ts';

const GRID = '| A | B |\n| --- | --- |\n| 1 | 2 |';

describe('convertHtmlToMarkdown of tables', () => {
  it('reads what is before and after a table without cells', () => {
    const tables: Record<string, string> = {
      '': '<table></table>',
      'Prices on **request**': '<table><caption>Prices on <b>request</b></caption></table>',
      'On Monday': '<table><caption>On Monday</caption><thead></thead><tbody><tr></tr></tbody></table>',
      ' ': '<table><colgroup><col></colgroup><tbody><script>fill()</script></tbody></table>',
      Boats: '<table><div>Boats</div></table>',
    };
    for (const [text, table] of Object.entries(tables)) {
      const expected = ['From May', text.trim(), 'to September'].filter(Boolean).join('\n\n');
      assert.equal(convertHtmlToMarkdown(`<p>From May</p>${table}<p>to September</p>`), expected);
    }
  });

  it('makes the first row that has cells the header, and the footer the last row', () => {
    const tables = [
      '<table><tr></tr><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>',
      '<table><thead><tr><!-- n --><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
      '<table><tfoot><tr><td>1</td><td>2</td></tr></tfoot><tbody><tr><td>A</td><td>B</td></tr></tbody></table>',
      '<table><tr><th>A<th>B<tr><td>1<td>2</table>',
    ];
    for (const table of tables) assert.equal(convertHtmlToMarkdown(table), GRID);
  });

  it('repeats a cell in the rows that it covers, and leaves the columns empty that it covers', () => {
    const days = '<tr><th>Day<th>Hours<tr><td rowspan=2>Mon<td>9-12<tr><td>14-18<tr><td>Tue<td>9-12';
    assert.equal(
      convertHtmlToMarkdown(`<table>${days}</table>`),
      '| Day | Hours |\n| --- | --- |\n| Mon | 9-12 |\n| Mon | 14-18 |\n| Tue | 9-12 |',
    );
    const sizes = '<tr><th>A<th>B<th>C<tr><td colspan=2>1<td>2<tr><td>3<td rowspan=0>4<td>5<tr><td>6<td>7';
    assert.equal(
      convertHtmlToMarkdown(`<table>${sizes}</table>`),
      '| A | B | C |\n| --- | --- | --- |\n| 1 |  | 2 |\n| 3 | 4 | 5 |\n| 6 | 4 | 7 |',
    );
  });

  it('joins paragraphs, lists and line breaks of a cell', () => {
    assert.equal(
      convertHtmlToMarkdown(
        '<table><tr><td>Part</td><td>Sizes</td></tr><tr><td><section><h4>Seal</h4><p>black</p></section></td><td><ul><li>20</li><li>25<br>30</li></ul></td></tr></table>',
      ),
      '| Part | Sizes |\n| --- | --- |\n| Seal black | 20 25 30 |',
    );
  });

  it('reads a table that arranges a page as blocks, and tables in it as tables', () => {
    const inner = '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>';
    const tables = [
      `<table><tr><td><h2>Fees</h2>${inner}</td><td>Open daily</td></tr></table>`,
      `<table role="presentation"><tr><td><h2>Fees</h2></td></tr><tr><td>${inner}</td></tr><tr><td>Open daily</td></tr></table>`,
    ];
    for (const table of tables)
      assert.equal(convertHtmlToMarkdown(table), `## Fees\n\n${GRID}\n\nOpen daily`);
    assert.equal(
      convertHtmlToMarkdown(
        '<table><tr><td><h2>Fees</h2><p>By day.</p></td><td>Open daily</td></tr></table>',
      ),
      '## Fees\n\nBy day.\n\nOpen daily',
    );
  });

  it('reads a page with a table that scripts fill', async () => {
    const { sections } = await extractBytes(
      '<html><body><main><h1>Boats</h1><p>Boats are for hire.</p><table id="prices"><caption>Prices on request</caption></table><p>From May to September.</p></main>',
      'boats.html',
    );
    assert.deepEqual(sections, [
      { headings: ['Boats'], text: 'Boats are for hire.\n\nPrices on request\n\nFrom May to September.' },
    ]);
  });

  itInSoak('converts many tables, rows and blocks in a cell in linear time', () => {
    const pages = [
      '<table><caption>x</caption><tr><td>a</td></tr></table>'.repeat(20_000),
      `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(20_000)}</table>`,
      `<table>${'<tr><td rowspan=65534>a</td><td colspan=1000>b</td><td>c</td></tr>'.repeat(5000)}</table>`,
      `<table><tr><td>${'<p>a</p>'.repeat(20_000)}</td><td>b</td></tr></table>`,
    ];
    for (const page of pages) assertCpuBelow(15_000, () => convertHtmlToMarkdown(page), page.slice(0, 20));
  });
});
