import { invalidField } from '../core/errors.ts';
import { isLanguageTag } from '../core/languages.ts';

/** The visitor's. */
const AUTO = 'auto';

/** @throws AppError `validation_error` for what is neither `auto` nor the tag of a language */
export function requireLanguage(language: string | null | undefined, field: string): void {
  if (language === undefined || language === null || language === AUTO || isLanguageTag(language)) return;
  throw invalidField(field, 'must be auto or the tag of a language, such as de or pt-BR');
}
