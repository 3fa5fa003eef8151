import type { ConversationFeed } from '../live/conversation-feed.ts';

/**
 * Whether an answer in the making is still wanted. From the moment in which a person may be taking the conversation over
 * until that is known, nothing more of it is shown.
 */
export class SilenceWatch {
  readonly conversationId: string;
  readonly #isWanted: () => Promise<boolean>;
  readonly #silenced = new AbortController();
  readonly #ended = new AbortController();
  #checks = Promise.resolve();
  #pending = 0;

  /** @param isWanted waits for who may be taking the conversation over at this moment */
  constructor(conversationId: string, isWanted: () => Promise<boolean>) {
    this.conversationId = conversationId;
    this.#isWanted = isWanted;
  }

  /** Aborted when the answer is not wanted any more. */
  get signal(): AbortSignal {
    return this.#silenced.signal;
  }

  /** Doubts whenever something has changed in the conversation, until it ends. */
  async follow(feed: ConversationFeed): Promise<void> {
    for await (const _ of feed.changesOf(this.conversationId, this.#ended.signal)) this.doubt();
  }

  end(): void {
    this.#ended.abort();
  }

  doubt(): void {
    this.#pending += 1;
    this.#checks = this.#checks.then(async () => {
      if (!this.signal.aborted && !(await this.#isWanted())) this.#silenced.abort();
      this.#pending -= 1;
    });
  }

  /** Waits while it is in doubt. @throws the reason of the signal when the answer is not wanted any more */
  async certainty(): Promise<void> {
    while (this.#pending > 0 && !this.signal.aborted) await this.#checks;
    this.signal.throwIfAborted();
  }
}
