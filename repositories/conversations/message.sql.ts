import { tableOf } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

const row = tableOf(Message, 'row');
const seen = tableOf(Message, 'seen');
const u = tableOf(User, 'u');

/** Sort key of messages. */
export const PLACE = `(${row('createdAt')}, ${row('id')})`;

/** Selects the sort key of another message of the same conversation. The id is a parameter. */
export const placeOf = (id: string): string => `(
  SELECT ${seen('createdAt')}, ${seen('id')} FROM ${seen.from}
  WHERE ${seen('id')} = ${id} AND ${seen('conversationId')} = ${row('conversationId')})`;

/** Selects the name of the account `:authorId`. */
export const AUTHOR_NAME = `(SELECT ${u('fullName')} FROM ${u.from} WHERE ${u('id')} = :authorId)`;
