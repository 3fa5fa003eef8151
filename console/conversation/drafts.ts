import { newId } from '../../browser/new-id.ts';
import { Store } from '../hooks/store.ts';

interface Attempt {
  text: string;
  idempotencyKey: string;
}

interface Kept {
  text: string;
  unanswered: Attempt | null;
}

const PREFIX = 'parley.draft.';

/** A reply that was begun and has not been sent; the tab keeps it over a reload. */
export class Draft extends Store<string> {
  readonly #name: string;
  #unanswered: Attempt | null;

  constructor(conversationId: string) {
    const name = PREFIX + conversationId;
    const { text, unanswered } = read(name);
    super(text);
    this.#name = name;
    this.#unanswered = unanswered;
    this.subscribe(() => this.#keep());
  }

  /** What to send now. After a lost answer the same text stays one message. */
  attempt(): Attempt {
    if (this.#unanswered?.text !== this.value)
      this.#unanswered = { text: this.value, idempotencyKey: newId() };
    this.#keep();
    return this.#unanswered;
  }

  /** What was written while the reply was on its way stays. */
  sent(attempt: Attempt): void {
    if (this.#unanswered === attempt) this.#unanswered = null;
    this.set(restAfter(attempt.text, this.value));
  }

  #keep(): void {
    const kept: Kept = { text: this.value, unanswered: this.#unanswered };
    if (kept.text === '') sessionStorage.removeItem(this.#name);
    else sessionStorage.setItem(this.#name, JSON.stringify(kept));
  }
}

/** The drafts of somebody who has signed in, by conversation; they are gone with the session. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  of(conversationId: string): Draft {
    const draft = this.#drafts.get(conversationId) ?? new Draft(conversationId);
    this.#drafts.set(conversationId, draft);
    return draft;
  }
}

/** What somebody has begun is not for whoever signs in after them. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
}

function read(name: string): Kept {
  const text = sessionStorage.getItem(name);
  return text === null ? { text: '', unanswered: null } : (JSON.parse(text) as Kept);
}

function restAfter(sent: string, text: string): string {
  const rest = text.slice(sent.length);
  const isContinued = text.startsWith(sent) && rest.trimStart() !== rest;
  return text === sent || isContinued ? rest.trimStart() : text;
}
