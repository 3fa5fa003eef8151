import { IsNull } from 'typeorm';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';

/** The visitor in a conversation with a bot: a verified contact or an anonymous browser. */
export interface VisitorOfBot {
  botId: string;
  browserId: string;
  /** Id of the verified contact; null for an anonymous visitor. */
  contactId: string | null;
}

/** A browser with which a visitor talks to a bot. */
export type Browser = Pick<VisitorOfBot, 'botId' | 'browserId'>;

/** A visitor, with the visitor id that the embedding web page has set. */
export type NamedVisitor = VisitorOfBot & Pick<Conversation, 'visitorId'>;

/** Converts a contact to the visitor whose conversations belong to it. */
export function toVisitor({
  id,
  identity,
  botId,
  browserId,
}: Pick<Contact, 'id' | 'identity' | 'botId' | 'browserId'>): VisitorOfBot {
  return { botId, browserId, contactId: identity === null ? null : id };
}

/** Returns the `where` condition that selects the visitor's conversations and consents. */
export function whereVisitor({ botId, browserId, contactId }: VisitorOfBot) {
  return contactId === null ? { contactId: IsNull(), botId, browserId } : { contactId };
}

export function toVisitorKey({ botId, browserId, contactId }: VisitorOfBot): string {
  return contactId ?? `${botId} ${browserId}`;
}
