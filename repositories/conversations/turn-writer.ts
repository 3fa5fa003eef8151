import { Batcher } from '../../core/concurrency/batcher.ts';
import type { Citation } from '../../core/conversations/citation.ts';
import { newId } from '../../core/ids.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import { OUTBOX_CHANNEL, UNHURRIED } from '../../entities/outbox/outbox.entity.ts';
import { lockedBots } from '../bots/locked-bots.sql.ts';
import type { OrgScope } from '../../database/org-scope.ts';

export interface NewTurn {
  conversationId: string;
  content: string;
  clientId: string | null;
}

export interface NewReply {
  id: string;
  conversationId: string;
  botId: string;
  content: string;
  authorId: string;
}

/**
 * What became of a turn: it gets an answer, a human has the conversation (`silent`), or it was not written because the
 * conversation has ended or is gone, the bot is off, its month is used up, or the client id is known already.
 */
export type TurnOutcome = 'answering' | 'silent' | 'ended' | 'gone' | 'bot_off' | 'quota' | 'duplicate';

export interface WrittenTurn {
  outcome: TurnOutcome;
  messageId: string;
  answerId: string;
  createdAt: Date;
}

export interface FinishedAnswer {
  messageId: string;
  content: string;
  citations: Citation[];
  /** The model that answered; null when none was asked. */
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  latencyMs: number;
  /** Milliseconds until the first text; null when there was none from a model. */
  ttftMs: number | null;
  errorCode: string | null;
}

/**
 * Rows are locked in the order conversation, bot, month, each by id: statements that overlap wait, and never deadlock.
 * The time of a message is taken behind these locks, so that who has read up to one misses none.
 */
const LOCKS = `
  locked AS MATERIALIZED (
    SELECT c.id, c.org_id, c.bot_id, c.status FROM conversations c
    WHERE c.id IN (SELECT conversation_id FROM asked) ORDER BY c.id FOR UPDATE
  ), ${lockedBots(
    "b.id, b.monthly_message_cap AS cap, b.status = 'active' AND b.is_public AND b.deleted_at IS NULL AS is_on",
    'SELECT bot_id FROM locked',
  )}`;

const MESSAGE_EVENT = `jsonb_build_object(
    'message_id', m.id, 'conversation_id', m.conversation_id, 'bot_id', m.bot_id, 'role', m.role, 'content', m.content,
    'citations', coalesce(m.citations, '[]'), 'is_error', m.is_error,
    'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

const COUNTS = `
  counted AS (
    UPDATE conversations c SET message_count = c.message_count + m.n, last_message_at = now(),
      total_input_tokens = least(c.total_input_tokens + m.input, 2147483647),
      total_output_tokens = least(c.total_output_tokens + m.output, 2147483647),
      total_cost_usd = c.total_cost_usd + m.cost
    FROM (SELECT conversation_id, count(*) AS n, coalesce(sum(input_tokens), 0) AS input,
                 coalesce(sum(output_tokens), 0) AS output, coalesce(sum(cost_usd), 0) AS cost
          FROM written GROUP BY conversation_id) m
    WHERE c.id = m.conversation_id
  ), counted_on_bot AS (
    UPDATE bots b SET total_messages = b.total_messages + m.n
    FROM (SELECT bot_id, count(*) AS n FROM written GROUP BY bot_id) m
    WHERE b.id = m.bot_id
  ), announced AS (
    INSERT INTO outbox (id, org_id, bot_id, kind, name, payload)
    SELECT m.event_id, m.org_id, m.bot_id, 'event', 'message.created', ${MESSAGE_EVENT} FROM written m
  ), woken AS MATERIALIZED (SELECT pg_notify('${OUTBOX_CHANNEL}', '${UNHURRIED}'))`;

const WRITE: PreparedStatement = {
  name: 'write-turns',
  text: `
    WITH asked AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[]) WITH ORDINALITY
        AS asked (message_id, answer_id, event_id, conversation_id, content, client_id, position)
    ), ${LOCKS}, month AS MATERIALIZED (
      SELECT u.bot_id, u.messages FROM monthly_usage u JOIN bot ON bot.id = u.bot_id AND bot.cap IS NOT NULL
      WHERE u.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date ORDER BY u.bot_id FOR UPDATE OF u
    ), judged AS (
      SELECT a.*, c.org_id, c.bot_id, bot.cap, coalesce(month.messages, 0) AS used,
        min(a.position) OVER (PARTITION BY a.conversation_id, coalesce(a.client_id, a.message_id::text)) AS turn,
        CASE WHEN c.id IS NULL THEN 'gone' WHEN c.status = 'ended' THEN 'ended' WHEN NOT bot.is_on THEN 'bot_off'
             WHEN c.status <> 'active' THEN 'silent' WHEN bot.cap IS NOT NULL AND month.bot_id IS NULL THEN 'unopened'
             ELSE 'answering' END AS outcome
      FROM asked a LEFT JOIN locked c ON c.id = a.conversation_id LEFT JOIN bot ON bot.id = c.bot_id
      LEFT JOIN month ON month.bot_id = bot.id
    ), admitted AS (
      SELECT j.*, j.outcome <> 'answering' OR j.cap IS NULL
        OR j.used + dense_rank() OVER (PARTITION BY j.bot_id, j.outcome ORDER BY j.turn) <= j.cap AS is_within
      FROM judged j
    ), inserted AS (
      INSERT INTO messages (id, org_id, conversation_id, role, content, client_id, created_at)
      SELECT message_id, org_id, conversation_id, 'user', content, client_id, clock_timestamp() FROM admitted
      WHERE is_within AND outcome IN ('answering', 'silent')
      ON CONFLICT (conversation_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
      RETURNING *
    ), written AS (
      SELECT i.*, a.bot_id, a.event_id, a.answer_id, a.outcome FROM inserted i JOIN admitted a ON a.message_id = i.id
    ), pending AS (
      INSERT INTO messages (id, org_id, conversation_id, reply_to_id, role, state, content, lease_expires_at)
      SELECT answer_id, org_id, conversation_id, id, 'assistant', 'generating', '', now() + $7 * interval '1 second'
      FROM written WHERE outcome = 'answering'
    ), used AS (
      INSERT INTO monthly_usage AS usage (bot_id, month, org_id, messages)
      SELECT bot_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, org_id, count(*) FROM written
      WHERE outcome = 'answering' GROUP BY bot_id, org_id ORDER BY bot_id
      ON CONFLICT (bot_id, month) DO UPDATE SET messages = usage.messages + excluded.messages
    ), ${COUNTS}
    SELECT CASE WHEN NOT a.is_within THEN 'quota'
                WHEN a.outcome IN ('answering', 'silent') AND w.id IS NULL THEN 'duplicate'
                ELSE a.outcome END AS outcome,
           a.message_id AS "messageId", a.answer_id AS "answerId", coalesce(w.created_at, now()) AS "createdAt"
    FROM woken, admitted a LEFT JOIN written w ON w.id = a.message_id ORDER BY a.position`,
};

const FINISH: PreparedStatement = {
  name: 'finish-answers',
  text: `
    WITH asked AS (
      SELECT done.*, m.conversation_id FROM unnest(
        $1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::int[], $7::int[], $8::numeric[], $9::int[],
        $10::int[], $11::text[])
        AS done (message_id, event_id, content, citations, model, input_tokens, output_tokens, cost_usd, latency_ms,
                 ttft_ms, error_code)
      JOIN messages m ON m.id = done.message_id
    ), ${LOCKS}, finished AS (
      UPDATE messages m SET state = 'complete', lease_expires_at = NULL, content = a.content, citations = a.citations,
        model = a.model, input_tokens = a.input_tokens, output_tokens = a.output_tokens, cost_usd = a.cost_usd,
        latency_ms = a.latency_ms, ttft_ms = a.ttft_ms, is_error = a.error_code IS NOT NULL, error_code = a.error_code,
        created_at = clock_timestamp()
      FROM asked a, locked c, bot
      WHERE m.id = a.message_id AND m.state = 'generating' AND c.id = m.conversation_id AND bot.id = c.bot_id
        AND c.status <> 'human'
      RETURNING m.*, c.bot_id, a.event_id
    ), silenced AS (
      DELETE FROM messages m USING asked a, locked c
      WHERE m.id = a.message_id AND m.state = 'generating' AND c.id = m.conversation_id AND c.status = 'human'
    ), written AS (SELECT * FROM finished), ${COUNTS}
    SELECT id AS "messageId", created_at AS "createdAt" FROM woken, finished`,
};

const REPLY: PreparedStatement = {
  name: 'write-reply',
  text: `
    WITH written AS (
      INSERT INTO messages (id, org_id, conversation_id, role, content, author_id, author_name, created_at)
      VALUES ($1, $2, $3, 'agent', $4, $7, (SELECT full_name FROM users WHERE id = $7), clock_timestamp())
      RETURNING *, $5::uuid AS bot_id, $6::uuid AS event_id
    ), ${COUNTS}
    SELECT FROM woken`,
};

/** Gives a capped bot's month a row to lock, so that its very first turns are counted exactly, too. */
const OPEN_MONTHS: PreparedStatement = {
  name: 'open-months',
  text: `
    INSERT INTO monthly_usage (bot_id, month, org_id, messages)
    SELECT DISTINCT b.id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, b.org_id, 0
    FROM conversations c JOIN bots b ON b.id = c.bot_id WHERE c.id = ANY($1) ORDER BY b.id
    ON CONFLICT DO NOTHING`,
};

/**
 * Writes turns and answers with everything that belongs to them: counters of conversation and bot, the month's usage,
 * and the event. Those of the same moment share one statement and one commit, so that the visitors of a busy bot do
 * not queue for its row.
 */
export class TurnWriter {
  readonly #writes: Batcher<NewTurn, WrittenTurn>;
  readonly #finishes: Batcher<FinishedAnswer, Date | null>;

  /** @param leaseSeconds how long an answer belongs to the process that makes it */
  constructor(database: Database, leaseSeconds: number) {
    this.#writes = new Batcher((turns) => writeTurns(database, turns, leaseSeconds));
    this.#finishes = new Batcher((answers) => finishAnswers(database, answers));
  }

  /** A message of the team, in the transaction that has locked its conversation. */
  async reply({ db, orgId }: OrgScope, reply: NewReply): Promise<void> {
    const { id, conversationId, botId, content, authorId } = reply;
    await db.prepared(REPLY, [id, orgId, conversationId, content, botId, newId(), authorId]);
  }

  write(turn: NewTurn): Promise<WrittenTurn> {
    return this.#writes.load(turn);
  }

  /** The time of the answer, or null when it was finished before or is gone, as it is if a human has taken over. */
  finish(answer: FinishedAnswer): Promise<Date | null> {
    return this.#finishes.load(answer);
  }
}

async function writeTurns(
  database: Database,
  turns: NewTurn[],
  leaseSeconds: number,
): Promise<WrittenTurn[]> {
  const written = await database.prepared<WrittenTurn | UnopenedTurn>(WRITE, [
    turns.map(() => newId()),
    turns.map(() => newId()),
    turns.map(() => newId()),
    turns.map(({ conversationId }) => conversationId),
    turns.map(({ content }) => content),
    turns.map(({ clientId }) => clientId),
    leaseSeconds,
  ]);
  const unopened = turns.filter((_turn, index) => written[index]!.outcome === 'unopened');
  if (unopened.length === 0) return written.filter(isOpened);
  await database.prepared(OPEN_MONTHS, [unopened.map(({ conversationId }) => conversationId)]);
  const late = await writeTurns(database, unopened, leaseSeconds);
  return written.map((turn) => (isOpened(turn) ? turn : late.shift()!));
}

/** Not written, because the month of its bot has no row yet. */
interface UnopenedTurn {
  outcome: 'unopened';
}

function isOpened(turn: WrittenTurn | UnopenedTurn): turn is WrittenTurn {
  return turn.outcome !== 'unopened';
}

async function finishAnswers(database: Database, answers: FinishedAnswer[]): Promise<(Date | null)[]> {
  const column = <K extends keyof FinishedAnswer>(key: K) => answers.map((answer) => answer[key]);
  const rows = await database.prepared<{ messageId: string; createdAt: Date }>(FINISH, [
    column('messageId'),
    answers.map(() => newId()),
    column('content'),
    answers.map(({ citations }) => JSON.stringify(citations)),
    column('model'),
    column('inputTokens'),
    column('outputTokens'),
    column('costUsd'),
    column('latencyMs'),
    column('ttftMs'),
    column('errorCode'),
  ]);
  const times = new Map(rows.map(({ messageId, createdAt }) => [messageId, createdAt]));
  return answers.map(({ messageId }) => times.get(messageId) ?? null);
}
