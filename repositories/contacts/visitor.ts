import { IsNull } from 'typeorm';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';

/** The visitor of a conversation: a verified contact, or else an anonymous browser. */
export interface VisitorOfBot {
  botId: string;
  browserId: string;
  /** Id of the verified contact; null for an anonymous visitor. */
  contactId: string | null;
}

/** A browser that talks to a bot. */
export type Browser = Pick<VisitorOfBot, 'botId' | 'browserId'>;

/** A visitor with the id that the embedding page assigned. */
export type NamedVisitor = VisitorOfBot & Pick<Conversation, 'visitorId'>;

/** Returns the visitor that a contact stands for in conversations. */
export function toVisitor({
  id,
  identity,
  botId,
  browserId,
}: Pick<Contact, 'id' | 'identity' | 'botId' | 'browserId'>): VisitorOfBot {
  return { botId, browserId, contactId: identity === null ? null : id };
}

/** Returns the condition for the visitor's conversations and consents. */
export function whereVisitor({ botId, browserId, contactId }: VisitorOfBot) {
  return contactId === null ? { contactId: IsNull(), botId, browserId } : { contactId };
}

export function toVisitorKey({ botId, browserId, contactId }: VisitorOfBot): string {
  return contactId ?? `${botId} ${browserId}`;
}
