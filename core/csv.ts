/** What spreadsheets take for the beginning of a formula, also behind white space and in full width. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A line of a CSV file by RFC 4180. A text that a spreadsheet would calculate gets an apostrophe in front. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
