import type { Pending } from './stored.ts';

const POLL_MS = 2000;
const MAX_POLLS = 60;

export interface OtherTabsDeps {
  /** Unanswered messages of all tabs. */
  pending(): Pending[];
  isOwn(turn: Pending): boolean;
  catchUp(): Promise<void>;
  changed(): void;
}

/** Polls for answers to questions that the visitor asks in other tabs. */
export class OtherTabs {
  readonly #deps: OtherTabsDeps;
  #polls = 0;
  #isWaiting = false;
  #isNew = false;
  #wake: () => void = () => undefined;

  constructor(deps: OtherTabsDeps) {
    this.#deps = deps;
  }

  /** True while another tab's question has no answer here. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  async follow(): Promise<void> {
    this.#isNew = true;
    this.#wake();
    if (this.#polls > 0) return;
    const { pending, isOwn, catchUp, changed } = this.#deps;
    for (this.#polls = 1; this.#polls <= MAX_POLLS; this.#polls += 1) {
      // Checked before reading: answers that arrive during the read are found by the next one.
      const isAnswered = pending().every(isOwn);
      this.#isWaiting ||= !isAnswered;
      this.#isNew = false;
      await catchUp();
      if (isAnswered && !this.#isNew) break;
      changed();
      if (!isAnswered) await this.#pause();
    }
    this.#polls = 0;
    this.#isWaiting = false;
    changed();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, POLL_MS);
    });
  }
}
