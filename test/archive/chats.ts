import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

export interface BuiltChat {
  /** Index of the conversation's bot; the first bot by default. */
  bot?: number;
  at?: string;
  says?: string;
  identity?: string;
  browserId?: string;
  customFields?: Record<string, string>;
}

/**
 * Creates conversations with a question and its answer; returns their ids. Conversations share a contact only
 * if they share an identity.
 */
export async function buildChats(
  db: Database,
  { orgId, botIds }: { orgId: string; botIds: readonly string[] },
  chats: readonly BuiltChat[],
): Promise<string[]> {
  const contactIds = new Map<string, string>();
  const ids: string[] = [];
  for (const [index, each] of chats.entries()) {
    const { bot = 0, at, says = 'Hello', identity = null, browserId = newId(), customFields = {} } = each;
    const botId = botIds[bot]!;
    const createdAt = new Date(at ?? Date.UTC(2026, 5, 1) + index * 60_000);
    const key = identity ?? `${botId} ${browserId}`;
    if (!contactIds.has(key)) {
      const id = newId();
      contactIds.set(key, id);
      const known = {
        visitorId: `v-${index}`,
        browserId,
        identity,
        name: 'Ada Lovelace',
        firstSeenAt: createdAt,
      };
      await db.repository(Contact).insert({ id, orgId, botId, ...known });
    }
    const id = newId();
    const contactId = identity === null ? null : contactIds.get(key)!;
    await db.repository(Conversation).insert({
      id,
      orgId,
      botId,
      visitorId: `v-${index}`,
      browserId,
      contactId,
      isVouchedFor: contactId !== null,
      status: 'ended',
      customFields,
      createdAt,
      lastMessageAt: createdAt,
      visitorSeenAt: createdAt,
      endedAt: createdAt,
      messageCount: 2,
      hasVisitorMessage: true,
    });
    const question = {
      id: newId(),
      orgId,
      conversationId: id,
      role: 'user',
      content: says,
      createdAt,
    } as const;
    const answer = {
      ...question,
      id: newId(),
      createdAt: new Date(createdAt.getTime() + 1000),
      role: 'assistant',
      content: 'Yes.',
      replyToId: question.id,
    } as const;
    await db.repository(Message).insert([question, answer]);
    ids.push(id);
  }
  return ids;
}

export const AT = '2026-06-01T10:00:00.000Z';

/** Builds the archive records of a conversation with a bot and its messages, as another system might write them. */
export function buildChatRecords(botId: string, changes: object = {}, ...messages: object[]) {
  const id = newId();
  const chat = {
    type: 'conversation',
    id,
    bot_id: botId,
    visitor_id: 'v',
    browser_id: newId(),
    created_at: AT,
  };
  const said = { type: 'message', conversation_id: id, role: 'user', content: 'Hello', created_at: AT };
  return [{ ...chat, ...changes }, ...messages.map((each) => ({ ...said, id: newId(), ...each }))];
}
