import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import { textLanguageOf, type TextLanguage } from '../../../core/conversations/answer-texts.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import { detectLanguage } from '../../knowledge/ingestion/language.ts';

/** Of the newest that the visitor has written, so much is enough to tell its language. */
const SAMPLE_CHARS = 1000;
/** Of an `Accept-Language` header, whose order is the browser's. */
const MAX_LANGUAGES = 10;

/**
 * The language of what the bot says by itself: its own, if that is set; else the one that the visitor writes, or that
 * the browser asks for. English where there are no words in it.
 * @param acceptLanguage the header of the visitor's request, where it is known
 */
export async function languageFor(
  { language }: Pick<Bot, 'language'>,
  messages: readonly ChatMessage[],
  acceptLanguage: string | null,
): Promise<TextLanguage> {
  if (language !== 'auto') return textLanguageOf(language) ?? 'en';
  const written = await detectLanguage(sampleOf(messages));
  if (written !== null) return textLanguageOf(written) ?? 'en';
  const wanted = (acceptLanguage ?? '').split(',', MAX_LANGUAGES);
  return wanted.map(textLanguageOf).find((known) => known !== null) ?? 'en';
}

function sampleOf(messages: readonly ChatMessage[]): string {
  let sample = '';
  for (const { role, content } of messages.toReversed()) {
    if (sample.length >= SAMPLE_CHARS) break;
    if (role === 'user') sample += `${content.slice(0, SAMPLE_CHARS - sample.length)}\n`;
  }
  return sample;
}
