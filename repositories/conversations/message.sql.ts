import { aliasTable } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

const row = aliasTable(Message, 'row');
const seen = aliasTable(Message, 'seen');
const u = aliasTable(User, 'u');

/** Sort key of messages. */
export const MESSAGE_POSITION = `(${row('createdAt')}, ${row('id')})`;

/** Selects the sort key of the cursor's message in the same conversation. @param id SQL of its id */
export const selectPosition = (id: string): string => `(
  SELECT ${seen('createdAt')}, ${seen('id')} FROM ${seen.from}
  WHERE ${seen('id')} = ${id} AND ${seen('conversationId')} = ${row('conversationId')})`;

/** Selects the name of the account `:authorId`. */
export const AUTHOR_NAME = `(SELECT ${u('fullName')} FROM ${u.from} WHERE ${u('id')} = :authorId)`;
