import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import { isStopWord } from '../../../core/answers/stop-words.ts';
import { removeUrlsAndEmails } from '../../../core/text/remove-urls-and-emails.ts';
import { findTextLanguage, type TextLanguage } from '../../../core/conversations/answer-texts.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import { detectLanguage } from '../../knowledge/ingestion/language.ts';

/** Number of characters of the visitor's newest messages from which the language is detected. */
const SAMPLE_CHARS = 1000;
/**
 * Maximum number of words of a text whose language may be ambiguous. Longer texts have enough letters to
 * identify their language, even if some words are misspelled.
 */
const MAX_AMBIGUOUS_WORDS = 3;
/** Maximum number of languages that are read from an `Accept-Language` header. */
const MAX_LANGUAGES = 10;

/**
 * Returns the language for the bot's fixed texts: the language in the bot's settings, of the visitor's messages or of
 * the browser, in this order. Returns English if the language has no texts.
 * @param acceptLanguage the header of the visitor's request; null if unknown
 */
export async function detectVisitorLanguage(
  { language }: Pick<Bot, 'language'>,
  messages: readonly ChatMessage[],
  acceptLanguage: string | null,
): Promise<TextLanguage> {
  if (language !== 'auto') return findTextLanguage(language) ?? 'en';
  const sample = sampleVisitorText(messages);
  const detected = await detectLanguage(sample);
  const acceptedTags = (acceptLanguage ?? '').split(',', MAX_LANGUAGES);
  const accepted = acceptedTags.map(findTextLanguage).find((known) => known !== null) ?? null;
  // The letters of a few words, which may be misspelled, identify a language less reliably than the browser's
  // setting.
  if (detected === null || (accepted !== null && isAmbiguous(sample))) return accepted ?? 'en';
  return findTextLanguage(detected) ?? 'en';
}

/** Returns true for a text of a few Latin words, none of which is typical of a language. */
export function isAmbiguous(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return (
    words.length <= MAX_AMBIGUOUS_WORDS && words.every((word) => /^[a-z]+$/.test(word) && !isStopWord(word))
  );
}

function sampleVisitorText(messages: readonly ChatMessage[]): string {
  let sample = '';
  for (const { role, content } of messages.toReversed()) {
    if (sample.length >= SAMPLE_CHARS) break;
    if (role === 'user') sample += `${removeUrlsAndEmails(content.slice(0, SAMPLE_CHARS - sample.length))}\n`;
  }
  return sample;
}
