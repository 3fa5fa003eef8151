import { chooseLanguage, type Language } from '../../core/languages.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { loadLanguageDetector } from '../knowledge/ingestion/language.ts';

/** Number of latest messages of the conversation from which the visitor's language is detected. */
const SAMPLE_MESSAGES = 20;

/**
 * Returns the language for an email to a visitor: the bot's language or, if that is `auto`, the language of
 * the visitor's messages. If that is not detected either, the language of the team's messages, or null.
 */
export async function findVisitorLanguage(
  messages: MessageRepository,
  scope: OrgScope,
  { bot, conversationId }: { bot: Pick<Bot, 'language'>; conversationId: string | null },
): Promise<Language | null> {
  if (bot.language !== 'auto') return chooseLanguage([bot.language]);
  if (conversationId === null) return null;
  const latest = await messages.listNewest({ ...scope, conversationId }, SAMPLE_MESSAGES);
  const joinTexts = (role: Message['role']) =>
    latest.flatMap((message) => (message.role === role ? [message.content] : [])).join('\n');
  const detect = await loadLanguageDetector();
  const detectedLanguage = detect(joinTexts('user')) ?? detect(joinTexts('agent'));
  return detectedLanguage === null ? null : chooseLanguage([detectedLanguage]);
}
