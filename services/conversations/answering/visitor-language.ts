import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import { findTextLanguage, type TextLanguage } from '../../../core/conversations/answer-texts.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import { detectLanguage } from '../../knowledge/ingestion/language.ts';

/** Characters of the visitor's newest messages in which the language is detected. */
const SAMPLE_CHARS = 1000;
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
  const detected = await detectLanguage(sampleVisitorText(messages));
  if (detected !== null) return findTextLanguage(detected) ?? 'en';
  const acceptedTags = (acceptLanguage ?? '').split(',', MAX_LANGUAGES);
  return acceptedTags.map(findTextLanguage).find((known) => known !== null) ?? 'en';
}

function sampleVisitorText(messages: readonly ChatMessage[]): string {
  let sample = '';
  for (const { role, content } of messages.toReversed()) {
    if (sample.length >= SAMPLE_CHARS) break;
    if (role === 'user') sample += `${content.slice(0, SAMPLE_CHARS - sample.length)}\n`;
  }
  return sample;
}
