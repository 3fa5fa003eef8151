import { Batcher } from '../../core/concurrency/batcher.ts';
import type { Database } from '../../database/database.ts';
import { isServed } from '../../entities/bots/bot.entity.ts';
import type {
  ConversationStartRepository,
  NewConversation,
} from '../../repositories/conversations/conversation-start.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { toConversationStarted } from './conversation-events.ts';
import type { LockedBot } from '../../repositories/conversations/conversation-start.sql.ts';

export interface ConversationStart extends Omit<NewConversation, 'orgId'> {
  /**
   * Trace context of the request that starts the conversation, as a W3C `traceparent` header; null without
   * tracing.
   */
  traceparent: string | null;
}

export interface ConversationWriterDeps {
  database: Database;
  starts: ConversationStartRepository;
  outbox: OutboxService;
}

/**
 * Starts conversations: writes their rows, the bot's counter and the events. Concurrent starts share one
 * transaction, so that visitors of a busy bot do not queue for a lock on its row.
 */
export class ConversationWriter {
  readonly #deps: ConversationWriterDeps;
  readonly #starts: Batcher<ConversationStart, boolean>;

  constructor(deps: ConversationWriterDeps) {
    this.#deps = deps;
    const startBatch = (starts: ConversationStart[]) =>
      deps.database.transaction((tx) => this.#insertStarts(tx, starts));
    // Runs one batch of conversation starts at a time. Starts that arrive meanwhile join the next batch and
    // need no transaction of their own.
    this.#starts = new Batcher(startBatch, 1);
  }

  /**
   * Starts a conversation. Within a transaction, the start is not batched with other starts. Returns false if
   * the bot is switched off or deleted.
   */
  async start(db: Database, conversation: ConversationStart): Promise<boolean> {
    if (!db.isTransaction) return this.#starts.load(conversation);
    const [isStarted = false] = await this.#insertStarts(db, [conversation]);
    return isStarted;
  }

  async #insertStarts(tx: Database, starts: readonly ConversationStart[]): Promise<boolean[]> {
    const locked = await this.#deps.starts.lockBots(
      tx,
      starts.map(({ botId }) => botId),
    );
    const bots = new Map(locked.filter(acceptsVisitors).map((bot) => [bot.id, bot]));
    const started = starts.flatMap((start) => {
      const bot = bots.get(start.botId);
      return bot ? [{ ...start, orgId: bot.orgId, createdAt: bot.at }] : [];
    });
    if (started.length > 0) {
      this.#deps.starts.insertWithCommit(tx, started);
      await this.#deps.outbox.events(tx, started.map(toConversationStarted));
    }
    return starts.map(({ botId }) => bots.has(botId));
  }
}

function acceptsVisitors(bot: LockedBot): boolean {
  return isServed(bot) && bot.deletedAt === null;
}
