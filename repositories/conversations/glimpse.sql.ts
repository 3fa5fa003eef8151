import type { MessageRole } from '../../entities/conversations/message.entity.ts';
import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

/** What a conversation is recognised by in a list, each text cut short. */
export interface Glimpse {
  /** What the visitor said first; null while that is nothing. */
  firstQuestion: string | null;
  /** What anybody said last, and who. */
  lastMessage: string | null;
  lastMessageRole: Exclude<MessageRole, 'system'> | null;
}

/** As much of a message as a row of a list shows. */
const GLIMPSE_CHARACTERS = 200;

const m = tableOf(Message, 'm');
const OF_CONVERSATION = `${m('conversationId')} = asked.id AND ${m('orgId')} = $2`;

/** $1 ids of conversations, $2 their workspace */
export const GLIMPSES = statement<Glimpse & { id: string }>({
  name: 'glimpses',
  because:
    'A lateral join reads both ends of each conversation by their index, in one statement (bench inbox).',
  isPrepared: true,
  text: `
    SELECT asked.id, first.content AS "firstQuestion", last.content AS "lastMessage", last.role AS "lastMessageRole"
    FROM unnest($1::uuid[]) AS asked (id)
    LEFT JOIN LATERAL (
      SELECT left(${m('content')}, ${GLIMPSE_CHARACTERS}) AS content FROM ${m.from}
      WHERE ${OF_CONVERSATION} AND ${m('role')} = 'user'
      ORDER BY ${m('createdAt')}, ${m('id')} LIMIT 1) first ON true
    LEFT JOIN LATERAL (
      SELECT left(${m('content')}, ${GLIMPSE_CHARACTERS}) AS content, ${m('role')} AS role FROM ${m.from}
      WHERE ${OF_CONVERSATION} AND ${m('role')} <> 'system' AND ${m('state')} = 'complete'
      ORDER BY ${m('createdAt')} DESC, ${m('id')} DESC LIMIT 1) last ON true`,
});
