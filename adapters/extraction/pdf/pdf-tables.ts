/** Text that separates table cells within a line of a PDF page. */
export const CELL_SEPARATOR = ' | ';

/** Returns whether a line of a PDF page has several table cells. */
export function isTableRow(line: string): boolean {
  return line.includes(CELL_SEPARATOR);
}

/**
 * Converts consecutive table rows in the text of a PDF, even with blank lines between them, to a Markdown
 * table. The first row becomes the header.
 */
export function markTables(text: string): string {
  const lines: string[] = [];
  let rows: string[] = [];
  let blanks: string[] = [];
  const closeTable = () => {
    lines.push(...(rows.length > 1 ? toTable(rows) : rows), ...blanks);
    [rows, blanks] = [[], []];
  };
  for (const line of text.split('\n')) {
    if (isTableRow(line)) {
      rows.push(line);
      blanks = [];
    } else if (line === '') blanks.push(line);
    else {
      closeTable();
      lines.push(line);
    }
    if (rows.length === 0) closeTable();
  }
  closeTable();
  return lines.join('\n');
}

function toTable([head = '', ...rows]: string[]): string[] {
  const rule = head.split(CELL_SEPARATOR).map(() => '---');
  return [head, rule.join(CELL_SEPARATOR), ...rows].map((row) => `| ${row} |`);
}
