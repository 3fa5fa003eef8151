import {
  MESSAGES_AT_ONCE,
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

/** What is stored at the same time is not there to be read in its order: so many of the last ones are read again. */
const READ_AGAIN = 20;

/** Reads the session's messages as the API has them into the transcript, the last ones first. */
export class MessageReader {
  readonly #deps: MessageReaderDeps;
  /** Where reading goes on. */
  #readTo: string | undefined;
  /** Before which there are others. */
  #firstRead: string | undefined;

  constructor(deps: MessageReaderDeps) {
    this.#deps = deps;
  }

  /** There are messages before those that are shown. */
  get hasEarlier(): boolean {
    return this.#firstRead !== undefined;
  }

  /** The session is another one. */
  reset(): void {
    this.#readTo = this.#firstRead = undefined;
  }

  /** The session and its last messages; null when it is over. */
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
      isMore = from !== undefined && messages.length === MESSAGES_AT_ONCE;
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
    this.#firstRead = messages.length === MESSAGES_AT_ONCE ? firstId : undefined;
    if (!this.hasEarlier) this.#deps.transcript.markSession(firstId);
  }
}
