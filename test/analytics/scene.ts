import type { Database } from '../../database/database.ts';
import { FOLD_ANALYTICS } from '../../repositories/analytics/analytics.sql.ts';

export interface Scene {
  botIds: readonly string[];
  conversations: number;
  /** Number of days, up to now, over which conversations are spread evenly. */
  days: number;
  /** True if each visitor asks once and gets an answer, so that the scene also has figures of answers. */
  hasMessages: boolean;
}

/** Number of conversations that one SQL statement inserts; this takes seconds. */
const CHUNK = 50_000;

/**
 * Returns SQL for a pseudorandom number below `below`, which depends on the conversation and the purpose and
 * is the same at every run.
 */
const drawNumber = (purpose: string, below: number) =>
  `(abs(hashint8extended(n, ${hashPurpose(purpose)})) % ${below})`;

function hashPurpose(purpose: string): number {
  return [...purpose].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) % 1_000_003;
}

const BOT = `($1::uuid[])[1 + ${drawNumber('bot', 1000)} * cardinality($1::uuid[]) / 1000]`;
/**
 * SQL that inserts conversations. In 15 %, a visitor requested a team member or a member took over; 8 % have
 * no message, 4 % are still open, and half are rated.
 */
const INSERT_CONVERSATIONS = `
  INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, ended_at, is_resolved, is_lead, rating,
    has_visitor_message, had_handoff, message_count, created_at, last_message_at, visitor_seen_at)
  SELECT md5('conversation ' || n || $1::uuid[]::text)::uuid, b.org_id, b.id, 'visitor-' || n, md5('browser ' || n)::uuid,
    CASE WHEN ${drawNumber('open', 25)} = 0 THEN 'active' ELSE 'ended' END, began + interval '9 minutes',
    ${drawNumber('resolved', 100)} < 20, ${drawNumber('lead', 100)} < 8,
    CASE WHEN ${drawNumber('rated', 2)} = 0 THEN 1 + greatest(${drawNumber('stars', 5)}, ${drawNumber('more', 5)}) END,
    ${drawNumber('silent', 100)} >= 8, ${drawNumber('handoff', 100)} < 15, 2, began, began + interval '5 minutes', began
  FROM generate_series($2::bigint, $3::bigint) AS n
    CROSS JOIN LATERAL (SELECT now() - (1 - n::float / $4) * $5 * interval '1 day' AS began) time
    JOIN bots b ON b.id = ${BOT}`;
/**
 * SQL that inserts requests for a team member in two thirds of the 15 % of conversations with a handoff.
 * Members answer four of five, within seconds to three hours.
 */
const INSERT_HANDOFFS = `
  INSERT INTO handoffs (id, org_id, bot_id, conversation_id, requested_at, answered_at)
  SELECT gen_random_uuid(), c.org_id, c.bot_id, c.id, c.created_at + interval '1 minute',
    CASE WHEN ${drawNumber('answered', 5)} > 0
      THEN c.created_at + interval '61 seconds' + power(${drawNumber('wait', 100)}, 2) * interval '1 second' END
  FROM generate_series($2::bigint, $3::bigint) AS n JOIN conversations c ON c.id = md5('conversation ' || n || $1::uuid[]::text)::uuid
  WHERE c.had_handoff AND ${drawNumber('asked', 3)} > 0`;
/** SQL that inserts the system messages of the requests and takeovers by team members. */
const INSERT_NOTES = `
  INSERT INTO messages (id, org_id, conversation_id, role, content, event, created_at)
  SELECT gen_random_uuid(), c.org_id, c.id, 'system', '', jsonb_build_object('kind', note.kind), note.at
  FROM generate_series($2::bigint, $3::bigint) AS n JOIN conversations c ON c.id = md5('conversation ' || n || $1::uuid[]::text)::uuid
    LEFT JOIN handoffs h ON h.conversation_id = c.id
    CROSS JOIN LATERAL (VALUES ('handoff_requested', h.requested_at), ('agent_joined', h.answered_at),
      ('agent_joined', CASE WHEN h.id IS NULL THEN c.created_at + interval '1 minute' END)) note (kind, at)
  WHERE c.had_handoff AND note.at IS NOT NULL`;
const INSERT_MESSAGES = `
  INSERT INTO messages (id, org_id, conversation_id, role, content, created_at, model, input_tokens, output_tokens, cost_usd,
    latency_ms, ttft_ms, is_error, is_unanswered)
  SELECT gen_random_uuid(), c.org_id, c.id, said.role, said.content, c.created_at + said.after * interval '1 second',
    said.model, 400 * after, 60 * after, 0.0002 * after, (900 + power(${drawNumber('latency', 90)}, 2)) * after,
    (200 + ${drawNumber('ttft', 700)}) * after, after = 1 AND ${drawNumber('error', 80)} = 0, after = 1 AND ${drawNumber('unanswered', 12)} = 0
  FROM generate_series($2::bigint, $3::bigint) AS n JOIN conversations c ON c.id = md5('conversation ' || n || $1::uuid[]::text)::uuid
    CROSS JOIN LATERAL (VALUES ('user', 'When do you open on day ' || ${drawNumber('question', 300)} || '?', 0, NULL),
      ('assistant', 'At nine.', 1, 'gpt-4o-mini')) said (role, content, after, model)
  WHERE c.has_visitor_message`;

/**
 * Fills the bots' workspace with conversations of known figures through the database triggers that count
 * them, and adds the recorded changes to the figures.
 */
export async function fillScene(
  db: Database,
  { botIds, conversations, days, hasMessages }: Scene,
): Promise<void> {
  for (let first = 1; first <= conversations; first += CHUNK) {
    const last = Math.min(first + CHUNK - 1, conversations);
    await db.sql(INSERT_CONVERSATIONS, [botIds, first, last, conversations, days]);
    await db.sql(INSERT_HANDOFFS, [botIds, first, last]);
    for (const said of hasMessages ? [INSERT_MESSAGES, INSERT_NOTES] : [])
      await db.sql(said, [botIds, first, last]);
    await foldAll(db);
  }
}

export async function foldAll(db: Database): Promise<void> {
  for (;;) {
    const [folded] = await db.run(FOLD_ANALYTICS);
    if ((folded?.taken ?? 0) === 0) return;
  }
}
