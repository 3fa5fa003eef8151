import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { Flow } from '../../entities/flows/flow.entity.ts';

/** State of a conversation's flow before the visitor's message is processed, as stored. */
export interface FlowTurnRow {
  session: Pick<
    FlowSession,
    | 'conversationId'
    | 'orgId'
    | 'keyId'
    | 'flowId'
    | 'revision'
    | 'status'
    | 'nodeId'
    | 'awaiting'
    | 'sealedState'
    | 'steps'
    | 'waitId'
  > | null;
  /** True if an earlier message of the conversation has no finished answer yet. */
  hasEarlierUnfinished: boolean;
}

const s = aliasTable(FlowSession, 's');
const c = aliasTable(Conversation, 'c');
const f = aliasTable(Flow, 'f');
const answer = aliasTable(Message, 'answer');
const question = aliasTable(Message, 'question');
const otherAnswer = aliasTable(Message, 'other_answer');
const otherQuestion = aliasTable(Message, 'other_question');

/**
 * Reads the flow session of an answer's conversation. Visitors' messages are compared by their creation time,
 * which is assigned while the conversation is locked. Parameters: $1 answer id, $2 workspace id.
 */
export const FLOW_TURN = defineStatement<FlowTurnRow>({
  name: 'flow-turn',
  because: 'In one snapshot, reads a session and what it has to wait for (bench flows).',
  isPrepared: true,
  text: `
    SELECT CASE WHEN ${s('conversationId')} IS NULL THEN NULL ELSE json_build_object(
        'conversationId', ${s('conversationId')}, 'orgId', ${s('orgId')}, 'keyId', ${s('keyId')}, 'flowId', ${s('flowId')}, 'revision', ${s('revision')}, 'status', ${s('status')}, 'nodeId', ${s('nodeId')},
        'awaiting', ${s('awaiting')}, 'sealedState', ${s('sealedState')}, 'steps', ${s('steps')}, 'waitId', ${s('waitId')}) END AS session,
      EXISTS (
        SELECT FROM ${otherAnswer.from} LEFT JOIN ${otherQuestion.from} ON ${otherQuestion('id')} = ${otherAnswer('replyToId')}
        WHERE ${otherAnswer('conversationId')} = ${answer('conversationId')} AND ${otherAnswer('state')} = 'generating'
          AND (coalesce(${otherQuestion('createdAt')}, ${otherAnswer('createdAt')}), ${otherAnswer('id')})
            < (coalesce(${question('createdAt')}, ${answer('createdAt')}), ${answer('id')})) AS "hasEarlierUnfinished"
    FROM ${answer.from} LEFT JOIN ${question.from} ON ${question('id')} = ${answer('replyToId')}
    LEFT JOIN ${s.from} ON ${s('conversationId')} = ${answer('conversationId')}
    WHERE ${answer('id')} = $1 AND ${answer('orgId')} = $2`,
});

/**
 * Writes flow sessions, except those of deleted flows. Parameters: $1 conversations; $2 workspaces; $3 flows;
 * $4 revisions; $5 statuses; $6 nodes; $7 requested inputs; $8 encrypted values; $9 steps; $10 waits; $11
 * failures; $12 data keys.
 */
export const WRITE_SESSIONS = defineStatement({
  name: 'write-flow-sessions',
  because: 'Replaces the only session of each conversation and updates the conversation (bench flows).',
  isPrepared: true,
  text: `
    WITH written AS (
      INSERT INTO ${s.table} AS s (${s.bare('conversationId', 'orgId', 'flowId', 'revision', 'status', 'nodeId')},
        ${s.bare('awaiting', 'sealedState', 'steps', 'waitId', 'failure', 'keyId')})
      SELECT n.conversation_id, n.org_id, n.flow_id, n.revision, n.status, n.node_id, n.awaiting, n.sealed, n.steps, n.wait_id, n.failure, n.key_id
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::int[],
        $10::uuid[], $11::text[], $12::uuid[])
        AS n (conversation_id, org_id, flow_id, revision, status, node_id, awaiting, sealed, steps, wait_id, failure, key_id)
      JOIN ${f.from} ON ${f('id')} = n.flow_id AND ${f('orgId')} = n.org_id
      FOR KEY SHARE OF f
      ON CONFLICT (${s.bare('conversationId')}) DO UPDATE SET ${[
        'flowId',
        'revision',
        'status',
        'nodeId',
        'awaiting',
        'sealedState',
        'steps',
        'waitId',
        'failure',
        'keyId',
      ]
        .map((column) => s.bare(column as keyof FlowSession))
        .map((column) => `${column} = excluded.${column}`)
        .join(', ')}, ${s.bare('updatedAt')} = now()
      RETURNING ${s('conversationId')} AS id, ${s('status')} = 'waiting' AS is_waiting
    )
    UPDATE ${c.from} SET ${c.bare('isInFlow')} = written.is_waiting FROM written WHERE ${c('id')} = written.id`,
});
