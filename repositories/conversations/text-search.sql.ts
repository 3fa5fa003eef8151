import type { SelectQueryBuilder } from 'typeorm';
import { buildTextCondition, type TextCondition } from '../../database/text-condition.ts';
import { aliasTable, type TableNames } from '../../database/table.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

interface TextSearch extends Pick<TextCondition, 'contains'> {
  parameters: Record<string, string | null>;
}

/** Matches search text that could be a phone number. */
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
  { contains }: TextSearch,
) => `(${contains(table('visitorId'))} OR ${contains(table('identity'))}
  OR ${table('keyId')} IS NULL AND (${contains(table('name'))} OR ${contains(table('email'))} OR ${contains(table('phone'))}
    OR regexp_replace(${table('phone')}, '\\(0\\)|[^0-9]', '', 'g') LIKE :digits))`;

/**
 * Returns a query for the ids of conversations that match a text search. The query searches messages,
 * conversations and contacts separately, so that each search uses its own index. Skips encrypted content. The
 * outer query provides `:orgId`.
 */
const matchConversations = (search: TextSearch) => {
  const { contains } = search;
  return `
  SELECT ${message('conversationId')} FROM ${message.from}
  WHERE ${message('orgId')} = :orgId AND ${message('keyId')} IS NULL AND ${message('role')} <> 'system' AND ${contains(message('content'))}
  UNION ALL
  SELECT ${conversation('id')} FROM ${conversation.from}
  WHERE ${conversation('orgId')} = :orgId
    AND (${conversation('keyId')} IS NULL AND (${contains(conversation('title'))} OR ${contains(conversation('summary'))})
      OR ${contains(conversation('visitorId'))})
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
 * Builds the condition and parameters of a text search for conversations or contacts. If the text looks like
 * a phone number, `digits` is a LIKE pattern without punctuation and leading zeros. It matches numbers with
 * and without a country code.
 */
function toTextSearch(text: string): TextSearch {
  const searchText = text.trim() || text;
  const digits = searchText.replace(/\(0\)|\D/g, '').replace(/^0+/, '');
  const isNumber = PHONE_NUMBER.test(searchText) && digits.length >= MIN_DIGITS;
  const { contains, parameters } = buildTextCondition(searchText);
  // LIKE pattern with the digits of a phone number; null if the text does not look like a phone number.
  return { contains, parameters: { ...parameters, digits: isNumber ? `%${digits}%` : null } };
}
