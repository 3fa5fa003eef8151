import { tableOf } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

const row = tableOf(Message, 'row');
const seen = tableOf(Message, 'seen');
const u = tableOf(User, 'u');

/** What messages are in the order of. */
export const PLACE = `(${row('createdAt')}, ${row('id')})`;

/** The same of the message that a parameter names, of the same conversation. */
export const placeOf = (id: string): string => `(
  SELECT ${seen('createdAt')}, ${seen('id')} FROM ${seen.from}
  WHERE ${seen('id')} = ${id} AND ${seen('conversationId')} = ${row('conversationId')})`;

/** What the account `:authorId` is called. */
export const AUTHOR_NAME = `(SELECT ${u('fullName')} FROM ${u.from} WHERE ${u('id')} = :authorId)`;
