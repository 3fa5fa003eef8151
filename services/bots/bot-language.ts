import { invalidField } from '../../core/errors/errors.ts';
import { isLanguageTag } from '../../core/languages.ts';

/** The bot answers in the visitor's language. */
const AUTO = 'auto';

/** Whether a bot can have this language: `auto`, or a valid language tag. */
export function isBotLanguage(language: string): boolean {
  return language === AUTO || isLanguageTag(language);
}

/** @throws AppError `validation_error` for an invalid language */
export function requireLanguage(language: string | null | undefined, field: string): void {
  if (language === undefined || language === null || isBotLanguage(language)) return;
  throw invalidField(field, 'must be auto or the tag of a language, such as de or pt-BR');
}
