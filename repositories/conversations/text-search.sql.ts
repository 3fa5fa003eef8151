import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { containing } from '../../database/containing.ts';
import { tableOf, type TableNames } from '../../database/table.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

interface Sought extends ObjectLiteral {
  text: string;
  /** Null if the text is not a phone number. */
  digits: string | null;
}

/** Characters of a phone number. */
const PHONE_NUMBER = /^[+(\d][\d\s()./\p{Pd}]*$/u;
const FEWEST_DIGITS = 3;

const message = tableOf(Message, 'message');
const said = tableOf(Conversation, 'said');
const had = tableOf(Conversation, 'had');
const contact = tableOf(Contact, 'contact');

/**
 * Matches contacts by a text, or by the digits of a phone number in the form that the index has. An encrypted contact
 * matches only by its visitor id and identity.
 */
const isKnownBy = (
  table: TableNames<Contact>,
) => `(${table('visitorId')} ILIKE :text OR ${table('identity')} ILIKE :text
  OR ${table('keyId')} IS NULL AND (${table('name')} ILIKE :text OR ${table('email')} ILIKE :text OR ${table('phone')} ILIKE :text
    OR regexp_replace(${table('phone')}, '\\(0\\)|[^0-9]', '', 'g') LIKE :digits))`;

/** Finds each part by its own index. Skips encrypted content. `:orgId` is a parameter of the outer query. */
const CONVERSATIONS = `
  SELECT ${message('conversationId')} FROM ${message.from}
  WHERE ${message('orgId')} = :orgId AND ${message('keyId')} IS NULL AND ${message('role')} <> 'system' AND ${message('content')} ILIKE :text
  UNION ALL
  SELECT ${said('id')} FROM ${said.from}
  WHERE ${said('orgId')} = :orgId
    AND (${said('keyId')} IS NULL AND (${said('title')} ILIKE :text OR ${said('summary')} ILIKE :text)
      OR ${said('visitorId')} ILIKE :text)
  UNION ALL
  SELECT ${had('id')} FROM ${contact.from} JOIN ${had.from} ON ${had('contactId')} = ${contact('id')}
  WHERE ${contact('orgId')} = :orgId AND ${contact('deletedAt')} IS NULL AND ${isKnownBy(contact)}
  UNION ALL
  SELECT ${had('id')} FROM ${contact.from}
  JOIN ${had.from} ON ${had('botId')} = ${contact('botId')} AND ${had('browserId')} = ${contact('browserId')}
  WHERE ${contact('orgId')} = :orgId AND ${contact('deletedAt')} IS NULL AND ${contact('identity')} IS NULL
    AND ${had('contactId')} IS NULL AND ${isKnownBy(contact)}`;

/**
 * Limits a query to conversations that contain the text or whose visitor matches it. Searches once, in a materialized
 * CTE.
 */
export function limitToConversationsWith(query: SelectQueryBuilder<Conversation>, text: string): void {
  query
    .addCommonTableExpression(CONVERSATIONS, 'found', { columnNames: ['id'], materialized: true })
    .andWhere('row.id IN (SELECT id FROM found)')
    .setParameters(soughtBy(text));
}

/** Limits a query to contacts that match the text. */
export function limitToContactsWith(query: SelectQueryBuilder<Contact>, text: string): void {
  query.andWhere(isKnownBy(tableOf(Contact, 'row')), soughtBy(text));
}

/** Finds a phone number with any punctuation, with or without a prefix. */
function soughtBy(text: string): Sought {
  const sought = text.trim() || text;
  const digits = sought.replace(/\(0\)|\D/g, '').replace(/^0+/, '');
  const isNumber = PHONE_NUMBER.test(sought) && digits.length >= FEWEST_DIGITS;
  return { text: containing(sought), digits: isNumber ? `%${digits}%` : null };
}
