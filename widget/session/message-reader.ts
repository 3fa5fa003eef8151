import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { WidgetSession } from '../../api/widget/widget.schemas.ts';
import type { Credential } from './stored-state.ts';
import type { Transcript } from './transcript.ts';

export interface MessagePage {
  messages: VisitorMessageRead[];
  /** True if the conversation has more messages in the direction of reading. */
  hasMore: boolean;
}

/** The members of `ApiClient` and `Session` that the reader of messages uses. */
export interface MessageReaderDeps {
  api: {
    readSession(credential: Credential): Promise<WidgetSession>;
    readMessages(credential: Credential, direction: 'after' | 'before', cursor: string): Promise<MessagePage>;
  };
  session: { useExisting<T>(call: (credential: Credential) => Promise<T>): Promise<T | null> };
  transcript: Transcript;
}

export interface SessionSnapshot {
  state: WidgetSession;
  messages: VisitorMessageRead[];
}

/**
 * Number of known messages that each read of newer messages requests again. Messages stored at the same time
 * may become visible in another order.
 */
const REREAD_COUNT = 20;

/** Reads the session's messages from the API into the transcript, newest pages first. */
export class MessageReader {
  readonly #deps: MessageReaderDeps;
  /** Id of the message after which the next read of newer messages starts. */
  #lastReadId: string | undefined;
  /**
   * Id of the earliest message that the widget has read; undefined if the conversation has no earlier
   * messages.
   */
  #firstReadId: string | undefined;

  constructor(deps: MessageReaderDeps) {
    this.#deps = deps;
  }

  /** True if the conversation has earlier messages than the displayed messages. */
  get hasEarlier(): boolean {
    return this.#firstReadId !== undefined;
  }

  /** Resets the position of reading, because the session has changed. */
  reset(): void {
    this.#lastReadId = this.#firstReadId = undefined;
  }

  /** Returns the visitor's session and its last messages; null if the session has expired. */
  async readSession(): Promise<SessionSnapshot | null> {
    const { api, session } = this.#deps;
    const snapshot = await session.useExisting((current) =>
      Promise.all([api.readSession(current), api.readMessages(current, 'before', 'end')]),
    );
    if (snapshot === null) return null;
    const [state, page] = snapshot;
    this.#addMessages(page.messages);
    this.#setFirst(page);
    return { state, messages: page.messages };
  }

  async readNewer(): Promise<void> {
    for (let isMore = true; isMore;) {
      const afterId = this.#lastReadId;
      const page = await this.#fetchMessages(afterId === undefined ? 'before' : 'after', afterId ?? 'end');
      this.#addMessages(page.messages);
      if (afterId === undefined) this.#setFirst(page);
      isMore = afterId !== undefined && page.hasMore;
      if (isMore) this.#lastReadId = page.messages.at(-1)?.id;
    }
  }

  async readEarlier(): Promise<void> {
    if (this.#firstReadId === undefined) return;
    const page = await this.#fetchMessages('before', this.#firstReadId);
    for (const message of page.messages) this.#deps.transcript.put(message);
    this.#setFirst(page);
  }

  async #fetchMessages(direction: 'after' | 'before', cursor: string): Promise<MessagePage> {
    const { api, session } = this.#deps;
    const page = await session.useExisting((current) => api.readMessages(current, direction, cursor));
    return page ?? { messages: [], hasMore: false };
  }

  #addMessages(messages: VisitorMessageRead[]): void {
    for (const message of messages) this.#deps.transcript.put(message);
    this.#lastReadId = messages.at(-REREAD_COUNT)?.id ?? this.#lastReadId;
  }

  #setFirst({ messages, hasMore }: MessagePage): void {
    const firstId = messages[0]?.id;
    this.#firstReadId = hasMore ? firstId : undefined;
    if (!this.hasEarlier) this.#deps.transcript.markSession(firstId);
  }
}
