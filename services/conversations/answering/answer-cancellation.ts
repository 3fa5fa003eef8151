import type { AnswerState } from '../../../repositories/conversations/answer.sql.ts';
import type { ConversationFeed } from '../live/conversation-feed.ts';

export interface AnswerCancellationOptions {
  conversationId: string;
  getState: () => Promise<AnswerState>;
  /**
   * Returns the state of the answer. First waits for a database transaction that may be assigning the
   * conversation to an agent.
   */
  getStateLocked: () => Promise<AnswerState>;
}

/**
 * Reason with which unneeded answers are aborted. All answers share it, because a reason for each answer
 * would cost a stack trace that is never read.
 */
const ANSWER_OVER = new DOMException('The answer has ended.', 'AbortError');

/** Reason of an abort when the visitor has stopped the answer. The answer's text so far is then stored. */
const ANSWER_STOPPED = new DOMException('The visitor has stopped the answer.', 'AbortError');

/** Returns true if the signal was aborted because the visitor has stopped the answer. */
export function isStopped({ reason }: AbortSignal): boolean {
  return reason === ANSWER_STOPPED;
}

/**
 * Cancels an answer when it is no longer needed, for example because an agent has taken over, or when the
 * visitor stops it. The answer's text is withheld while a check is running.
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

  /** Signal that aborts when the answer is no longer needed or was stopped. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Checks after every change of the conversation, by any process, whether the answer is still needed, until
   * `end` is called.
   */
  async follow(feed: ConversationFeed): Promise<void> {
    const { conversationId, getState } = this.#options;
    this.#end = new AbortController();
    for await (const _ of feed.watchChanges([conversationId], this.#end.signal)) this.#check(getState);
  }

  /**
   * Starts a check whether the answer is still needed, since an agent is taking the conversation over in this
   * process.
   */
  recheck(): void {
    this.#check(this.#options.getStateLocked);
  }

  end(): void {
    this.#end?.abort(ANSWER_OVER);
  }

  /**
   * Waits for running checks whether the answer is still needed.
   * @throws the abort reason if the answer is no longer needed
   */
  async waitForCheck(): Promise<void> {
    while (this.#pending > 0 && !this.signal.aborted) await this.#checks;
    if (!isStopped(this.signal)) this.signal.throwIfAborted();
  }

  /**
   * Creates the abort controller on demand: under load, most answers wait without anything that reads this
   * signal.
   */
  get #controller(): AbortController {
    return (this.#created ??= new AbortController());
  }

  #check(getState: () => Promise<AnswerState>): void {
    this.#pending += 1;
    this.#checks = this.#checks.then(async () => {
      const state = this.signal.aborted ? 'needed' : await getState();
      if (state === 'stopped') this.#controller.abort(ANSWER_STOPPED);
      else if (state === 'deleted') this.#controller.abort();
      this.#pending -= 1;
    });
  }
}
