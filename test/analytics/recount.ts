import type { Database } from '../../database/database.ts';
import type { ConversationStatus } from '../../entities/conversations/conversation.entity.ts';

export interface RecountedRange {
  orgId: string;
  /** Id of the bot to count; all bots if absent. */
  botId?: string;
  from: Date;
  to: Date;
}

interface ConversationRow {
  status: ConversationStatus;
  is_resolved: boolean;
  is_lead: boolean;
  rating: number | null;
  turns: number;
  handed_over: boolean;
}

interface AnswerRow {
  latency_ms: number | null;
  ttft_ms: number | null;
  is_error: boolean;
  is_unanswered: boolean;
}

interface RequestRow {
  next_kind: string | null;
  seconds: number | null;
}

const SCOPE = 'c.org_id = $1 AND ($2::uuid IS NULL OR c.bot_id = $2)';
const WITHIN = (time: string) => `${SCOPE} AND ${time} >= $3 AND ${time} < $4`;

/** Counts all analytics figures from conversations and their messages, as docs/analytics.md defines the figures. */
export async function recount(database: Database, range: RecountedRange) {
  const values = [range.orgId, range.botId ?? null, range.from, range.to];
  const begun = await database.sql<ConversationRow>(
    `SELECT c.status, c.is_resolved, c.is_lead, c.rating,
       (SELECT count(*)::int FROM messages WHERE conversation_id = c.id AND role = 'user') AS turns,
       EXISTS (SELECT FROM messages WHERE conversation_id = c.id
         AND event ->> 'kind' IN ('handoff_requested', 'agent_joined')) AS handed_over
     FROM conversations c WHERE ${WITHIN('c.created_at')}`,
    values,
  );
  const answers = await database.sql<AnswerRow>(
    `SELECT m.latency_ms, m.ttft_ms, m.is_error, m.is_unanswered FROM messages m JOIN conversations c ON c.id = m.conversation_id
     WHERE m.role = 'assistant' AND m.state = 'complete' AND ${WITHIN('m.created_at')}`,
    values,
  );
  const requests = await database.sql<RequestRow>(
    `SELECT next_kind, floor(extract(epoch FROM next_at - m.created_at))::int AS seconds FROM (
       SELECT conversation_id, created_at, event ->> 'kind' AS kind,
         lead(event ->> 'kind') OVER ahead AS next_kind, lead(created_at) OVER ahead AS next_at
       FROM messages WHERE event ->> 'kind' IN ('handoff_requested', 'agent_joined', 'handoff_released', 'resolved', 'ended')
       WINDOW ahead AS (PARTITION BY conversation_id ORDER BY created_at, id)) m
     JOIN conversations c ON c.id = m.conversation_id
     WHERE m.kind = 'handoff_requested' AND ${WITHIN('m.created_at')}`,
    values,
  );
  return { ...countConversations(begun), ...countHandoffs(requests), ...countAnswers(answers) };
}

function countConversations(begun: readonly ConversationRow[]) {
  const spoken = begun.filter(({ turns }) => turns > 0);
  const ended = spoken.filter(({ status }) => status === 'ended');
  return {
    sessions: begun.length,
    conversations: spoken.length,
    ended: ended.length,
    resolved: spoken.filter((row) => row.is_resolved).length,
    self_served: ended.filter((row) => !row.handed_over && (row.rating === null || row.rating > 2)).length,
    leads: begun.filter((row) => row.is_lead).length,
    spoken_leads: spoken.filter((row) => row.is_lead).length,
    ratings: [1, 2, 3, 4, 5].map((stars) => begun.filter(({ rating }) => rating === stars).length),
  };
}

function countHandoffs(requests: readonly RequestRow[]) {
  const answered = requests.filter((row) => row.next_kind === 'agent_joined');
  return { requested: requests.length, answered: answered.length };
}

function countAnswers(answers: readonly AnswerRow[]) {
  const good = answers.filter((row) => !row.is_error);
  return {
    errors: answers.length - good.length,
    unanswered: answers.filter((row) => row.is_unanswered).length,
    latencies: good.flatMap((row) => row.latency_ms ?? []).toSorted((a, b) => a - b),
    ttfts: good.flatMap((row) => row.ttft_ms ?? []).toSorted((a, b) => a - b),
  };
}

/** Returns the exact percentile of sorted numbers: the value at rank `part` times their count. */
export function computePercentile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1] ?? null;
}
