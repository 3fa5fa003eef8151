import { listCanonicalForms } from '../core/text/canonical-forms.ts';

/** SQL conditions that match columns containing a text in any of its canonical forms, in any case. */
export interface TextCondition {
  /** Returns the SQL condition for a column or expression. */
  contains(column: string): string;
  parameters: Record<string, string>;
}

/**
 * Builds the SQL conditions for a text that people search for. Escapes `%`, `_` and `\` of the text. Each
 * canonical form of the text has its own parameter.
 */
export function buildTextCondition(text: string): TextCondition {
  const forms = listCanonicalForms(text).map((form, index): [name: string, pattern: string] => [
    `text${index}`,
    `%${form.replaceAll(/[\\%_]/g, '\\$&')}%`,
  ]);
  return {
    // Use OR instead of ANY: PostgreSQL plans each side of OR like a single ILIKE, with the trigram index.
    contains: (column) => `(${forms.map(([name]) => `${column} ILIKE :${name}`).join(' OR ')})`,
    parameters: Object.fromEntries(forms),
  };
}
