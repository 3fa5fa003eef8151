import { groupItems } from '../../core/group-items.ts';
import type { Database } from '../../database/database.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { INSERT_CONVERSATIONS, LOCK_BOTS } from './conversation-start.sql.ts';
import type { LockedBot } from './conversation-start.sql.ts';

export type NewConversation = Pick<
  Conversation,
  | 'id'
  | 'orgId'
  | 'botId'
  | 'visitorId'
  | 'browserId'
  | 'pageUrl'
  | 'referrer'
  | 'country'
  /** Id of the verified contact that the visitor's identity token names. */
  | 'contactId'
>;

export class ConversationStartRepository {
  /** Locks the bots of new conversations until the transaction ends. Returns the bots that exist. */
  lockBots(db: Database, ids: readonly string[]): Promise<LockedBot[]> {
    return db.run(LOCK_BOTS, [ids]);
  }

  /**
   * Inserts conversations of locked bots and increments the bots' counters. The statement is sent in the same
   * round trip as COMMIT.
   */
  insertWithCommit(db: Database, conversations: readonly NewConversation[]): void {
    const pluck = (key: keyof NewConversation) => conversations.map((conversation) => conversation[key]);
    const bots = groupItems(conversations, ({ botId }) => botId);
    db.runWithCommit(INSERT_CONVERSATIONS, [
      pluck('id'),
      pluck('orgId'),
      pluck('botId'),
      pluck('visitorId'),
      pluck('browserId'),
      pluck('pageUrl'),
      pluck('referrer'),
      pluck('country'),
      pluck('contactId'),
      bots.map(([id]) => id),
      bots.map(([, { length }]) => length),
    ]);
  }
}
