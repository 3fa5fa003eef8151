import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

/** Maximum number of a conversation's messages that a model receives. */
const HISTORY_MESSAGES = 20;

/** State of an unfinished answer: it is still to be generated, was stopped by the visitor, or was deleted. */
export type AnswerState = 'needed' | 'stopped' | 'deleted';

export type HistoryMessage = Pick<Message, 'id' | 'orgId' | 'keyId' | 'role' | 'content'>;

const m = aliasTable(Message, 'm');

/**
 * Reads the latest messages of conversations, as input for a model. Parameters: $1 conversation ids, $2 their
 * workspace ids, $3 for each the id of the last message to read.
 */
export const HISTORIES = defineStatement<{ history: HistoryMessage[] }>({
  name: 'histories',
  because: 'Every answer needs this statement, which runs in batches (bench streams).',
  isPrepared: true,
  text: `
    SELECT (SELECT coalesce(json_agg(json_build_object('id', id, 'orgId', org_id, 'keyId', key_id, 'role', role, 'content', content)
                            ORDER BY is_asked, said_at, id), '[]') FROM (
              SELECT ${m.bare('role', 'content', 'orgId', 'keyId')}, ${m('createdAt')} AS said_at, ${m('id')}, ${m('id')} = requested.up_to AS is_asked
              FROM ${m.from}
              WHERE ${m('conversationId')} = requested.conversation_id AND ${m('orgId')} = requested.org_id AND ${m('id')} <= requested.up_to
                AND ${m('state')} = 'complete' AND NOT ${m('isError')} AND ${m('role')} <> 'system'
              ORDER BY ${m('createdAt')} DESC, ${m('id')} DESC LIMIT ${HISTORY_MESSAGES}) newest) AS history
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) WITH ORDINALITY
      AS requested (conversation_id, org_id, up_to, position)
    ORDER BY requested.position`,
});

/** Reads the states of answers. Parameters: $1 ids of answers, $2 their workspace ids. */
export const ANSWER_STATES = defineStatement<{ state: AnswerState }>({
  name: 'answer-states',
  because: 'Every answer needs this statement, which runs in batches (bench streams).',
  isPrepared: true,
  text: `
    SELECT CASE WHEN ${m('id')} IS NULL THEN 'deleted' WHEN ${m('stoppedAt')} IS NULL THEN 'needed' ELSE 'stopped' END AS state
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS requested (id, org_id, position)
    LEFT JOIN ${m.from} ON ${m('id')} = requested.id AND ${m('orgId')} = requested.org_id
    ORDER BY requested.position`,
});
