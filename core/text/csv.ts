/** What spreadsheets take for the beginning of a formula, also in full width. */
const SIGNS = '=+\\-@＝＋－＠﹢﹣﹦﹫';
/** Such a beginning, also behind white space and quotation marks; or white space that a spreadsheet drops before it looks. */
const FORMULA = new RegExp(String.raw`^[\s"]*[${SIGNS}]|^[\t\r\n]`, 'u');
const SEPARATOR = /[;,|\t]/;
const SIGN = new RegExp(`[${SIGNS}]`, 'u');
const NOTHING_YET = /[\s"]/;

/** A line of a CSV file by RFC 4180. A text that a spreadsheet would calculate gets an apostrophe in front. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const inside = SIGN.test(value) ? withoutFormulasInside(value) : value;
  const text = FORMULA.test(value) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A program that splits lines elsewhere, as Excel does at semicolons in half of Europe, finds further cells in a text. Read
 * once from its beginning: a pattern would look ahead from each tab of a text of tabs.
 */
function withoutFormulasInside(value: string): string {
  let text = '';
  /** Where cells begin in `value` that have been empty so far. */
  let begun: number[] = [];
  let written = 0;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at]!;
    if (SIGN.test(character)) {
      for (const start of begun) {
        text += `${value.slice(written, start)}'`;
        written = start;
      }
    }
    if (character === '\r' || character === '\n') begun = [at + 1];
    else if (SEPARATOR.test(character)) begun.push(at + 1);
    else if (!NOTHING_YET.test(character)) begun = [];
  }
  return text + value.slice(written);
}
