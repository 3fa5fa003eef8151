const LONGEST = 90;

/** Shortens a text to one line. */
export function beginningOf(text: unknown): string {
  const line = typeof text === 'string' ? text.trim().replaceAll(/\s+/g, ' ') : '';
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).trimEnd()}…`;
}

export const WITH_VALUES = 'Names in double braces stand for values: {{vars.city}}, or {{contact.name|you}}.';
