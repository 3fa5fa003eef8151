import type { Conversation } from '../entities/conversation.entity.ts';
import type { Database } from '../entities/database.ts';

export type EndedConversation = Pick<
  Conversation,
  'id' | 'orgId' | 'botId' | 'visitorId' | 'pageUrl' | 'messageCount' | 'endedAt'
>;

/** Conversations of all workspaces that nobody writes in any more. */
export class IdleConversationRepository {
  /**
   * Ends those that visitor and bot have left; a person's, or one that waits for a person, is the team's to end. One
   * that is being ended, or written in, at this moment is passed by.
   */
  end(
    db: Database,
    { idleSeconds, limit }: { idleSeconds: number; limit: number },
  ): Promise<EndedConversation[]> {
    return db.sql(
      `UPDATE conversations SET status = 'ended', ended_at = now() WHERE id = ANY(ARRAY(
         SELECT c.id FROM conversations c
         WHERE c.status = 'active' AND c.created_at < now() - make_interval(secs => $1)
           AND greatest(c.last_message_at, c.reopened_at) < now() - make_interval(secs => $1)
           AND EXISTS (SELECT FROM bots b WHERE b.id = c.bot_id AND b.deleted_at IS NULL)
         ORDER BY c.created_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED))
       RETURNING id, org_id AS "orgId", bot_id AS "botId", visitor_id AS "visitorId", page_url AS "pageUrl",
                 message_count AS "messageCount", ended_at AS "endedAt"`,
      [idleSeconds, limit],
    );
  }
}
