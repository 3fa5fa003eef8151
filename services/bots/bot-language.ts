import { invalidField } from '../../core/errors/errors.ts';
import { isLanguageTag } from '../../core/languages.ts';

/** The visitor's. */
const AUTO = 'auto';

/** Whether a bot can speak it: `auto`, or the tag of a language that there is. */
export function isBotLanguage(language: string): boolean {
  return language === AUTO || isLanguageTag(language);
}

/** @throws AppError `validation_error` for one that no bot can speak */
export function requireLanguage(language: string | null | undefined, field: string): void {
  if (language === undefined || language === null || isBotLanguage(language)) return;
  throw invalidField(field, 'must be auto or the tag of a language, such as de or pt-BR');
}
