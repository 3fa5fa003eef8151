import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { ARCHIVED_MESSAGE_COLUMNS } from './archived-columns.ts';

const m = aliasTable(Message, 'm');
const conversation = aliasTable(Conversation, 'conversation');
const row = aliasTable(Contact, 'row');

const READ_COLUMNS = [...ARCHIVED_MESSAGE_COLUMNS, 'orgId', 'keyId'] as const;

/**
 * Columns of a message that an export reads. `costUsd` is text, in exactly the form that PostgreSQL returns.
 */
export type ArchivedMessage = Omit<Pick<Message, (typeof READ_COLUMNS)[number]>, 'costUsd'> & {
  costUsd: string | null;
};

/**
 * Reads the complete messages of conversations to export. Parameters: $1 conversation ids, $2 their
 * workspace.
 */
export const ARCHIVED_MESSAGES = defineStatement<ArchivedMessage>({
  name: 'archived-messages',
  because:
    'Creating entities for a million rows would take the whole time limit of an export (bench archive).',
  isPrepared: true,
  text: `
    SELECT ${m.as(...READ_COLUMNS)} FROM ${m.from}
    WHERE ${m('conversationId')} = ANY($1::uuid[]) AND ${m('orgId')} = $2 AND ${m('state')} = 'complete'
    ORDER BY ${m('conversationId')}, ${m('createdAt')}, ${m('id')}`,
});

/**
 * SQL condition: the contact `row` has a conversation, by the contact's id or, for an anonymous contact, by
 * its browser.
 */
export const HAS_CONVERSATION = `(
  EXISTS (SELECT FROM ${conversation.from} WHERE ${conversation('contactId')} = ${row('id')})
  OR ${row('identity')} IS NULL AND EXISTS (SELECT FROM ${conversation.from}
    WHERE ${conversation('botId')} = ${row('botId')} AND ${conversation('browserId')} = ${row('browserId')} AND ${conversation('contactId')} IS NULL))`;
