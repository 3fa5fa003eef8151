import type { VisitorMessageRead } from './api-client.ts';
import type { Store } from './store.ts';
import type { Transcript } from './transcript.ts';

/** What the team has said that the visitor has not had before their eyes. */
export class Unread {
  count = 0;
  isOpen = false;
  readonly #store: Store;
  readonly #transcript: Transcript;

  constructor(store: Store, transcript: Transcript) {
    this.#store = store;
    this.#transcript = transcript;
  }

  /** Something new is said. */
  add(): void {
    this.count += 1;
    this.see();
  }

  /** Counts anew. @param messages the last ones, in order */
  countOf(messages: VisitorMessageRead[]): void {
    const { seenId } = this.#store.read();
    const unseen = messages.slice(messages.findIndex(({ id }) => id === seenId) + 1);
    this.count = unseen.filter(({ role }) => role === 'agent').length;
    this.see();
  }

  /** What is shown in an open panel is not new any more. */
  see(): void {
    if (!this.isOpen) return;
    this.count = 0;
    const seenId = this.#transcript.newestId();
    if (this.#store.read().seenId !== seenId) this.#store.update({ seenId });
  }
}
