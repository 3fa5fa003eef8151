import type { SelectQueryBuilder } from 'typeorm';
import { buildTextCondition, type TextCondition } from '../../database/text-condition.ts';
import { aliasTable, type TableNames } from '../../database/table.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

interface TextSearch extends Pick<TextCondition, 'isIn'> {
  parameters: Record<string, string | null>;
}

/** Matches text that could be a phone number. */
const PHONE_NUMBER = /^[+(\d][\d\s()./\p{Pd}]*$/u;
const MIN_DIGITS = 3;

const message = aliasTable(Message, 'message');
const conversation = aliasTable(Conversation, 'conversation');
const contact = aliasTable(Contact, 'contact');

/**
 * Returns an SQL condition that matches contacts whose data contain a text or phone number. Phone numbers are
 * compared without punctuation. An encrypted contact matches only by its visitor id and identity.
 */
const matchesContact = (
  table: TableNames<Contact>,
  { isIn }: TextSearch,
) => `(${isIn(table('visitorId'))} OR ${isIn(table('identity'))}
  OR ${table('keyId')} IS NULL AND (${isIn(table('name'))} OR ${isIn(table('email'))} OR ${isIn(table('phone'))}
    OR regexp_replace(${table('phone')}, '\\(0\\)|[^0-9]', '', 'g') LIKE :digits))`;

/**
 * Searches messages, conversations and contacts separately, so that each uses its own index. Skips encrypted
 * content. The outer query provides `:orgId`.
 */
const matchConversations = (search: TextSearch) => {
  const { isIn } = search;
  return `
  SELECT ${message('conversationId')} FROM ${message.from}
  WHERE ${message('orgId')} = :orgId AND ${message('keyId')} IS NULL AND ${message('role')} <> 'system' AND ${isIn(message('content'))}
  UNION ALL
  SELECT ${conversation('id')} FROM ${conversation.from}
  WHERE ${conversation('orgId')} = :orgId
    AND (${conversation('keyId')} IS NULL AND (${isIn(conversation('title'))} OR ${isIn(conversation('summary'))})
      OR ${isIn(conversation('visitorId'))})
  UNION ALL
  SELECT ${conversation('id')} FROM ${contact.from} JOIN ${conversation.from} ON ${conversation('contactId')} = ${contact('id')}
  WHERE ${contact('orgId')} = :orgId AND ${contact('deletedAt')} IS NULL AND ${matchesContact(contact, search)}
  UNION ALL
  SELECT ${conversation('id')} FROM ${contact.from}
  JOIN ${conversation.from} ON ${conversation('botId')} = ${contact('botId')} AND ${conversation('browserId')} = ${contact('browserId')}
  WHERE ${contact('orgId')} = :orgId AND ${contact('deletedAt')} IS NULL AND ${contact('identity')} IS NULL
    AND ${conversation('contactId')} IS NULL AND ${matchesContact(contact, search)}`;
};

/**
 * Limits a query to conversations that contain the text, or whose contact matches it. The search runs once,
 * in a materialized CTE.
 */
export function limitToConversationsWith(query: SelectQueryBuilder<Conversation>, text: string): void {
  const search = toTextSearch(text);
  query
    .addCommonTableExpression(matchConversations(search), 'found', {
      columnNames: ['id'],
      materialized: true,
    })
    .andWhere('row.id IN (SELECT id FROM found)')
    .setParameters(search.parameters);
}

/** Limits a query to contacts whose data contain the text. */
export function limitToContactsWith(query: SelectQueryBuilder<Contact>, text: string): void {
  const search = toTextSearch(text);
  query.andWhere(matchesContact(aliasTable(Contact, 'row'), search), search.parameters);
}

/**
 * Strips punctuation and leading zeros from a searched phone number. The result matches numbers with and
 * without a country code.
 */
function toTextSearch(text: string): TextSearch {
  const sought = text.trim() || text;
  const digits = sought.replace(/\(0\)|\D/g, '').replace(/^0+/, '');
  const isNumber = PHONE_NUMBER.test(sought) && digits.length >= MIN_DIGITS;
  const { isIn, parameters } = buildTextCondition(sought);
  // LIKE pattern with the digits of a phone number; null if the searched text is not a phone number.
  return { isIn, parameters: { ...parameters, digits: isNumber ? `%${digits}%` : null } };
}
