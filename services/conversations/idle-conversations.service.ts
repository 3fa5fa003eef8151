import type { Settings } from '../../core/settings.ts';
import type { Database } from '../../entities/database.ts';
import type { IdleConversationRepository } from '../../repositories/idle-conversation.repository.ts';
import type { OutboxService } from '../outbox.service.ts';
import { announceEnd } from './conversation-events.ts';

export interface IdleConversationsDeps {
  conversations: IdleConversationRepository;
  outbox: OutboxService;
  settings: Pick<Settings, 'conversationIdleSeconds'>;
}

const BATCH_SIZE = 500;

/** Ends conversations in which nothing has been said for too long, each with its event. */
export class IdleConversations {
  readonly #deps: IdleConversationsDeps;

  constructor(deps: IdleConversationsDeps) {
    this.#deps = deps;
  }

  /** Ends one batch; answers how many that were, and whether there may be more. */
  endBatch(database: Database, limit = BATCH_SIZE): Promise<{ ended: number; isMore: boolean }> {
    const { conversations, outbox, settings } = this.#deps;
    const idleSeconds = settings.conversationIdleSeconds;
    return database.transaction(async (db) => {
      const ended = await conversations.end(db, { idleSeconds, limit });
      await Promise.all(ended.map((each) => announceEnd(outbox, { orgId: each.orgId, db }, each, 'sweep')));
      return { ended: ended.length, isMore: ended.length === limit };
    });
  }
}
