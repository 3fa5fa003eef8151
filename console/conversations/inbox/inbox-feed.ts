import { toApiError, type ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import type { InboxItem, Page } from '../../client/types.ts';
import { Store } from '../../client/store.ts';
import { waitBeforeRetry } from '../../state/wait-before-retry.ts';
import type { ReadMarks } from './read-marks.ts';

/**
 * State of the connection to the inbox's event stream; `refused` if the user or API key may not read the
 * inbox.
 */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'refused';

export interface InboxEntry {
  item: InboxItem;
  /**
   * When the browser received the inbox item, in milliseconds since the epoch. The item's `waiting_seconds`
   * was correct at that time.
   */
  receivedAt: number;
}

export interface InboxState {
  connection: Connection;
  problem: ApiError | null;
  /** Whether the list of inbox items has been loaded once. */
  isLoaded: boolean;
  entries: ReadonlyMap<string, InboxEntry>;
  /** Number of conversations in the inbox. Greater than the number of entries if not all are loaded. */
  total: number;
  /** Id of the signed-in user; null until loaded. */
  memberId: string | null;
}

export interface InboxEvent {
  type: 'item' | 'removed';
  item: InboxItem;
}

/**
 * Interval in milliseconds for reloading the inbox: the presence of visitors and some counts change without
 * an event.
 */
const LIST_EVERY_MS = 30_000;
const MAX_PAGES = 3;
/**
 * Minimum milliseconds between requests for the total number of inbox items. While only part of the inbox is
 * loaded, events do not suffice to compute the total.
 */
const COUNT_EVERY_MS = 1_000;

/** Inbox of the workspace, kept current by one event stream that all pages of the console share. */
export class InboxFeed {
  readonly state = new Store<InboxState>({
    connection: 'connecting',
    problem: null,
    isLoaded: false,
    entries: new Map(),
    total: 0,
    memberId: null,
  });
  readonly #client: Client;
  readonly #reads: ReadMarks;
  readonly #loadUserId: () => Promise<string>;
  readonly #listeners = new Set<(event: InboxEvent) => void>();
  /**
   * Events received during each running request for the list of inbox items. An event is newer than the
   * response, so it overrides the response.
   */
  readonly #listings = new Set<Map<string, InboxEvent['type']>>();
  #lastEventId: string | undefined;
  #isTotalStale = false;
  /** Aborts the requests and the event stream; null while the feed is stopped. */
  #leaving: AbortController | null = null;

  /** @param loadUserId returns the id of the signed-in user */
  constructor(client: Client, reads: ReadMarks, loadUserId: () => Promise<string>) {
    this.#client = client;
    this.#reads = reads;
    this.#loadUserId = loadUserId;
  }

  /**
   * Loads the inbox and opens its event stream.
   * @returns function that stops both
   */
  start(): () => void {
    const leaving = new AbortController();
    this.#leaving = leaving;
    void this.#followEvents(leaving.signal);
    const isFollowed = (): boolean => this.state.value.connection === 'live' && !document.hidden;
    const listing = window.setInterval(() => {
      if (isFollowed()) void this.#loadList(leaving.signal);
    }, LIST_EVERY_MS);
    const counting = window.setInterval(() => {
      if (this.#isTotalStale && isFollowed()) void this.#fetchTotal(leaving.signal);
    }, COUNT_EVERY_MS);
    return () => {
      window.clearInterval(listing);
      window.clearInterval(counting);
      leaving.abort();
    };
  }

  /** Loads the inbox again, after a change that no event reports. */
  reload(): void {
    if (this.#leaving !== null) void this.#loadList(this.#leaving.signal);
  }

  /**
   * Subscribes to the events of the inbox.
   * @returns function that unsubscribes
   */
  onEvent(listener: (event: InboxEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Applies an item from the response to the user's own action, without waiting for the event about this
   * item.
   */
  applyItem(item: InboxItem): void {
    this.#applyEvent({ type: item.handoff_requested_at === null ? 'removed' : 'item', item });
  }

  /**
   * Removes an item whose conversation the user has finished, without waiting for the event about the
   * removal.
   */
  removeItem(item: InboxItem): void {
    this.#applyEvent({ type: 'removed', item });
  }

  async #followEvents(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        for await (const event of this.#streamEvents(signal, () => (failures = 0))) this.#applyEvent(event);
        if (!signal.aborted) this.state.update({ connection: 'reconnecting', problem: null });
      } catch (error) {
        if (signal.aborted) return;
        const problem = toApiError(error);
        const isRefused = problem.status === 401 || problem.status === 403;
        this.state.update({ connection: isRefused ? 'refused' : 'reconnecting', problem });
        if (isRefused) return;
      }
      await waitBeforeRetry(failures, signal);
    }
  }

  async *#streamEvents(signal: AbortSignal, onOpen: () => void): AsyncGenerator<InboxEvent> {
    const handleOpen = (): void => {
      onOpen();
      this.state.update({ connection: 'live', problem: null });
      void this.#loadList(signal);
    };
    const lastEventId = this.#lastEventId;
    for await (const { id, event, data } of this.#client.stream('/api/inbox/stream', {
      signal,
      lastEventId,
      onOpen: handleOpen,
    })) {
      this.#lastEventId = id ?? this.#lastEventId;
      if (event === 'item' || event === 'removed') yield { type: event, item: JSON.parse(data) as InboxItem };
    }
  }

  /**
   * Loads the whole list of inbox items, also after a reconnection: the stream does not report items that
   * left the inbox during the interruption.
   */
  async #loadList(signal: AbortSignal): Promise<void> {
    const changes = new Map<string, InboxEvent['type']>();
    this.#listings.add(changes);
    try {
      if (this.state.value.memberId === null) await this.#loadMemberId();
      const { items, total } = await this.#readPages(signal);
      const receivedAt = Date.now();
      const entries = new Map<string, InboxEntry>();
      for (const item of items) {
        if (!changes.has(item.id)) entries.set(item.id, { item, receivedAt });
      }
      for (const [id, entry] of this.state.value.entries) {
        if (changes.get(id) === 'item') entries.set(id, entry);
      }
      if (total <= entries.size) this.#reads.removeOthers(new Set(entries.keys()));
      this.state.update({ entries, total: Math.max(total, entries.size), problem: null, isLoaded: true });
    } catch (error) {
      if (!signal.aborted) this.state.update({ problem: toApiError(error) });
    } finally {
      this.#listings.delete(changes);
    }
  }

  async #readPages(signal: AbortSignal): Promise<{ items: InboxItem[]; total: number }> {
    const items: InboxItem[] = [];
    let cursor: string | null = null;
    let total = 0;
    for (let count = 0; count < MAX_PAGES && (count === 0 || cursor !== null); count += 1) {
      const cursorQuery = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page<InboxItem> = await this.#client.get(`/api/inbox?page_size=100${cursorQuery}`, signal);
      items.push(...page.items);
      cursor = page.next_cursor;
      total = page.total;
    }
    return { items, total };
  }

  async #fetchTotal(signal: AbortSignal): Promise<void> {
    this.#isTotalStale = false;
    try {
      const { total }: Page<InboxItem> = await this.#client.get('/api/inbox?page_size=1', signal);
      this.state.update({ total: Math.max(total, this.state.value.entries.size) });
    } catch {
      // Ignore errors of counting: the next request for the list also returns the total, and reports its
      // errors.
    }
  }

  async #loadMemberId(): Promise<void> {
    const memberId = await this.#loadUserId();
    this.#reads.setMember(memberId);
    this.state.update({ memberId });
  }

  #applyEvent(event: InboxEvent): void {
    const { entries, total } = this.state.value;
    const { type, item } = event;
    for (const changes of this.#listings) changes.set(item.id, type);
    const changed = new Map(entries);
    if (type === 'item') changed.set(item.id, { item, receivedAt: Date.now() });
    else changed.delete(item.id);
    const isCut = total > entries.size;
    const wasListed = type === 'item' && entries.has(item.id);
    this.#isTotalStale ||= isCut && !wasListed;
    this.state.update({ entries: changed, total: isCut ? total : changed.size });
    for (const listener of this.#listeners) listener(event);
  }
}
