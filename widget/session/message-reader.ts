import {
  MESSAGES_PER_PAGE,
  type ApiClient,
  type VisitorMessageRead,
  type WidgetSession,
} from './api-client.ts';
import type { Session } from './session.ts';
import type { Transcript } from './transcript.ts';

export interface MessageReaderDeps {
  api: ApiClient;
  session: Session;
  transcript: Transcript;
}

export interface SessionSnapshot {
  state: WidgetSession;
  messages: VisitorMessageRead[];
}

/**
 * Number of messages that are read again each time. Messages stored at the same time may become visible in
 * another order.
 */
const REREAD_COUNT = 20;

/** Reads the session's messages from the API into the transcript, newest pages first. */
export class MessageReader {
  readonly #deps: MessageReaderDeps;
  /** Id of the message after which the next read starts. */
  #lastReadId: string | undefined;
  /** Id of the earliest message that was read; undefined if the conversation has no earlier ones. */
  #firstReadId: string | undefined;

  constructor(deps: MessageReaderDeps) {
    this.#deps = deps;
  }

  /** True if the conversation has earlier messages than the displayed ones. */
  get hasEarlier(): boolean {
    return this.#firstReadId !== undefined;
  }

  /** Forgets the position, because the session has changed. */
  reset(): void {
    this.#lastReadId = this.#firstReadId = undefined;
  }

  /** Returns the session and its last messages; null if the session has expired. */
  async readSession(): Promise<SessionSnapshot | null> {
    const { api, session } = this.#deps;
    const snapshot = await session.useExisting((current) =>
      Promise.all([api.readSession(current), api.readMessages(current, 'before', 'end')]),
    );
    if (snapshot === null) return null;
    const [state, messages] = snapshot;
    this.#addMessages(messages);
    this.#setFirst(messages);
    return { state, messages };
  }

  async readNewer(): Promise<void> {
    for (let isMore = true; isMore;) {
      const afterId = this.#lastReadId;
      const messages = await this.#fetchMessages(
        afterId === undefined ? 'before' : 'after',
        afterId ?? 'end',
      );
      this.#addMessages(messages);
      if (afterId === undefined) this.#setFirst(messages);
      isMore = afterId !== undefined && messages.length === MESSAGES_PER_PAGE;
    }
  }

  async readEarlier(): Promise<void> {
    if (this.#firstReadId === undefined) return;
    const messages = await this.#fetchMessages('before', this.#firstReadId);
    for (const message of messages) this.#deps.transcript.put(message);
    this.#setFirst(messages);
  }

  async #fetchMessages(direction: 'after' | 'before', cursor: string): Promise<VisitorMessageRead[]> {
    const { api, session } = this.#deps;
    return (await session.useExisting((current) => api.readMessages(current, direction, cursor))) ?? [];
  }

  #addMessages(messages: VisitorMessageRead[]): void {
    for (const message of messages) this.#deps.transcript.put(message);
    this.#lastReadId = messages.at(-REREAD_COUNT)?.id ?? this.#lastReadId;
  }

  #setFirst(messages: VisitorMessageRead[]): void {
    const firstId = messages[0]?.id;
    this.#firstReadId = messages.length === MESSAGES_PER_PAGE ? firstId : undefined;
    if (!this.hasEarlier) this.#deps.transcript.markSession(firstId);
  }
}
