/** Formats `1 page`, `1,234 pages`. */
export function counted(count: number, noun: string): string {
  return `${count.toString().replace(/\B(?=(\d{3})+$)/g, ',')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a Markdown list for the workflow's page in Temporal's UI. */
export function formatDetails(title: string, lines: string[]): string {
  return [`**${title}**`, '', ...lines.map((line) => `- ${line}`)].join('\n');
}
