import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import { findTextLanguage, type TextLanguage } from '../../../core/conversations/answer-texts.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import { detectLanguage } from '../../knowledge/ingestion/language.ts';

/** Characters of the visitor's newest messages, enough to detect the language. */
const SAMPLE_CHARS = 1000;
/** Number of entries that are read from an `Accept-Language` header, in its order. */
const MAX_LANGUAGES = 10;

/**
 * Returns the language of the bot's fixed texts: the bot's setting, else the language of the visitor's messages, else the
 * browser's. English if there are no texts in that language.
 * @param acceptLanguage the header of the visitor's request, if known
 */
export async function detectVisitorLanguage(
  { language }: Pick<Bot, 'language'>,
  messages: readonly ChatMessage[],
  acceptLanguage: string | null,
): Promise<TextLanguage> {
  if (language !== 'auto') return findTextLanguage(language) ?? 'en';
  const written = await detectLanguage(sampleVisitorText(messages));
  if (written !== null) return findTextLanguage(written) ?? 'en';
  const wanted = (acceptLanguage ?? '').split(',', MAX_LANGUAGES);
  return wanted.map(findTextLanguage).find((known) => known !== null) ?? 'en';
}

function sampleVisitorText(messages: readonly ChatMessage[]): string {
  let sample = '';
  for (const { role, content } of messages.toReversed()) {
    if (sample.length >= SAMPLE_CHARS) break;
    if (role === 'user') sample += `${content.slice(0, SAMPLE_CHARS - sample.length)}\n`;
  }
  return sample;
}
