import { removeMarkers } from '../../../core/answers/citations.ts';
import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import {
  answerTexts,
  isDefaultFallback,
  type AnswerTexts,
} from '../../../core/conversations/answer-texts.ts';
import { isVisible } from '../../../core/text/visible-text.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import { detectVisitorLanguage } from './visitor-language.ts';

/** Number of characters by which a model's citation markers may lengthen the fallback text. */
const MARKER_CHARS = 40;

/** Input from which the language of a visitor is detected. */
interface VisitorInput {
  messages: ChatMessage[];
  /** The `Accept-Language` header of the visitor's request, if known. */
  acceptLanguage?: string | null;
}

/**
 * Returns the bot's fixed texts in the visitor's language. A fallback message that the bot's owner has
 * written replaces the default.
 */
export async function chooseBotTexts(
  bot: Bot,
  { messages, acceptLanguage = null }: VisitorInput,
): Promise<AnswerTexts> {
  const texts = answerTexts(await detectVisitorLanguage(bot, messages, acceptLanguage));
  const customFallback = bot.fallbackMessage ?? '';
  return isVisible(customFallback) && !isDefaultFallback(customFallback)
    ? { ...texts, fallback: customFallback }
    : texts;
}

/**
 * Returns true if an answer's text so far may still turn into the fallback text, possibly with citation
 * markers.
 */
export function mayBecomeFallback(fallback: string, text: string): boolean {
  if (text.length > 2 * fallback.length + MARKER_CHARS) return false;
  return removeMarkers(fallback).startsWith(removeMarkers(text));
}

/** Returns true if an answer's text is the fallback text, possibly with citation markers. */
export function isFallback(fallback: string, text: string): boolean {
  return removeMarkers(fallback) === removeMarkers(text);
}
