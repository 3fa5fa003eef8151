import { languageFor, type Language } from '../../core/languages.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { languageDetector } from '../knowledge/ingestion/language.ts';

/** How much of what the visitor has said tells the language. */
const SAMPLE_MESSAGES = 20;

/** The bot's own, or that which the visitor writes in; null where nothing tells. */
export async function visitorLanguage(
  messages: MessageRepository,
  scope: OrgScope,
  { bot, conversationId }: { bot: Pick<Bot, 'language'>; conversationId: string | null },
): Promise<Language | null> {
  if (bot.language !== 'auto') return languageFor([bot.language]);
  if (conversationId === null) return null;
  const said = await messages.listNewest({ ...scope, conversationId }, SAMPLE_MESSAGES);
  const text = (role: Message['role']) =>
    said.flatMap((message) => (message.role === role ? [message.content] : [])).join('\n');
  const detect = await languageDetector();
  const written = detect(text('user')) ?? detect(text('agent'));
  return written === null ? null : languageFor([written]);
}
