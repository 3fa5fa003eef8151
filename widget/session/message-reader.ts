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

export interface ReadSession {
  state: WidgetSession;
  messages: VisitorMessageRead[];
}

/** Messages that are stored at the same time may become visible out of order, so the last ones are read again. */
const READ_AGAIN = 20;

/** Reads the session's messages from the API into the transcript, the newest first. */
export class MessageReader {
  readonly #deps: MessageReaderDeps;
  /** Id of the message after which reading continues. */
  #readTo: string | undefined;
  /** Id of the first message read; undefined if none precedes it. */
  #firstRead: string | undefined;

  constructor(deps: MessageReaderDeps) {
    this.#deps = deps;
  }

  /** True if messages exist before the displayed ones. */
  get hasEarlier(): boolean {
    return this.#firstRead !== undefined;
  }

  /** Starts over for another session. */
  reset(): void {
    this.#readTo = this.#firstRead = undefined;
  }

  /** Returns the session and its last messages; null if it has expired. */
  async readSession(): Promise<ReadSession | null> {
    const { api, session } = this.#deps;
    const found = await session.useExisting((current) =>
      Promise.all([api.session(current), api.messages(current, 'before', 'end')]),
    );
    if (found === null) return null;
    const [state, messages] = found;
    this.#read(messages);
    this.#beginWith(messages);
    return { state, messages };
  }

  async readNewer(): Promise<void> {
    for (let isMore = true; isMore;) {
      const from = this.#readTo;
      const messages = await this.#messages(from === undefined ? 'before' : 'after', from ?? 'end');
      this.#read(messages);
      if (from === undefined) this.#beginWith(messages);
      isMore = from !== undefined && messages.length === MESSAGES_PER_PAGE;
    }
  }

  async readEarlier(): Promise<void> {
    if (this.#firstRead === undefined) return;
    const messages = await this.#messages('before', this.#firstRead);
    for (const message of messages) this.#deps.transcript.put(message);
    this.#beginWith(messages);
  }

  async #messages(from: 'after' | 'before', place: string): Promise<VisitorMessageRead[]> {
    const { api, session } = this.#deps;
    return (await session.useExisting((current) => api.messages(current, from, place))) ?? [];
  }

  #read(messages: VisitorMessageRead[]): void {
    for (const message of messages) this.#deps.transcript.put(message);
    this.#readTo = messages.at(-READ_AGAIN)?.id ?? this.#readTo;
  }

  #beginWith(messages: VisitorMessageRead[]): void {
    const firstId = messages[0]?.id;
    this.#firstRead = messages.length === MESSAGES_PER_PAGE ? firstId : undefined;
    if (!this.hasEarlier) this.#deps.transcript.markSession(firstId);
  }
}
