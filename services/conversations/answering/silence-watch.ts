import type { ConversationFeed } from '../live/conversation-feed.ts';

export interface SilenceWatchOptions {
  conversationId: string;
  /** Whether the answer is wanted by now. */
  isWanted: () => Promise<boolean>;
  /** The same, but waits for who may be taking the conversation over at this moment. */
  remainsWanted: () => Promise<boolean>;
}

/** An error is costly to make, and this one is nobody's. */
const OVER = new DOMException('The answer is over.', 'AbortError');

/**
 * Whether an answer in the making is still wanted. From the moment in which a person may be taking the conversation over
 * until that is known, nothing more of it is shown.
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

  /** Aborted when the answer is not wanted any more. */
  get signal(): AbortSignal {
    return this.#silencing.signal;
  }

  /** Looks whenever something has changed in the conversation, at whichever process, until it ends. */
  async follow(feed: ConversationFeed): Promise<void> {
    const { conversationId, isWanted } = this.#options;
    this.#ended = new AbortController();
    for await (const _ of feed.changesOf([conversationId], this.#ended.signal)) this.#check(isWanted);
  }

  /** A person is about to take the conversation over at this process. */
  doubt(): void {
    this.#check(this.#options.remainsWanted);
  }

  end(): void {
    this.#ended?.abort(OVER);
  }

  /** Waits while it is in doubt. @throws the reason of the signal when the answer is not wanted any more */
  async certainty(): Promise<void> {
    while (this.#pending > 0 && !this.signal.aborted) await this.#checks;
    this.signal.throwIfAborted();
  }

  /** Made on demand: a crowd's answers wait, and most of that time nobody needs one. */
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
