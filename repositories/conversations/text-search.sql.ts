import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { containing } from '../../database/containing.ts';
import { tableOf, type TableNames } from '../../database/table.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

interface Sought extends ObjectLiteral {
  text: string;
  /** Null where the text is no phone number. */
  digits: string | null;
}

/** What people put between the digits of a phone number, and nothing else. */
const PHONE_NUMBER = /^[+(\d][\d\s()./\p{Pd}]*$/u;
const FEWEST_DIGITS = 3;

const message = tableOf(Message, 'message');
const said = tableOf(Conversation, 'said');
const had = tableOf(Conversation, 'had');
const contact = tableOf(Contact, 'contact');

/** Whether a contact is known by the text; for the digits, as its index has them. Of one that is sealed, by what pages call it. */
const isKnownBy = (
  of: TableNames<Contact>,
) => `(${of('visitorId')} ILIKE :text OR ${of('identity')} ILIKE :text
  OR ${of('keyId')} IS NULL AND (${of('name')} ILIKE :text OR ${of('email')} ILIKE :text OR ${of('phone')} ILIKE :text
    OR regexp_replace(${of('phone')}, '\\(0\\)|[^0-9]', '', 'g') LIKE :digits))`;

/** Each part is found by an index of its own, however many rows there are; in what is sealed nothing is looked for. `:orgId` is the query's. */
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

/** Limits a query over conversations to those in which the text stands, or whose visitor is known by it; they are looked for once. */
export function limitToConversationsWith(query: SelectQueryBuilder<Conversation>, text: string): void {
  query
    .addCommonTableExpression(CONVERSATIONS, 'found', { columnNames: ['id'], materialized: true })
    .andWhere('row.id IN (SELECT id FROM found)')
    .setParameters(soughtBy(text));
}

/** Limits a query over contacts to those that are known by the text. */
export function limitToContactsWith(query: SelectQueryBuilder<Contact>, text: string): void {
  query.andWhere(isKnownBy(tableOf(Contact, 'row')), soughtBy(text));
}

/** A phone number is found however it is typed: with other marks, and with or without what is dialled before it. */
function soughtBy(text: string): Sought {
  const sought = text.trim() || text;
  const digits = sought.replace(/\(0\)|\D/g, '').replace(/^0+/, '');
  const isNumber = PHONE_NUMBER.test(sought) && digits.length >= FEWEST_DIGITS;
  return { text: containing(sought), digits: isNumber ? `%${digits}%` : null };
}
