/** Returns a Markdown table with padded columns, as Prettier formats it. */
export function formatMarkdownTable(heading: string[], rows: string[][]): string {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const lines = [heading, widths.map((width) => '-'.repeat(width)), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`)
    .join('\n');
}
