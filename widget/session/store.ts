import type { VisitorMessageRead } from './api-client.ts';
import { runExclusively } from './run-exclusively.ts';
import { isStoredState, type PendingMessage, type StoredState } from './stored-state.ts';
import { toJson } from './to-json.ts';

/** Age after which a message is no longer resent by itself. */
const PENDING_MS = 5 * 60_000;
const MAX_HISTORY = 60;
const MAX_HISTORY_LENGTH = 200_000;

/**
 * Stores a bot's conversation in the browser, shared by the site's tabs. Without storage, it lasts as long as the
 * page.
 */
export class Store {
  readonly #key: string;
  #storage: Storage | null;
  #memory: StoredState = {};

  constructor(publicKey: string) {
    this.#key = `parley:${publicKey}`;
    this.#storage = findStorage();
  }

  read(): StoredState {
    try {
      const stored: unknown = JSON.parse(this.#storage?.getItem(this.#key) ?? 'null');
      if (isStoredState(stored)) return stored;
    } catch {
      // The value was not written by this widget.
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
      // The site's storage is full: continue in this page's memory.
      this.#storage = null;
    }
  }

  /** Returns the messages that any tab is sending. */
  pending(): PendingMessage[] {
    return (this.read().pending ?? []).filter(({ at }) => Date.now() - at < PENDING_MS);
  }

  /** Replaces the stored state. */
  clear(remaining: StoredState): void {
    this.#memory = {};
    try {
      this.#storage?.removeItem(this.#key);
    } catch {
      this.#storage = null;
    }
    this.update(remaining);
  }

  /** Runs `work` in one tab at a time. */
  runExclusively<T>(work: () => Promise<T>): Promise<T> {
    return runExclusively(this.#key, this.#storage, work);
  }

  /** Calls back when another tab has changed the stored state. */
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

/** Browsers that block storage throw when the property is read. */
function findStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
