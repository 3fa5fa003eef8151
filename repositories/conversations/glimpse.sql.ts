import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

/** First or last message of a conversation. */
export type GlimpsedMessage = Pick<Message, 'id' | 'orgId' | 'keyId' | 'role' | 'content'>;

/** Characters of a message that a list shows. */
export const GLIMPSE_CHARACTERS = 200;

const m = tableOf(Message, 'm');
const OF_CONVERSATION = `${m('conversationId')} = asked.id AND ${m('orgId')} = $2`;
/** Returns encrypted content completely: it can only be decrypted as a whole. */
const GLIMPSED = `json_build_object('id', ${m('id')}, 'orgId', ${m('orgId')}, 'keyId', ${m('keyId')}, 'role', ${m('role')},
        'content', CASE WHEN ${m('keyId')} IS NULL THEN left(${m('content')}, ${GLIMPSE_CHARACTERS}) ELSE ${m('content')} END) AS message`;

/** Values: $1 conversations, $2 their workspace. */
export const GLIMPSES = statement<{
  id: string;
  first: GlimpsedMessage | null;
  last: GlimpsedMessage | null;
}>({
  name: 'conversation-previews',
  because: 'A lateral join reads both ends of each conversation by the index (bench inbox).',
  isPrepared: true,
  text: `
    SELECT asked.id, first.message AS first, last.message AS last
    FROM unnest($1::uuid[]) AS asked (id)
    LEFT JOIN LATERAL (
      SELECT ${GLIMPSED} FROM ${m.from}
      WHERE ${OF_CONVERSATION} AND ${m('role')} = 'user'
      ORDER BY ${m('createdAt')}, ${m('id')} LIMIT 1) first ON true
    LEFT JOIN LATERAL (
      SELECT ${GLIMPSED} FROM ${m.from}
      WHERE ${OF_CONVERSATION} AND ${m('role')} <> 'system' AND ${m('state')} = 'complete'
      ORDER BY ${m('createdAt')} DESC, ${m('id')} DESC LIMIT 1) last ON true`,
});
