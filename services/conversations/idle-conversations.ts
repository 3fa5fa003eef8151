import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { IdleConversationRepository } from '../../repositories/conversations/idle-conversation.repository.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { announceEnd } from './conversation-events.ts';

export interface IdleConversationsDeps {
  conversations: IdleConversationRepository;
  messages: MessageRepository;
  outbox: OutboxService;
  settings: Pick<Settings, 'conversationIdleSeconds'>;
}

const BATCH_SIZE = 500;
/**
 * Time in seconds after its last message at which a conversation with the team ends. A day allows agents to
 * reply the next morning.
 */
const HANDOFF_IDLE_SECONDS = 24 * 60 * 60;

/**
 * Ends conversations without recent messages, and emits an event for each. Conversations with the team may be
 * idle for longer.
 */
export class IdleConversations {
  readonly #deps: IdleConversationsDeps;

  constructor(deps: IdleConversationsDeps) {
    this.#deps = deps;
  }

  /**
   * Ends one batch of idle conversations with bots and one batch with the team. `isMore` is true if a batch
   * was full.
   */
  endBatch(database: Database, limit = BATCH_SIZE): Promise<{ ended: number; isMore: boolean }> {
    const { conversations, messages, outbox, settings } = this.#deps;
    const { conversationIdleSeconds } = settings;
    return database.transaction(async (db) => {
      const idle = await conversations.end(db, { kind: 'active', seconds: conversationIdleSeconds }, limit);
      const abandoned = await conversations.end(
        db,
        { kind: 'handoff', seconds: HANDOFF_IDLE_SECONDS },
        limit,
      );
      for (const { id, orgId } of abandoned) {
        await messages.insertSystemMessages({ orgId, db }, [id], { kind: 'ended', ended_by: 'sweep' });
      }
      const ended = [...idle, ...abandoned];
      await Promise.all(ended.map((each) => announceEnd(outbox, { orgId: each.orgId, db }, each, 'sweep')));
      return { ended: ended.length, isMore: idle.length === limit || abandoned.length === limit };
    });
  }
}
