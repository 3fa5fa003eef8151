import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { Database } from '../../database/database.ts';

export type EndedConversation = Pick<
  Conversation,
  'id' | 'orgId' | 'botId' | 'visitorId' | 'pageUrl' | 'messageCount' | 'endedAt'
>;

/** Which conversations are idle after how long. */
export interface Idleness {
  /** `active`: the bot has it; `handoff`: it waits for a person, or has one. */
  of: 'active' | 'handoff';
  seconds: number;
}

const STATES: Record<Idleness['of'], string> = {
  active: `c.status = 'active'`,
  handoff: `c.status IN ('waiting_human', 'human')`,
};

/** Conversations of all workspaces that nobody writes in any more. */
export class IdleConversationRepository {
  /**
   * Ends those in which nothing has been said for so long, be it since the team gave them another chance or somebody
   * took them. One that is being ended, or written in, at this moment is passed by.
   */
  end(db: Database, { of, seconds }: Idleness, limit: number): Promise<EndedConversation[]> {
    return db.sql(
      `UPDATE conversations SET status = 'ended', ended_at = now() WHERE id = ANY(ARRAY(
         SELECT c.id FROM conversations c
         WHERE ${STATES[of]} AND c.created_at < now() - make_interval(secs => $1)
           AND greatest(c.last_message_at, c.reopened_at, c.assigned_at) < now() - make_interval(secs => $1)
           AND EXISTS (SELECT FROM bots b WHERE b.id = c.bot_id AND b.deleted_at IS NULL)
         ORDER BY c.created_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED))
       RETURNING id, org_id AS "orgId", bot_id AS "botId", visitor_id AS "visitorId", page_url AS "pageUrl",
                 message_count AS "messageCount", ended_at AS "endedAt"`,
      [seconds, limit],
    );
  }
}
