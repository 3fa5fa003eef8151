import { listen } from '../../../adapters/postgres/listen.ts';
import type { Logger } from '../../../core/logger.ts';
import { CONVERSATIONS_CHANNEL } from '../../../entities/conversations/conversation.entity.ts';

export interface ConversationFeedOptions {
  databaseUrl: string | undefined;
  log: Logger;
}

type Bell = (conversationId: string | null) => void;

/**
 * Tells the open streams of this process when something has changed in a conversation, or in any of a workspace, or when a
 * bot is switched on or off. See docs/patterns.md#live-streams.
 */
export class ConversationFeed {
  readonly #options: ConversationFeedOptions;
  readonly #stopping = new AbortController();
  readonly #bells = new Map<string, Set<Bell>>();
  #listening: Promise<void> | undefined;
  #hasListened = false;

  constructor(options: ConversationFeedOptions) {
    this.#options = options;
  }

  /**
   * Yields the ids of the conversations that have changed since it was asked last; null to begin with, and whenever
   * some may have been missed.
   * @param ids of conversations, bots or workspaces; of a bot, whether it is switched on
   */
  async *changesOf(ids: readonly string[], signal: AbortSignal): AsyncGenerator<ReadonlySet<string> | null> {
    this.#listening ??= this.#listen();
    const changed = new Set<string>();
    // Who comes before the process listens is rung when it does.
    let isAll = this.#hasListened;
    let wake = () => {};
    const ring: Bell = (conversationId) => {
      if (conversationId === null) isAll = true;
      else changed.add(conversationId);
      wake();
    };
    const end = () => wake();
    const isOver = () => signal.aborted || this.#stopping.signal.aborted;
    for (const id of ids) this.#add(id, ring);
    signal.addEventListener('abort', end, { once: true });
    try {
      for (;;) {
        if (!isAll && changed.size === 0 && !isOver()) await new Promise<void>((resolve) => (wake = resolve));
        if (isOver()) return;
        const news = isAll ? null : new Set(changed);
        isAll = false;
        changed.clear();
        yield news;
      }
    } finally {
      signal.removeEventListener('abort', end);
      for (const id of ids) this.#remove(id, ring);
    }
  }

  /** Ends all streams. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#ringAll();
    await this.#listening;
  }

  #listen(): Promise<void> {
    const { databaseUrl = '', log } = this.#options;
    const onWake = (payload: string | null) => {
      if (payload === null) {
        this.#hasListened = true;
        return this.#ringAll();
      }
      const ids = payload.split(' ');
      for (const id of ids) this.#bells.get(id)?.forEach((ring) => ring(ids.at(-1)!));
    };
    return listen({ databaseUrl, channel: CONVERSATIONS_CHANNEL, log, onWake }, this.#stopping.signal);
  }

  #ringAll(): void {
    for (const bells of this.#bells.values()) for (const ring of bells) ring(null);
  }

  #add(id: string, ring: Bell): void {
    const bells = this.#bells.get(id) ?? new Set();
    this.#bells.set(id, bells.add(ring));
  }

  #remove(id: string, ring: Bell): void {
    const bells = this.#bells.get(id);
    bells?.delete(ring);
    if (bells?.size === 0) this.#bells.delete(id);
  }
}
