import { invalidField } from '../../core/errors/errors.ts';
import { isLanguageTag } from '../../core/languages.ts';

/** Language setting of a bot that answers in each visitor's own language. */
const AUTO = 'auto';

/** Returns true for a valid setting of a bot's language: `auto` or a language tag. */
export function isBotLanguage(language: string): boolean {
  return language === AUTO || isLanguageTag(language);
}

/** @throws AppError `validation_error` if the language is neither `auto` nor a valid language tag */
export function requireLanguage(language: string | null | undefined, field: string): void {
  if (language === undefined || language === null || isBotLanguage(language)) return;
  throw invalidField(field, 'must be auto, or a language tag such as de or pt-BR');
}
