import { invalidField } from '../errors/errors.ts';

/** Anything but white space, control characters, and what has no width or no ink: joiners, fillers, empty Braille. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** @throws AppError `validation_error` for a text without visible characters */
export function requireVisible(text: string, field: string): void {
  if (!isVisible(text)) throw invalidField(field, 'must have characters that can be seen');
}
