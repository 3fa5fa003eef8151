import type { ConversationFeed } from '../live/conversation-feed.ts';

export interface SilenceWatchOptions {
  conversationId: string;
  /** Whether the answer is still needed. */
  isWanted: () => Promise<boolean>;
  /** Returns the same, but first waits for a transaction that may be giving the conversation to an agent. */
  remainsWanted: () => Promise<boolean>;
}

/** Shared abort reason: creating one for each answer costs a stack trace that is never read. */
const OVER = new DOMException('The answer is over.', 'AbortError');

/**
 * Cancels an answer once it is no longer needed. While a check is running, because an agent may have taken the
 * conversation over, the answer's text is withheld.
 */
export class SilenceWatch {
  readonly conversationId: string;
  readonly #options: SilenceWatchOptions;
  #silenced: AbortController | undefined;
  #ended: AbortController | undefined;
  #checks = Promise.resolve();
  #pending = 0;

  constructor(options: SilenceWatchOptions) {
    this.conversationId = options.conversationId;
    this.#options = options;
  }

  /** Aborted when the answer is no longer needed. */
  get signal(): AbortSignal {
    return this.#silencing.signal;
  }

  /** Checks after every change of the conversation, in any process, until `end`. */
  async follow(feed: ConversationFeed): Promise<void> {
    const { conversationId, isWanted } = this.#options;
    this.#ended = new AbortController();
    for await (const _ of feed.changesOf([conversationId], this.#ended.signal)) this.#check(isWanted);
  }

  /** Checks because an agent is taking the conversation over at this process. */
  doubt(): void {
    this.#check(this.#options.remainsWanted);
  }

  end(): void {
    this.#ended?.abort(OVER);
  }

  /** Waits for running checks. @throws the reason of the signal if the answer is no longer needed */
  async certainty(): Promise<void> {
    while (this.#pending > 0 && !this.signal.aborted) await this.#checks;
    this.signal.throwIfAborted();
  }

  /** Created on demand: most of the answers of a crowd wait without a reader of this signal. */
  get #silencing(): AbortController {
    return (this.#silenced ??= new AbortController());
  }

  #check(isWanted: () => Promise<boolean>): void {
    this.#pending += 1;
    this.#checks = this.#checks.then(async () => {
      if (!this.signal.aborted && !(await isWanted())) this.#silencing.abort();
      this.#pending -= 1;
    });
  }
}
