import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { QuestionCluster } from '../../entities/analytics/question-cluster.entity.ts';
import { QuestionDay } from '../../entities/analytics/question-day.entity.ts';
import { QuestionDelta } from '../../entities/analytics/question-delta.entity.ts';
import { QuestionMember } from '../../entities/analytics/question-member.entity.ts';
import { QuestionTerm } from '../../entities/analytics/question-term.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

/** A visitor's message to which the bot's answer is complete. */
export interface AskedMessage extends Pick<
  Message,
  'id' | 'orgId' | 'keyId' | 'conversationId' | 'content' | 'optionId' | 'createdAt' | 'isUnanswered'
> {
  botId: string;
  language: string;
  followsInputRequest: boolean;
  searchedDocuments: boolean;
  isFollowUp: boolean;
}

/** A lexeme of a question, in the order of appearance. */
export interface AskedLexeme {
  /** Number of the lexeme's question in the statement's input, from 1. */
  position: number;
  lexeme: string;
  isName: boolean;
}

/** Number of a bot's cluster patterns that contain a lexeme, counted up to a limit. */
export interface CountedLexeme {
  botId: string;
  lexeme: string;
  count: number;
  isName: boolean;
}

/** A question cluster, found by the id that is derived from a question's words. */
export type WordSetCluster = Pick<QuestionMember, 'wordsId' | 'clusterId'>;

/** A cluster's pattern that may have the same meaning as a new question. */
export interface PatternMatch {
  botId: string;
  clusterId: string;
  lexemes: string[];
  names: string[];
}

/** A question cluster, with counts for a range of days. */
export interface TopQuestion {
  id: string;
  botId: string;
  /** Newest message of the question cluster. */
  message: Pick<Message, 'id' | 'orgId' | 'keyId' | 'content'>;
  asked: number;
  unanswered: number;
  lastAskedAt: Date;
  conversationIds: string[];
}

const a = aliasTable(Message, 'a');
const b = aliasTable(Bot, 'b');
const c = aliasTable(Conversation, 'c');
const cluster = aliasTable(QuestionCluster, 'cluster');
const d = aliasTable(QuestionDay, 'd');
const delta = aliasTable(QuestionDelta, 'delta');
const m = aliasTable(Message, 'm');
const before = aliasTable(Message, 'before');
const q = aliasTable(QuestionMember, 'q');
const t = aliasTable(QuestionTerm, 't');

const ACROSS = 'The questions of all workspaces are grouped in one batch, each within its bot.';
/**
 * Maximum number of cluster patterns that are counted for a lexeme. Lexemes in at least this many patterns
 * all count as equally common.
 */
export const MAX_COUNTED = 1000;
/** Maximum number of cluster patterns that a search by one lexeme returns. */
const MAX_PATTERNS = 50;

const CONVERSATIONS_SHOWN = 3;
/**
 * Maximum number of a cluster's newest questions that are read to find different conversations. A visitor may
 * ask the same question several times in a conversation.
 */
const MAX_RECENT_QUESTIONS = 30;
/** SQL condition: the question was asked from day $2 until before day $3, in UTC. */
const IN_RANGE = `${q('askedAt')} >= $2::date::timestamp AT TIME ZONE 'UTC'
        AND ${q('askedAt')} < $3::date::timestamp AT TIME ZONE 'UTC'`;

/** Reads visitors' messages with their answers. Parameters: $1 message ids. */
export const LIST_ASKED = defineStatement<AskedMessage>({
  name: 'list-asked-messages',
  because: 'Joins each message with its answer and the messages before it, which requires LATERAL.',
  acrossWorkspaces: ACROSS,
  text: `
    SELECT ${m.as('id', 'orgId', 'keyId', 'conversationId', 'content', 'optionId', 'createdAt')}, ${a.as('isUnanswered')},
      ${b('id')} AS "botId", ${b('language')} AS language,
      ${a('isUnanswered')} OR coalesce(${a('citations')}, '[]') <> '[]' AS "searchedDocuments",
      coalesce(previous.asks, false) AS "followsInputRequest", coalesce(previous.by_visitor, false) AS "isFollowUp"
    FROM ${m.from}
    JOIN ${a.from} ON ${a('replyToId')} = ${m('id')} AND ${a('state')} = 'complete'
    JOIN ${c.from} ON ${c('id')} = ${m('conversationId')}
    JOIN ${b.from} ON ${b('id')} = ${c('botId')} AND ${b('deletedAt')} IS NULL
    CROSS JOIN LATERAL (
      SELECT bool_or(role = 'user') AS by_visitor, (array_agg(asks) FILTER (WHERE role = 'assistant'))[1] AS asks
      FROM (
        SELECT ${before('role')} AS role, ${before('input')} IS NOT NULL AS asks FROM ${before.from}
        WHERE ${before('conversationId')} = ${m('conversationId')} AND ${before('role')} IN ('user', 'assistant')
          AND (${before('createdAt')}, ${before('id')}) < (${m('createdAt')}, ${m('id')})
        ORDER BY ${before('createdAt')} DESC, ${before('id')} DESC LIMIT 2
      ) turn
    ) previous
    WHERE ${m('id')} = ANY($1) AND NOT EXISTS (SELECT FROM ${q.from} WHERE ${q('messageId')} = ${m('id')})
    ORDER BY ${m('id')}`,
});

/**
 * Extracts the lexemes of questions. Parameters are arrays with one element for each question: $1
 * text search configuration, $2 text, $3 names in the text. OFFSET 0 keeps PostgreSQL from stemming
 * all names again for each word.
 */
export const LEXEMES_OF_QUESTIONS = defineStatement<AskedLexeme>({
  name: 'lexemes-of-questions',
  because: 'PostgreSQL extracts the lexemes of many texts in one statement.',
  text: `
    SELECT requested.position::int AS position, word.lexeme,
      word.lexeme = ANY(names.lexemes) AS "isName"
    FROM unnest($1::regconfig[], $2::text[], $3::text[]) WITH ORDINALITY AS requested (config, content, names, position)
    CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(requested.config, requested.names)) AS lexemes OFFSET 0) names
    CROSS JOIN LATERAL unnest(to_tsvector(requested.config, requested.content)) AS word
    ORDER BY requested.position, word.positions[1], word.lexeme`,
});

/** Counts the cluster patterns that contain each lexeme, up to a limit. Parameters: $1 bots, $2 lexemes. */
export const COUNT_LEXEMES = defineStatement<CountedLexeme>({
  name: 'count-lexemes-of-questions',
  because:
    'Looks up each lexeme separately and counts up to a limit. A join would read all rows of common lexemes.',
  acrossWorkspaces: ACROSS,
  text: `
    SELECT requested.bot_id AS "botId", requested.lexeme, found.count::int AS count, coalesce(found.is_name, false) AS "isName"
    FROM unnest($1::uuid[], $2::text[]) AS requested (bot_id, lexeme)
    CROSS JOIN LATERAL (
      SELECT count(*) AS count, bool_or(is_name) AS is_name FROM (
        SELECT ${t('isName')} FROM ${t.from} WHERE ${t('botId')} = requested.bot_id AND ${t('lexeme')} = requested.lexeme
        LIMIT ${MAX_COUNTED}
      ) pattern
    ) found`,
});

/** Finds question clusters by the ids that are derived from questions' words. Parameters: $1 ids. */
export const FIND_BY_WORDS = defineStatement<WordSetCluster>({
  name: 'find-clusters-by-words',
  because: 'Very many questions may have the same words, and LATERAL reads only one of them.',
  acrossWorkspaces: ACROSS,
  text: `
    SELECT requested.words_id AS "wordsId", same.cluster_id AS "clusterId"
    FROM unnest($1::uuid[]) AS requested (words_id)
    CROSS JOIN LATERAL (
      SELECT ${q('clusterId')} FROM ${q.from} WHERE ${q('wordsId')} = requested.words_id
      ORDER BY ${q('wordsId')}, ${q('clusterId')} LIMIT 1
    ) same`,
});

/**
 * Finds cluster patterns whose lexemes include all of the question's lexemes, or are all contained in the
 * question's lexemes. Parameters: $1 bots, $2 lexemes, $3 and $4 minimum and maximum number of lexemes. $5 is
 * all lexemes of the question, separated by spaces, and $6 the maximum number of patterns to compare for each
 * lexeme.
 */
export const FIND_PATTERNS = defineStatement<PatternMatch>({
  name: 'find-patterns-of-questions',
  because: 'Looks up each lexeme separately, up to a limit, and then reads the matching patterns.',
  acrossWorkspaces: ACROSS,
  text: `
    WITH found AS MATERIALIZED (
      SELECT DISTINCT fitting.message_id
      FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::text[]) AS requested (bot_id, lexeme, least, most, words)
      CROSS JOIN LATERAL (SELECT string_to_array(requested.words, ' ') AS words) question
      CROSS JOIN LATERAL (
        SELECT near.message_id FROM (
          SELECT ${t('messageId')}, ${t('lexemeCount')} FROM ${t.from}
          WHERE ${t('botId')} = requested.bot_id AND ${t('lexeme')} = requested.lexeme
            AND ${t('lexemeCount')} BETWEEN requested.least AND requested.most
          ORDER BY ${t('lexemeCount')}, ${t('messageId')} LIMIT $6
        ) near
        WHERE least(near.lexeme_count, cardinality(question.words)) = (
          SELECT count(*) FROM ${t.from} WHERE ${t('messageId')} = near.message_id AND ${t('lexeme')} = ANY(question.words)
        )
        LIMIT ${MAX_PATTERNS}
      ) fitting
    )
    SELECT pattern.bot_id AS "botId", ${q.as('clusterId')}, pattern.lexemes, pattern.names
    FROM found JOIN ${q.from} ON ${q('messageId')} = found.message_id
    CROSS JOIN LATERAL (
      SELECT ${t('botId')}, array_agg(${t('lexeme')}) AS lexemes,
        coalesce(array_agg(${t('lexeme')}) FILTER (WHERE ${t('isName')}), '{}') AS names
      FROM ${t.from} WHERE ${t('messageId')} = found.message_id GROUP BY ${t('botId')}
    ) pattern
    ORDER BY ${q('clusterId')}`,
});

/**
 * Adds to daily counts of question clusters. Parameters: $1 clusters, $2 days, $3 workspaces, $4 bots, $5 and
 * $6 numbers to add to `asked` and `unanswered`.
 */
export const ADD_TO_DAYS = defineStatement({
  name: 'add-to-question-days',
  because: 'Adds to existing days: INSERT ON CONFLICT with a sum.',
  text: `
    INSERT INTO ${d.table} AS d (${d.bare('clusterId', 'day', 'orgId', 'botId', 'asked', 'unanswered')})
    SELECT * FROM unnest($1::uuid[], $2::date[], $3::uuid[], $4::uuid[], $5::int[], $6::int[])
    ON CONFLICT (${d.bare('clusterId', 'day')}) DO UPDATE SET
      ${d.bare('asked')} = ${d('asked')} + excluded.${d.bare('asked')},
      ${d.bare('unanswered')} = ${d('unanswered')} + excluded.${d.bare('unanswered')}`,
});

/**
 * Lists the question clusters that were asked most. Parameters: $1 workspace; $2 first day; $3 day after the
 * last; $4 bot, or null for all; $5 sort order; $6 limit.
 */
export const TOP_QUESTIONS = defineStatement<TopQuestion>({
  name: 'top-questions',
  because:
    'Sums the days before it applies the deltas of deletions, and reads the details of only the first rows (bench questions).',
  text: `
    WITH known AS (
      SELECT ${d('clusterId')}, sum(${d('asked')})::int AS asked, sum(${d('unanswered')})::int AS unanswered FROM ${d.from}
      WHERE ${d('orgId')} = $1 AND ${d('day')} >= $2 AND ${d('day')} < $3 AND ${d('botId')} = ANY(ARRAY(
        SELECT ${b('id')} FROM ${b.from}
        WHERE ${b('orgId')} = $1 AND ${b('deletedAt')} IS NULL AND ${b('id')} = coalesce($4, ${b('id')})))
      GROUP BY 1
    ), deleted AS (
      SELECT ${delta('clusterId')}, sum(${delta('asked')})::int AS asked, sum(${delta('unanswered')})::int AS unanswered
      FROM ${delta.from} WHERE ${delta('orgId')} = $1 AND ${delta('day')} >= $2 AND ${delta('day')} < $3 GROUP BY 1
    ), counted AS (
      SELECT cluster_id, known.asked + coalesce(deleted.asked, 0) AS asked,
        known.unanswered + coalesce(deleted.unanswered, 0) AS unanswered
      FROM known LEFT JOIN deleted USING (cluster_id)
    ), top AS MATERIALIZED (
      SELECT * FROM counted WHERE asked > 0
      ORDER BY CASE $5 WHEN 'asked' THEN asked ELSE unanswered END DESC, unanswered DESC, asked DESC, cluster_id LIMIT $6
    )
    SELECT top.cluster_id AS id, ${cluster.as('botId')}, newest.message, top.asked, top.unanswered,
      newest.asked_at AS "lastAskedAt", recent.conversation_ids AS "conversationIds"
    FROM top
    JOIN ${cluster.from} ON ${cluster('id')} = top.cluster_id
    CROSS JOIN LATERAL (
      SELECT json_build_object('id', ${m('id')}, 'orgId', ${m('orgId')}, 'keyId', ${m('keyId')}, 'content', ${m('content')}) AS message,
        ${q('askedAt')} FROM ${q.from} JOIN ${m.from} ON ${m('id')} = ${q('messageId')}
      WHERE ${q('clusterId')} = top.cluster_id AND ${IN_RANGE}
      ORDER BY ${q('askedAt')} DESC, ${q('messageId')} DESC LIMIT 1
    ) newest
    CROSS JOIN LATERAL (
      SELECT array_agg(conversation_id ORDER BY asked_at DESC, conversation_id) AS conversation_ids FROM (
        SELECT conversation_id, max(asked_at) AS asked_at FROM (
          SELECT ${q('conversationId')}, ${q('askedAt')} FROM ${q.from}
          WHERE ${q('clusterId')} = top.cluster_id AND ${IN_RANGE}
          ORDER BY ${q('askedAt')} DESC, ${q('messageId')} DESC LIMIT ${MAX_RECENT_QUESTIONS}
        ) member GROUP BY conversation_id ORDER BY 2 DESC, 1 LIMIT ${CONVERSATIONS_SHOWN}
      ) conversation
    ) recent
    ORDER BY CASE $5 WHEN 'asked' THEN top.asked ELSE top.unanswered END DESC, top.unanswered DESC, top.asked DESC, top.cluster_id`,
});
