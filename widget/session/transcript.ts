import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';

/** A message as the widget displays it. */
export interface ShownMessage {
  /** Key of the message's element, which stays the same while the message is displayed. */
  readonly key: string;
  /** The API's id of the message; null until the API has stored it. */
  id: string | null;
  role: VisitorMessageRead['role'];
  /** Name of the agent who wrote the message, or whom a system message is about. */
  author: string | null;
  /** Event that the message reports, if its role is `system`. */
  event: VisitorMessageRead['event'];
  /** Time at which the API stored the message; null until the API has sent it. */
  createdAt: string | null;
  content: string;
  citations: NonNullable<VisitorMessageRead['citations']>;
  /** The input that a flow asks for with this message. */
  input: VisitorMessageRead['input'];
  isError: boolean;
  /** True if the visitor has stopped the answer. */
  isStopped: boolean;
  /** The visitor's rating of the answer. */
  rating: 'up' | 'down' | null;
  /** True once the visitor has rated the answer in this tab. The API may then still return the former rating. */
  isRatedHere: boolean;
  state: 'sending' | 'growing' | 'whole' | 'failed';
  /** Why the visitor's message could not be sent, as a text for the visitor; null if it did not fail. */
  failure: string | null;
  /** True if the message starts a session and messages of an earlier session precede it. */
  startsSession: boolean;
}

/**
 * The displayed messages of the conversation: first the stored messages by time and id, then those that are
 * not stored yet.
 */
export class Transcript {
  #messages: ShownMessage[] = [];
  #startsSession = false;

  get messages(): readonly ShownMessage[] {
    return this.#messages;
  }

  /** True if all displayed messages belong to earlier sessions, and the next message starts a new session. */
  get isBetweenSessions(): boolean {
    return this.#startsSession;
  }

  /**
   * The input that the last message of the current session asks for; undefined if the session has no
   * messages.
   */
  get inputRequest(): VisitorMessageRead['input'] | undefined {
    const last = this.#messages.at(-1);
    if (!last || this.#startsSession) return undefined;
    return last.state === 'whole' ? last.input : null;
  }

  /** True if a message that the visitor sent from this tab has no complete answer yet. */
  get isUnfinished(): boolean {
    return this.#messages.some(({ state }) => state !== 'whole');
  }

  clear(): void {
    this.#messages = [];
    this.#startsSession = false;
  }

  /** Removes the messages that the API has stored. Messages that are not stored yet stay. */
  dropStored(): void {
    this.#messages = this.#messages.filter(({ id }) => id === null);
  }

  /**
   * Starts a new session in the displayed conversation: unsent messages and all later ones belong to the
   * session.
   */
  beginSession(): void {
    const first = this.#messages.findIndex(({ id }) => id === null);
    if (first > 0) this.#messages[first]!.startsSession = true;
    this.#startsSession = first === -1 && this.#messages.length > 0;
  }

  /** Marks the message at which the visitor's current session starts. */
  markSession(firstId: string | undefined): void {
    const first = this.#messages.findIndex(({ id }) => id === firstId);
    if (first < 0) return;
    for (const message of this.#messages.slice(first)) message.startsSession = false;
    this.#messages[first]!.startsSession = first > 0;
  }

  /** Returns the id of the newest message that the API has stored. */
  newestId(): string | undefined {
    return this.#messages.findLast(({ id }) => id !== null)?.id ?? undefined;
  }

  find(id: string): ShownMessage | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  findLastOfVisitor(): ShownMessage | undefined {
    return this.#messages.findLast(({ role }) => role === 'user');
  }

  /** Adds a message that the API has stored, or replaces the displayed message with the same id. */
  put(stored: VisitorMessageRead): ShownMessage {
    const message = this.find(stored.id) ?? this.#addMessage(stored.id, stored.role);
    message.content = stored.content;
    message.author = stored.author_name;
    message.event = stored.event;
    message.createdAt = stored.created_at;
    message.citations = stored.citations ?? [];
    // Keep the same message object, so that its buttons are not drawn again while the visitor clicks one.
    message.input ??= stored.input;
    message.isError = stored.is_error;
    message.isStopped = stored.stopped_at !== undefined;
    if (!message.isRatedHere) message.rating = stored.rating ?? null;
    message.state = 'whole';
    message.failure = null;
    this.#sort();
    return message;
  }

  /** Adds a message that the visitor has just sent. */
  addOwn(key: string, content: string): ShownMessage {
    const message = this.#addMessage(null, 'user', key, 'sending');
    message.content = content;
    return message;
  }

  /** Records the id under which the API has stored the visitor's message. */
  markStored(message: ShownMessage, id: string): void {
    const duplicate = this.#messages.find((other) => other !== message && other.id === id);
    if (duplicate) {
      message.createdAt ??= duplicate.createdAt;
      message.startsSession ||= duplicate.startsSession;
      this.#messages = this.#messages.filter((other) => other !== duplicate);
    }
    message.id = id;
    message.state = 'whole';
    message.failure = null;
    this.#sort();
  }

  /**
   * Adds an empty answer of the bot. If the answer exists and is incomplete, clears its text; a complete
   * answer stays.
   */
  startAnswer(id: string): void {
    const answer = this.find(id) ?? this.#addMessage(id, 'assistant', id, 'growing');
    if (answer.state === 'growing') answer.content = '';
    this.#sort();
  }

  findGrowing(): ShownMessage | undefined {
    return this.#messages.findLast(({ state }) => state === 'growing');
  }

  /** Removes the bot's answer if it is incomplete. */
  dropGrowing(): void {
    this.#messages = this.#messages.filter(({ state }) => state !== 'growing');
  }

  /** Returns the stored messages of the conversation in the API's format. */
  toHistory(): VisitorMessageRead[] {
    return this.#messages.flatMap((message) => {
      const {
        id,
        role,
        content,
        author,
        event,
        createdAt,
        citations,
        input,
        isError,
        isStopped,
        rating,
        state,
      } = message;
      if (id === null || state !== 'whole') return [];
      const stored = {
        id,
        role,
        content,
        citations,
        input,
        author_name: author,
        event,
        is_error: isError,
        ...(rating && { rating }),
        ...(isStopped && { stopped_at: createdAt ?? '' }),
      };
      return [{ ...stored, error_code: null, created_at: createdAt ?? '' }];
    });
  }

  #addMessage(
    id: string | null,
    role: ShownMessage['role'],
    key = id ?? '',
    state: ShownMessage['state'] = 'whole',
  ): ShownMessage {
    const message: ShownMessage = {
      key,
      id,
      role,
      content: '',
      author: null,
      event: null,
      createdAt: null,
      citations: [],
      input: null,
      isError: false,
      isStopped: false,
      rating: null,
      isRatedHere: false,
      state,
      failure: null,
      startsSession: this.#startsSession,
    };
    this.#startsSession = false;
    this.#messages.push(message);
    return message;
  }

  #sort(): void {
    this.#messages.sort((a, b) => {
      if (a.createdAt === b.createdAt) return a.createdAt === null ? 0 : compareText(a.id ?? '', b.id ?? '');
      if (a.createdAt === null || b.createdAt === null) return a.createdAt === null ? 1 : -1;
      return compareText(a.createdAt, b.createdAt);
    });
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
