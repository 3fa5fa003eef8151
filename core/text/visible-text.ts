import { invalidField, type ErrorDetail } from '../errors/errors.ts';

/**
 * Matches a visible character: anything except white space, control characters, and invisible characters such
 * as joiners, fillers and the empty Braille pattern.
 */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** @throws AppError `validation_error` if the text has no visible characters */
export function requireVisible(text: string, field: string, where: ErrorDetail['in'] = 'body'): void {
  if (!isVisible(text)) throw invalidField(field, 'must contain visible characters', where);
}
