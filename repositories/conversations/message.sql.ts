import { aliasTable } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

const row = aliasTable(Message, 'row');
const pageStart = aliasTable(Message, 'page_start');
const u = aliasTable(User, 'u');

/** Columns by which messages are sorted: creation time, then id. */
export const MESSAGE_POSITION = `(${row('createdAt')}, ${row('id')})`;

/**
 * Selects the sort key of the message at which a page of messages begins, within the same conversation.
 * @param id SQL of that message's id
 */
export const selectPosition = (id: string): string => `(
  SELECT ${pageStart('createdAt')}, ${pageStart('id')} FROM ${pageStart.from}
  WHERE ${pageStart('id')} = ${id} AND ${pageStart('conversationId')} = ${row('conversationId')})`;

/**
 * Returns SQL for the sum of the sizes of a message and of the messages before it on the page, in bytes as
 * stored. PostgreSQL knows a text's size without reading the text.
 */
export const selectPageBytes = (direction: 'ASC' | 'DESC'): string => `
  sum(octet_length(${row('content')})
    + coalesce(octet_length(${row('citations')}::text), 0)
    + coalesce(octet_length(${row('input')}::text), 0))
  OVER (ORDER BY ${row('createdAt')} ${direction}, ${row('id')} ${direction} ROWS UNBOUNDED PRECEDING)`;

/** Returns SQL for the position of a message within its page; the first message has 1. */
export const selectPagePosition = (direction: 'ASC' | 'DESC'): string =>
  `row_number() OVER (ORDER BY ${row('createdAt')} ${direction}, ${row('id')} ${direction})`;

/** SQL for the name of the account with the id `:authorId`, the author of a message. */
export const AUTHOR_NAME = `(SELECT ${u('fullName')} FROM ${u.from} WHERE ${u('id')} = :authorId)`;
