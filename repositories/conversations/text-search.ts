import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { containing } from '../../database/containing.ts';

interface Sought extends ObjectLiteral {
  text: string;
  /** Null where the text is no phone number. */
  digits: string | null;
}

/** What people put between the digits of a phone number, and nothing else. */
const PHONE_NUMBER = /^[+(\d][\d\s()./\p{Pd}]*$/u;
const FEWEST_DIGITS = 3;

/** As the index of contacts has it. */
const PHONE_DIGITS = `regexp_replace(contact.phone, '\\(0\\)|[^0-9]', '', 'g')`;

const CONTACT = `(contact.name ILIKE :text OR contact.email ILIKE :text OR contact.phone ILIKE :text
  OR contact.visitor_id ILIKE :text OR contact.identity ILIKE :text OR ${PHONE_DIGITS} LIKE :digits)`;

/** Each part is found by an index of its own, however many rows there are; `:orgId` is the query's. */
const CONVERSATIONS = `
  SELECT message.conversation_id FROM messages message
  WHERE message.org_id = :orgId AND message.content ILIKE :text
  UNION ALL
  SELECT said.id FROM conversations said
  WHERE said.org_id = :orgId AND (said.title ILIKE :text OR said.summary ILIKE :text OR said.visitor_id ILIKE :text)
  UNION ALL
  SELECT had.id FROM contacts contact JOIN conversations had ON had.contact_id = contact.id
  WHERE contact.org_id = :orgId AND contact.deleted_at IS NULL AND ${CONTACT}
  UNION ALL
  SELECT had.id FROM contacts contact
  JOIN conversations had ON had.bot_id = contact.bot_id AND had.browser_id = contact.browser_id
  WHERE contact.org_id = :orgId AND contact.deleted_at IS NULL AND contact.identity IS NULL
    AND had.contact_id IS NULL AND ${CONTACT}`;

/** Limits a query over conversations to those in which the text stands, or whose visitor is known by it; they are looked for once. */
export function limitToConversationsWith(query: SelectQueryBuilder<Conversation>, text: string): void {
  query
    .addCommonTableExpression(CONVERSATIONS, 'found', { columnNames: ['id'], materialized: true })
    .andWhere('row.id IN (SELECT id FROM found)')
    .setParameters(soughtBy(text));
}

/** Limits a query over contacts to those that are known by the text. */
export function limitToContactsWith(query: SelectQueryBuilder<Contact>, text: string): void {
  query.andWhere(CONTACT.replaceAll('contact.', 'row.'), soughtBy(text));
}

/** A phone number is found however it is typed: with other marks, and with or without what is dialled before it. */
function soughtBy(text: string): Sought {
  const sought = text.trim() || text;
  const digits = sought.replace(/\(0\)|\D/g, '').replace(/^0+/, '');
  const isNumber = PHONE_NUMBER.test(sought) && digits.length >= FEWEST_DIGITS;
  return { text: containing(sought), digits: isNumber ? `%${digits}%` : null };
}
