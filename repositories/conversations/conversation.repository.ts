import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { lockedBots } from '../bots/locked-bots.sql.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** What the team does with conversations, be it one or many. */
export const conversationActions = ['resolve', 'reopen', 'delete'] as const;
export type ConversationAction = (typeof conversationActions)[number];

/** What a model call has used; the cost is null where the price is unknown. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
}

/** Rows are locked as turns lock them: conversations, then bots, each by id. */
const LOCKED = `
  WITH locked AS MATERIALIZED (
    SELECT c.id, c.bot_id, c.message_count, c.status, c.is_resolved FROM conversations c
    WHERE c.id = ANY($1) AND c.org_id = $2 ORDER BY c.id FOR UPDATE
  )`;

const statements: Record<ConversationAction, string> = {
  resolve: `${LOCKED}
    UPDATE conversations c SET is_resolved = true,
      status = CASE WHEN c.status IN ('waiting_human', 'human') THEN 'active' ELSE c.status END,
      handoff_requested_at = NULL, handoff_reason = NULL, assigned_to_id = NULL, assigned_at = NULL
    FROM locked WHERE c.id = locked.id
    RETURNING c.id, NOT locked.is_resolved OR locked.status IN ('waiting_human', 'human') AS "isNews"`,
  reopen: `${LOCKED}
    UPDATE conversations c SET is_resolved = false, ended_at = NULL, reopened_at = now(),
      status = CASE WHEN c.status = 'ended' THEN 'active' ELSE c.status END
    FROM locked WHERE c.id = locked.id
    RETURNING c.id, locked.is_resolved OR locked.status = 'ended' AS "isNews"`,
  delete: `${LOCKED}, ${lockedBots('b.id', 'SELECT bot_id FROM locked')}, counted AS (
      UPDATE bots b SET total_conversations = b.total_conversations - gone.n,
        total_messages = b.total_messages - gone.messages
      FROM bot JOIN (
        SELECT bot_id, count(*) AS n, sum(message_count) AS messages FROM locked GROUP BY bot_id
      ) gone ON gone.bot_id = bot.id
      WHERE b.id = bot.id
    )
    DELETE FROM conversations c USING locked WHERE c.id = locked.id RETURNING c.id, true AS "isNews"`,
};

/** A conversation with which something was done, and whether that has changed its state. */
export interface DoneConversation {
  id: string;
  isNews: boolean;
}

export class ConversationRepository extends ScopedRepository<Conversation> {
  constructor() {
    super(Conversation, 'conversation');
  }

  /**
   * Does it with all of these in one statement; returns those that there were. One that leaves the inbox goes
   * back to its bot; with a deleted one go its messages, and what the bot counted of them.
   */
  async apply(
    { orgId, db }: OrgScope,
    action: ConversationAction,
    ids: readonly string[],
  ): Promise<DoneConversation[]> {
    return db.sql<DoneConversation>(statements[action], [ids, orgId]);
  }

  /** Adds what a model call has used that is no answer, or one that was dropped. */
  async addUsage(
    { orgId, db }: OrgScope,
    id: string,
    { inputTokens, outputTokens, costUsd }: ModelUsage,
  ): Promise<void> {
    await db.sql(
      `UPDATE conversations SET
         total_input_tokens = least(total_input_tokens::bigint + $3, 2147483647),
         total_output_tokens = least(total_output_tokens::bigint + $4, 2147483647),
         total_cost_usd = total_cost_usd + $5
       WHERE id = $1 AND org_id = $2`,
      [id, orgId, inputTokens, outputTokens, costUsd ?? 0],
    );
  }

  /** Those among the ids that other workspaces have. */
  async foreign({ orgId, db }: OrgScope, ids: readonly string[]): Promise<string[]> {
    const rows = await db.sql<{ id: string }>(
      'SELECT id FROM conversations WHERE id = ANY($1) AND org_id <> $2',
      [ids, orgId],
    );
    return rows.map(({ id }) => id);
  }
}
