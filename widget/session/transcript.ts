import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';

/** A displayed message. */
export interface ShownMessage {
  /** Stable while the message is displayed. */
  readonly key: string;
  /** Null until the message is stored. */
  id: string | null;
  role: VisitorMessageRead['role'];
  /** Team member who wrote the message or whom it is about. */
  author: string | null;
  /** Event that a message of the role `system` reports. */
  event: VisitorMessageRead['event'];
  /** Null until the API has sent it. */
  createdAt: string | null;
  content: string;
  citations: NonNullable<VisitorMessageRead['citations']>;
  /** Input that a flow asks for with the message. */
  input: VisitorMessageRead['input'];
  isError: boolean;
  state: 'sending' | 'growing' | 'whole' | 'failed';
  /** Reason of the failure, for the visitor. */
  failure: string | null;
  /** True if the message is the first of its session and follows an earlier session. */
  startsSession: boolean;
}

/** Messages in the API's order: stored ones by time and id, then the others. */
export class Transcript {
  #messages: ShownMessage[] = [];
  #startsSession = false;

  get messages(): readonly ShownMessage[] {
    return this.#messages;
  }

  /** True if the next message starts a session after earlier ones. */
  get isBetweenSessions(): boolean {
    return this.#startsSession;
  }

  /** Input that the session's last message asks for; undefined if the session has no messages. */
  get inputRequest(): VisitorMessageRead['input'] | undefined {
    const last = this.#messages.at(-1);
    if (!last || this.#startsSession) return undefined;
    return last.state === 'whole' ? last.input : null;
  }

  /** True if a message of this tab has no complete answer. */
  get isUnfinished(): boolean {
    return this.#messages.some(({ state }) => state !== 'whole');
  }

  clear(): void {
    this.#messages = [];
    this.#startsSession = false;
  }

  /** Drops stored messages; unsent ones stay. */
  dropStored(): void {
    this.#messages = this.#messages.filter(({ id }) => id === null);
  }

  /** Assigns unsent messages and the next one to a new session. */
  beginSession(): void {
    const first = this.#messages.findIndex(({ id }) => id === null);
    if (first > 0) this.#messages[first]!.startsSession = true;
    this.#startsSession = first === -1 && this.#messages.length > 0;
  }

  /** Marks the first message of the current session. */
  markSession(firstId: string | undefined): void {
    const first = this.#messages.findIndex(({ id }) => id === firstId);
    if (first < 0) return;
    for (const message of this.#messages.slice(first)) message.startsSession = false;
    this.#messages[first]!.startsSession = first > 0;
  }

  /** Returns the id of the newest stored message. */
  newestId(): string | undefined {
    return this.#messages.findLast(({ id }) => id !== null)?.id ?? undefined;
  }

  find(id: string): ShownMessage | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  findLastOfVisitor(): ShownMessage | undefined {
    return this.#messages.findLast(({ role }) => role === 'user');
  }

  /** Adds or replaces a stored message. */
  put(stored: VisitorMessageRead): ShownMessage {
    const message = this.find(stored.id) ?? this.#add(stored.id, stored.role);
    message.content = stored.content;
    message.author = stored.author_name;
    message.event = stored.event;
    message.createdAt = stored.created_at;
    message.citations = stored.citations ?? [];
    // Stays the same object, because a visitor may be pressing one of its buttons.
    message.input ??= stored.input;
    message.isError = stored.is_error;
    message.state = 'whole';
    message.failure = null;
    this.#sort();
    return message;
  }

  /** Adds a message that the visitor has just written. */
  addOwn(key: string, content: string): ShownMessage {
    const message = this.#add(null, 'user', key, 'sending');
    message.content = content;
    return message;
  }

  /** Marks the visitor's message as stored. */
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

  /** Starts an answer over; a complete one stays. */
  startAnswer(id: string): void {
    const answer = this.find(id) ?? this.#add(id, 'assistant', id, 'growing');
    if (answer.state === 'growing') answer.content = '';
    this.#sort();
  }

  findGrowing(): ShownMessage | undefined {
    return this.#messages.findLast(({ state }) => state === 'growing');
  }

  /** Drops an unfinished answer. */
  dropGrowing(): void {
    this.#messages = this.#messages.filter(({ state }) => state !== 'growing');
  }

  /** Returns the stored messages in the API's format. */
  toHistory(): VisitorMessageRead[] {
    return this.#messages.flatMap((message) => {
      const { id, role, content, author, event, createdAt, citations, input, isError, state } = message;
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
      };
      return [{ ...stored, error_code: null, created_at: createdAt ?? '' }];
    });
  }

  #add(
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
