import type { VisitorMessageRead } from './api-client.ts';
import { alone } from './alone.ts';
import { isStored, type Pending, type Stored } from './stored.ts';
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
  #memory: Stored = {};

  constructor(publicKey: string) {
    this.#key = `parley:${publicKey}`;
    this.#storage = availableStorage();
  }

  read(): Stored {
    try {
      const kept: unknown = JSON.parse(this.#storage?.getItem(this.#key) ?? 'null');
      if (isStored(kept)) return kept;
    } catch {
      // The value was not written by this widget.
    }
    return this.#storage ? {} : this.#memory;
  }

  update(changes: Stored): void {
    const next = { ...this.read(), ...changes };
    if (next.history) next.history = newest(next.history);
    this.#memory = next;
    try {
      this.#storage?.setItem(this.#key, toJson(next));
    } catch {
      // The site's storage is full: continue in this page's memory.
      this.#storage = null;
    }
  }

  /** Returns the messages that any tab is sending. */
  pending(): Pending[] {
    return (this.read().pending ?? []).filter(({ at }) => Date.now() - at < PENDING_MS);
  }

  /** Replaces the stored state. */
  clear(kept: Stored): void {
    this.#memory = {};
    try {
      this.#storage?.removeItem(this.#key);
    } catch {
      this.#storage = null;
    }
    this.update(kept);
  }

  /** Runs `work` in one tab at a time. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return alone(this.#key, this.#storage, work);
  }

  /** Calls back when another tab has changed the stored state. */
  onChange(changed: () => void): void {
    window.addEventListener('storage', ({ key }) => {
      if (key === this.#key) changed();
    });
  }
}

function newest(history: VisitorMessageRead[]): VisitorMessageRead[] {
  let length = 0;
  const kept: VisitorMessageRead[] = [];
  for (const message of history.slice(-MAX_HISTORY).reverse()) {
    length += message.content.length;
    if (length > MAX_HISTORY_LENGTH) break;
    kept.unshift(message);
  }
  return kept;
}

/** Browsers that block storage throw when the property is read. */
function availableStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
