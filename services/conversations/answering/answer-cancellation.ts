import type { ConversationFeed } from '../live/conversation-feed.ts';

export interface AnswerCancellationOptions {
  conversationId: string;
  /** Whether the answer is still needed. */
  isStillNeeded: () => Promise<boolean>;
  /** Returns the same, but first waits for a transaction that may be giving the conversation to an agent. */
  isStillNeededLocked: () => Promise<boolean>;
}

/** Shared abort reason: creating one for each answer costs a stack trace that is never read. */
const ANSWER_OVER = new DOMException('The answer is over.', 'AbortError');

/**
 * Cancels an answer once it is no longer needed. While a check is running, because an agent may have taken the
 * conversation over, the answer's text is withheld.
 */
export class AnswerCancellation {
  readonly conversationId: string;
  readonly #options: AnswerCancellationOptions;
  #created: AbortController | undefined;
  #end: AbortController | undefined;
  #checks = Promise.resolve();
  #pending = 0;

  constructor(options: AnswerCancellationOptions) {
    this.conversationId = options.conversationId;
    this.#options = options;
  }

  /** Aborted when the answer is no longer needed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Checks after every change of the conversation, in any process, until `end`. */
  async follow(feed: ConversationFeed): Promise<void> {
    const { conversationId, isStillNeeded: isWanted } = this.#options;
    this.#end = new AbortController();
    for await (const _ of feed.watchChanges([conversationId], this.#end.signal)) this.#check(isWanted);
  }

  /** Checks because an agent is taking the conversation over at this process. */
  recheck(): void {
    this.#check(this.#options.isStillNeededLocked);
  }

  end(): void {
    this.#end?.abort(ANSWER_OVER);
  }

  /** Waits for running checks. @throws the reason of the signal if the answer is no longer needed */
  async waitForCheck(): Promise<void> {
    while (this.#pending > 0 && !this.signal.aborted) await this.#checks;
    this.signal.throwIfAborted();
  }

  /** Created on demand: most of the answers of a crowd wait without a reader of this signal. */
  get #controller(): AbortController {
    return (this.#created ??= new AbortController());
  }

  #check(isWanted: () => Promise<boolean>): void {
    this.#pending += 1;
    this.#checks = this.#checks.then(async () => {
      if (!this.signal.aborted && !(await isWanted())) this.#controller.abort();
      this.#pending -= 1;
    });
  }
}
