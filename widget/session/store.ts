import type { VisitorMessageRead } from './api-client.ts';
import { runExclusively } from './run-exclusively.ts';
import { isStoredState, type PendingMessage, type StoredState } from './stored-state.ts';
import { toJson } from './to-json.ts';

/** Milliseconds after which the widget no longer sends an unanswered message again automatically. */
const PENDING_MS = 5 * 60_000;
const MAX_HISTORY = 60;
const MAX_HISTORY_LENGTH = 200_000;

/**
 * Stores a bot's conversation in the browser, for all tabs of the website. If the browser blocks storage,
 * keeps it in the memory of the page.
 */
export class Store {
  readonly #key: string;
  #storage: Storage | null;
  #memory: StoredState = {};

  /** @param storage browser storage for the state; null to keep the state in memory only */
  constructor(publicKey: string, storage: Storage | null = findStorage()) {
    this.#key = `parley:${publicKey}`;
    this.#storage = storage;
  }

  read(): StoredState {
    try {
      const stored: unknown = JSON.parse(this.#storage?.getItem(this.#key) ?? 'null');
      if (isStoredState(stored)) return stored;
    } catch {
      // Ignore a value that is not JSON: a script of the page has written it.
    }
    return this.#storage ? {} : this.#memory;
  }

  update(changes: StoredState): void {
    const next = { ...this.read(), ...changes };
    if (next.history) next.history = limitHistory(next.history);
    this.#memory = next;
    try {
      this.#storage?.setItem(this.#key, toJson(next));
    } catch {
      // Continue in the page's memory, because the site's storage is full.
      this.#storage = null;
    }
  }

  /**
   * Returns the visitor's unanswered messages in all tabs, except those that are too old to be sent again.
   */
  pending(): PendingMessage[] {
    return (this.read().pending ?? []).filter(({ at }) => Date.now() - at < PENDING_MS);
  }

  /** Replaces the whole state of the conversation in the browser's storage. */
  clear(remaining: StoredState): void {
    this.#memory = {};
    try {
      this.#storage?.removeItem(this.#key);
    } catch {
      this.#storage = null;
    }
    this.update(remaining);
  }

  /** Runs `work` in only one of the site's tabs at a time. */
  runExclusively<T>(work: () => Promise<T>): Promise<T> {
    return runExclusively(this.#key, this.#storage, work);
  }

  /** Calls `onStorageChange` when another tab has changed the stored state of the conversation. */
  onChange(onStorageChange: () => void): void {
    window.addEventListener('storage', ({ key }) => {
      if (key === this.#key) onStorageChange();
    });
  }
}

function limitHistory(history: VisitorMessageRead[]): VisitorMessageRead[] {
  let length = 0;
  const limited: VisitorMessageRead[] = [];
  for (const message of history.slice(-MAX_HISTORY).reverse()) {
    length += message.content.length;
    if (length > MAX_HISTORY_LENGTH) break;
    limited.unshift(message);
  }
  return limited;
}

/** Returns the browser's storage; null if the browser blocks it, which throws on reading the property. */
function findStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
