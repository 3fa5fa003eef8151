import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

/** A message that the list of conversations shows, as stored. */
export type PreviewMessage = Pick<Message, 'id' | 'orgId' | 'keyId' | 'role' | 'content'>;

/** Maximum number of a message's characters that the list of conversations shows. */
export const PREVIEW_CHARACTERS = 200;

const m = aliasTable(Message, 'm');
const IN_CONVERSATION = `${m('conversationId')} = requested.id AND ${m('orgId')} = $2`;
/**
 * SQL for a message in the list of conversations. Truncates plain text, but returns encrypted content in
 * full, because it can only be decrypted as a whole.
 */
const PREVIEW_JSON = `json_build_object('id', ${m('id')}, 'orgId', ${m('orgId')}, 'keyId', ${m('keyId')}, 'role', ${m('role')},
        'content', CASE WHEN ${m('keyId')} IS NULL THEN left(${m('content')}, ${PREVIEW_CHARACTERS}) ELSE ${m('content')} END) AS message`;

/**
 * Reads the messages that the list of conversations shows. Parameters: $1 conversation ids, $2 workspace id.
 */
export const SELECT_PREVIEWS = defineStatement<{
  id: string;
  first: PreviewMessage | null;
  lastOfVisitor: PreviewMessage | null;
  last: PreviewMessage | null;
}>({
  name: 'conversation-previews',
  because:
    'A lateral join uses the index to read the first and last messages of each conversation (bench inbox).',
  isPrepared: true,
  text: `
    SELECT requested.id, first.message AS first, visitor.message AS "lastOfVisitor", last.message AS last
    FROM unnest($1::uuid[]) AS requested (id)
    LEFT JOIN LATERAL (
      SELECT ${PREVIEW_JSON} FROM ${m.from}
      WHERE ${IN_CONVERSATION} AND ${m('role')} = 'user'
      ORDER BY ${m('createdAt')}, ${m('id')} LIMIT 1) first ON true
    LEFT JOIN LATERAL (
      SELECT ${PREVIEW_JSON} FROM ${m.from}
      WHERE ${IN_CONVERSATION} AND ${m('role')} = 'user'
      ORDER BY ${m('createdAt')} DESC, ${m('id')} DESC LIMIT 1) visitor ON true
    LEFT JOIN LATERAL (
      SELECT ${PREVIEW_JSON} FROM ${m.from}
      WHERE ${IN_CONVERSATION} AND ${m('role')} <> 'system' AND ${m('state')} = 'complete'
      ORDER BY ${m('createdAt')} DESC, ${m('id')} DESC LIMIT 1) last ON true`,
});
