/** Characters that start a formula in spreadsheets, including their full-width forms. */
const SIGNS = '=+\\-@＝＋－＠﹢﹣﹦﹫';
/**
 * Matches a formula at the start of a CSV cell, after optional white space and quotation marks. Also matches
 * white space that spreadsheets remove at the start of a cell.
 */
const FORMULA = new RegExp(String.raw`^[\s"]*[${SIGNS}]|^[\t\r\n]`, 'u');
const SIGN = new RegExp(`[${SIGNS}]`, 'u');
const signs = new Set(SIGNS.replace('\\', ''));
const separators = new Set(';,|\t');
const NOTHING_YET = /[\s"]/;

/**
 * Formats a line of a CSV file (RFC 4180). Puts an apostrophe before any text that a spreadsheet would
 * evaluate as a formula.
 */
export function formatCsvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const inside = SIGN.test(value) ? escapeInnerFormulas(value) : value;
  const text = FORMULA.test(value) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before formulas inside the text of a CSV cell. Some programs split cells at other
 * characters: Excel uses semicolons in half of Europe. A loop is used because a regular expression would take
 * quadratic time.
 */
function escapeInnerFormulas(value: string): string {
  /**
   * Offsets in a cell's text at which a program may start a cell. The first `formulas` offsets precede a
   * formula; the remaining offsets are still undecided.
   */
  const cellStarts: number[] = [];
  let formulas = 0;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at]!;
    if (signs.has(character)) formulas = cellStarts.length;
    else if (character === '\r' || character === '\n') {
      cellStarts.length = formulas;
      cellStarts.push(at + 1);
    } else if (separators.has(character)) cellStarts.push(at + 1);
    else if (cellStarts.length > formulas && !NOTHING_YET.test(character)) cellStarts.length = formulas;
  }
  const ends = [...cellStarts.slice(0, formulas), value.length];
  return ends.map((end, at) => value.slice(ends[at - 1] ?? 0, end)).join("'");
}
