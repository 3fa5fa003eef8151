import type { PendingMessage } from './stored-state.ts';

const POLL_MS = 2000;
const MAX_POLLS = 60;

export interface OtherTabsDeps {
  /** Returns the visitor's messages in all tabs that have no complete answer yet. */
  pending(): PendingMessage[];
  isFromThisTab(pending: PendingMessage): boolean;
  catchUp(): Promise<void>;
  onChange(): void;
}

/** Polls for the answers to questions that the visitor has asked in other tabs. */
export class OtherTabs {
  readonly #deps: OtherTabsDeps;
  #polls = 0;
  #isAwaitingAnswer = false;
  #isChanged = false;
  #wake: () => void = () => undefined;

  constructor(deps: OtherTabsDeps) {
    this.#deps = deps;
  }

  /** True while a question from another tab has no answer in this tab. */
  get isAwaitingAnswer(): boolean {
    return this.#isAwaitingAnswer;
  }

  async pollUntilAnswered(): Promise<void> {
    this.#isChanged = true;
    this.#wake();
    if (this.#polls > 0) return;
    const { pending, isFromThisTab, catchUp, onChange } = this.#deps;
    for (this.#polls = 1; this.#polls <= MAX_POLLS; this.#polls += 1) {
      // Check for unanswered questions before reading: an answer that arrives during the read is only found
      // by the next poll.
      const isAnswered = pending().every(isFromThisTab);
      this.#isAwaitingAnswer ||= !isAnswered;
      this.#isChanged = false;
      await catchUp();
      if (isAnswered && !this.#isChanged) break;
      onChange();
      if (!isAnswered) await this.#pause();
    }
    this.#polls = 0;
    this.#isAwaitingAnswer = false;
    onChange();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, POLL_MS);
    });
  }
}
