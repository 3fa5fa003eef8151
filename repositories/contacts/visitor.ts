import { IsNull } from 'typeorm';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';

/** Who talks in a conversation: the verified contact where there is one, or else whoever uses a browser. */
export interface VisitorOfBot {
  botId: string;
  browserId: string;
  /** Of the verified contact. */
  contactId: string | null;
}

/** A browser that talks to a bot. */
export type Browser = Pick<VisitorOfBot, 'botId' | 'browserId'>;

/** With what the page calls the visitor. */
export type NamedVisitor = VisitorOfBot & Pick<Conversation, 'visitorId'>;

/** As conversations name the visitor. */
export function visitorOf({
  id,
  identity,
  botId,
  browserId,
}: Pick<Contact, 'id' | 'identity' | 'botId' | 'browserId'>): VisitorOfBot {
  return { botId, browserId, contactId: identity === null ? null : id };
}

/** Which conversations and consents are the visitor's. */
export function whereOf({ botId, browserId, contactId }: VisitorOfBot) {
  return contactId === null ? { contactId: IsNull(), botId, browserId } : { contactId };
}

export function keyOf({ botId, browserId, contactId }: VisitorOfBot): string {
  return contactId ?? `${botId} ${browserId}`;
}
