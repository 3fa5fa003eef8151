import { newId } from '../../browser/new-id.ts';
import { Store } from '../hooks/store.ts';

interface Attempt {
  text: string;
  idempotencyKey: string;
}

/** A reply that was begun and has not been sent. */
export class Draft extends Store<string> {
  #unanswered: Attempt | null = null;

  constructor() {
    super('');
  }

  /** What to send now. After a lost answer the same text stays one message. */
  attempt(): Attempt {
    if (this.#unanswered?.text !== this.value)
      this.#unanswered = { text: this.value, idempotencyKey: newId() };
    return this.#unanswered;
  }

  /** What was written while the reply was on its way stays. */
  sent(attempt: Attempt): void {
    if (this.#unanswered === attempt) this.#unanswered = null;
    this.set(restAfter(attempt.text, this.value));
  }
}

/** The drafts of somebody who has signed in, by conversation; they are gone with the session. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  of(conversationId: string): Draft {
    const draft = this.#drafts.get(conversationId) ?? new Draft();
    this.#drafts.set(conversationId, draft);
    return draft;
  }
}

function restAfter(sent: string, text: string): string {
  const rest = text.slice(sent.length);
  const isContinued = text.startsWith(sent) && rest.trimStart() !== rest;
  return text === sent || isContinued ? rest.trimStart() : text;
}
