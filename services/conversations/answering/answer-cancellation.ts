import type { ConversationFeed } from '../live/conversation-feed.ts';

export interface AnswerCancellationOptions {
  conversationId: string;
  isStillNeeded: () => Promise<boolean>;
  /**
   * Returns true if the answer is still needed. First waits for a transaction that may be assigning the
   * conversation to an agent.
   */
  isStillNeededLocked: () => Promise<boolean>;
}

/** Shared abort reason. Creating a reason for each answer would cost a stack trace that is never read. */
const ANSWER_OVER = new DOMException('The answer is over.', 'AbortError');

/**
 * Cancels an answer when it is no longer needed, for example because an agent has taken over. The answer's
 * text is withheld while a check is running.
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

  /** Aborts when the answer is no longer needed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Checks after every change of the conversation, by any process, until `end` is called. */
  async follow(feed: ConversationFeed): Promise<void> {
    const { conversationId, isStillNeeded: isNeeded } = this.#options;
    this.#end = new AbortController();
    for await (const _ of feed.watchChanges([conversationId], this.#end.signal)) this.#check(isNeeded);
  }

  /** Starts a check, since an agent is taking the conversation over in this process. */
  recheck(): void {
    this.#check(this.#options.isStillNeededLocked);
  }

  end(): void {
    this.#end?.abort(ANSWER_OVER);
  }

  /** Waits for running checks. @throws the abort reason if the answer is no longer needed */
  async waitForCheck(): Promise<void> {
    while (this.#pending > 0 && !this.signal.aborted) await this.#checks;
    this.signal.throwIfAborted();
  }

  /**
   * Create the controller on demand: under load, most answers wait without anything that reads this signal.
   */
  get #controller(): AbortController {
    return (this.#created ??= new AbortController());
  }

  #check(isNeeded: () => Promise<boolean>): void {
    this.#pending += 1;
    this.#checks = this.#checks.then(async () => {
      if (!this.signal.aborted && !(await isNeeded())) this.#controller.abort();
      this.#pending -= 1;
    });
  }
}
