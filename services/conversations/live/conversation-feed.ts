import { listenToNotifications } from '../../../adapters/postgres/listen.ts';
import type { Logger } from '../../../core/logger.ts';
import { CONVERSATIONS_CHANNEL } from '../../../entities/conversations/conversation.entity.ts';

export interface ConversationFeedOptions {
  databaseUrl: string | undefined;
  log: Logger;
}

type WakeListener = (conversationId: string | null) => void;

/**
 * Notifies the open streams of this process of changes to conversations and to the status of bots. See
 * docs/patterns.md#live-streams.
 */
export class ConversationFeed {
  readonly #options: ConversationFeedOptions;
  readonly #stopping = new AbortController();
  readonly #listeners = new Map<string, Set<WakeListener>>();
  #listening: Promise<void> | undefined;
  #hasListened = false;

  constructor(options: ConversationFeedOptions) {
    this.#options = options;
  }

  /**
   * Yields the ids of conversations that have changed since the last value. Yields null at first and whenever
   * changes may have been missed: the reader must then load everything.
   * @param ids ids to watch: conversations, workspaces for all their conversations, or bots for their status
   */
  async *watchChanges(
    ids: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<ReadonlySet<string> | null> {
    this.#listening ??= this.#listenToDatabase();
    const changed = new Set<string>();
    // Streams that opened before the process listened to the database's notifications are notified once it
    // does.
    let isAll = this.#hasListened;
    let wake = () => {};
    const notify: WakeListener = (conversationId) => {
      if (conversationId === null) isAll = true;
      else changed.add(conversationId);
      wake();
    };
    const wakeOnAbort = () => wake();
    const isOver = () => signal.aborted || this.#stopping.signal.aborted;
    for (const id of ids) this.#addListener(id, notify);
    signal.addEventListener('abort', wakeOnAbort, { once: true });
    try {
      for (;;) {
        if (!isAll && changed.size === 0 && !isOver()) await new Promise<void>((resolve) => (wake = resolve));
        if (isOver()) return;
        const changedIds = isAll ? null : new Set(changed);
        isAll = false;
        changed.clear();
        yield changedIds;
      }
    } finally {
      signal.removeEventListener('abort', wakeOnAbort);
      for (const id of ids) this.#removeListener(id, notify);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeAll();
    await this.#listening;
  }

  #listenToDatabase(): Promise<void> {
    const { databaseUrl = '', log } = this.#options;
    const onWake = (payload: string | null) => {
      if (payload === null) {
        this.#hasListened = true;
        return this.#wakeAll();
      }
      const ids = payload.split(' ');
      for (const id of ids) this.#listeners.get(id)?.forEach((notify) => notify(ids.at(-1)!));
    };
    return listenToNotifications(
      { databaseUrl, channel: CONVERSATIONS_CHANNEL, log, onWake },
      this.#stopping.signal,
    );
  }

  #wakeAll(): void {
    for (const listeners of this.#listeners.values()) for (const notify of listeners) notify(null);
  }

  #addListener(id: string, notify: WakeListener): void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(notify));
  }

  #removeListener(id: string, notify: WakeListener): void {
    const listeners = this.#listeners.get(id);
    listeners?.delete(notify);
    if (listeners?.size === 0) this.#listeners.delete(id);
  }
}
