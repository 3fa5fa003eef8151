const MAX_LENGTH = 90;

/** Shortens a text to one line, for the summary of a flow's step. */
export function toSummaryLine(text: unknown): string {
  const line = typeof text === 'string' ? text.trim().replaceAll(/\s+/g, ' ') : '';
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH).trimEnd()}…`;
}

export const WITH_VALUES =
  'Insert values in double braces: {{vars.city}}, or with a fallback: {{contact.name|there}}.';
