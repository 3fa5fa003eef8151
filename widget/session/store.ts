import type { Credential, VisitorMessageRead } from './api-client.ts';

/** A message that was written and has no whole answer yet. */
export interface Pending {
  clientId: string;
  content: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
}

/** What a visitor can say to the storing of contact details. */
export type Choice = 'granted' | 'denied' | 'withdrawn';

/** What outlives the page. */
export interface Stored {
  visitorId?: string;
  /** Whom the page says the visitor is: nobody else sees this conversation. */
  identity?: string;
  credential?: Credential;
  /** The conversation as far as it was seen, so that it can be shown when its session has expired. */
  history?: VisitorMessageRead[];
  pending?: Pending[];
  /** The newest message that the visitor has had before their eyes. */
  seenId?: string;
  /** The visitor has filled in the form, or wants nothing of it. */
  isLeadSettled?: boolean;
  /** No contact detail may be stored; each session that begins is told. */
  isRefused?: boolean;
  /** What the visitor has said of consent, until the API has it. */
  untoldConsent?: Choice;
}

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
      const text = this.#storage?.getItem(this.#key);
      if (text) return JSON.parse(text) as Stored;
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
      this.#storage?.setItem(this.#key, JSON.stringify(next));
    } catch {
      // The site's storage is full: from now on this page alone remembers.
      this.#storage = null;
    }
  }

  /** The messages that are on their way, of all tabs. */
  pending(): Pending[] {
    return (this.read().pending ?? []).filter(({ at }) => Date.now() - at < PENDING_MS);
  }

  /** What is kept is of somebody else, or is to be forgotten. */
  clear(identity: string | undefined): void {
    this.#memory = {};
    try {
      this.#storage?.removeItem(this.#key);
    } catch {
      this.#storage = null;
    }
    if (identity !== undefined) this.update({ identity });
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
