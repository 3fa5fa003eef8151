/** What spreadsheets take for the beginning of a formula, also in full width. */
const SIGNS = '=+\\-@＝＋－＠﹢﹣﹦﹫';
/** Such a beginning, also behind white space and quotation marks; or white space that a spreadsheet drops before it looks. */
const FORMULA = new RegExp(String.raw`^[\s"]*[${SIGNS}]|^[\t\r\n]`, 'u');
/** A program that splits lines elsewhere, as Excel does at semicolons in half of Europe, finds further cells in a text. */
const FORMULA_INSIDE = new RegExp(String.raw`(?<=[;,|\t\r\n])(?=[^\S\r\n]*"*[^\S\r\n]*[${SIGNS}])`, 'gu');

/** A line of a CSV file by RFC 4180. A text that a spreadsheet would calculate gets an apostrophe in front. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const inside = value.replaceAll(FORMULA_INSIDE, "'");
  const text = FORMULA.test(value) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
