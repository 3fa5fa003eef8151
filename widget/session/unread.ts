import type { VisitorMessageRead } from './api-client.ts';
import type { Store } from './store.ts';
import type { Transcript } from './transcript.ts';

/** Counts the agents' messages that the visitor has not seen. */
export class Unread {
  count = 0;
  isOpen = false;
  readonly #store: Store;
  readonly #transcript: Transcript;

  constructor(store: Store, transcript: Transcript) {
    this.#store = store;
    this.#transcript = transcript;
  }

  add(): void {
    this.count += 1;
    this.markSeen();
  }

  /**
   * Counts the agents' unseen messages again.
   * @param messages last messages of the session, in order
   */
  recount(messages: VisitorMessageRead[]): void {
    const { seenId } = this.#store.read();
    const unseenMessages = messages.slice(messages.findIndex(({ id }) => id === seenId) + 1);
    this.count = unseenMessages.filter(({ role }) => role === 'agent').length;
    this.markSeen();
  }

  /** Marks all messages as seen by the visitor if the panel is open. */
  markSeen(): void {
    if (!this.isOpen) return;
    this.count = 0;
    const seenId = this.#transcript.newestId();
    if (this.#store.read().seenId !== seenId) this.#store.update({ seenId });
  }
}
