import type { VisitorMessageRead } from './api-client.ts';
import { alone } from './alone.ts';
import { isStored, type Pending, type Stored } from './stored.ts';
import { toJson } from './to-json.ts';

/** What has been on its way for longer is not sent without being asked for. */
const PENDING_MS = 5 * 60_000;
const MAX_HISTORY = 60;
const MAX_HISTORY_LENGTH = 200_000;

/** Keeps a bot's conversation in the browser, shared by the tabs of the site; in this page alone where that is forbidden. */
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
      // Whatever stands there was not written by this widget.
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
      // The site's storage is full: from now on this page alone remembers.
      this.#storage = null;
    }
  }

  /** The messages that are on their way, of all tabs. */
  pending(): Pending[] {
    return (this.read().pending ?? []).filter(({ at }) => Date.now() - at < PENDING_MS);
  }

  /** Forgets what is kept, but for this. */
  clear(kept: Stored): void {
    this.#memory = {};
    try {
      this.#storage?.removeItem(this.#key);
    } catch {
      this.#storage = null;
    }
    this.update(kept);
  }

  /** What one tab does at a time. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return alone(this.#key, this.#storage, work);
  }

  /** Calls back when another tab has changed what is kept. */
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

/** Reading the property is what a browser forbids, where it does. */
function availableStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
