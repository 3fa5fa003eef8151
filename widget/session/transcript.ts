import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';

/** A message as it stands on the screen. */
export interface ShownMessage {
  /** The same for as long as it is shown. */
  readonly key: string;
  /** As it is stored; a message that is not yet stored has none. */
  id: string | null;
  role: VisitorMessageRead['role'];
  /** Who of the team wrote it, or is meant by it. */
  author: string | null;
  /** What has happened, in a message of the role `system`. */
  event: VisitorMessageRead['event'];
  /** Null until the API has told it. */
  createdAt: string | null;
  content: string;
  citations: NonNullable<VisitorMessageRead['citations']>;
  /** What a flow asks with it. */
  input: VisitorMessageRead['input'];
  isError: boolean;
  state: 'sending' | 'growing' | 'whole' | 'failed';
  /** Why it failed, for the visitor. */
  failure: string | null;
  /** The first one of its session, after those of an earlier one. */
  startsSession: boolean;
}

/** The messages of a conversation in the order of the API: stored ones by when they were written, then by id, and then the others. */
export class Transcript {
  #messages: ShownMessage[] = [];
  #startsSession = false;

  get messages(): readonly ShownMessage[] {
    return this.#messages;
  }

  /** What is said next begins a session, after those of earlier ones. */
  get isBetweenSessions(): boolean {
    return this.#startsSession;
  }

  /** What the session's last message asks for; undefined where the session has none. */
  get asked(): VisitorMessageRead['input'] | undefined {
    const last = this.#messages.at(-1);
    if (!last || this.#startsSession) return undefined;
    return last.state === 'whole' ? last.input : null;
  }

  /** Something that was written in this tab has no whole answer yet. */
  get isUnfinished(): boolean {
    return this.#messages.some(({ state }) => state !== 'whole');
  }

  clear(): void {
    this.#messages = [];
    this.#startsSession = false;
  }

  /** Shows only what is not stored yet. */
  dropStored(): void {
    this.#messages = this.#messages.filter(({ id }) => id === null);
  }

  /** What is not stored yet, and what comes next, belongs to another session than what is stored. */
  beginSession(): void {
    const first = this.#messages.findIndex(({ id }) => id === null);
    if (first > 0) this.#messages[first]!.startsSession = true;
    this.#startsSession = first === -1 && this.#messages.length > 0;
  }

  /** The session that is under way began with this message. */
  markSession(firstId: string | undefined): void {
    const first = this.#messages.findIndex(({ id }) => id === firstId);
    if (first < 0) return;
    for (const message of this.#messages.slice(first)) message.startsSession = false;
    this.#messages[first]!.startsSession = first > 0;
  }

  /** The newest one that is stored, of the whole transcript. */
  newestId(): string | undefined {
    return this.#messages.findLast(({ id }) => id !== null)?.id ?? undefined;
  }

  find(id: string): ShownMessage | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  lastOfVisitor(): ShownMessage | undefined {
    return this.#messages.findLast(({ role }) => role === 'user');
  }

  /** Shows a stored message, in the place of what was shown of it so far. */
  put(stored: VisitorMessageRead): ShownMessage {
    const message = this.find(stored.id) ?? this.#add(stored.id, stored.role);
    message.content = stored.content;
    message.author = stored.author_name;
    message.event = stored.event;
    message.createdAt = stored.created_at;
    message.citations = stored.citations ?? [];
    // It never changes: whoever is about to press what it offers does so on.
    message.input ??= stored.input;
    message.isError = stored.is_error;
    message.state = 'whole';
    message.failure = null;
    this.#sort();
    return message;
  }

  /** Shows what the visitor has just written. */
  write(key: string, content: string): ShownMessage {
    const message = this.#add(null, 'user', key, 'sending');
    message.content = content;
    return message;
  }

  /** The visitor's message is stored, under this id. */
  stored(message: ShownMessage, id: string): void {
    const twin = this.#messages.find((other) => other !== message && other.id === id);
    if (twin) {
      message.createdAt ??= twin.createdAt;
      message.startsSession ||= twin.startsSession;
      this.#messages = this.#messages.filter((other) => other !== twin);
    }
    message.id = id;
    message.state = 'whole';
    message.failure = null;
    this.#sort();
  }

  /** An answer is made from its beginning; one that is there as a whole stays as it is. */
  grow(id: string): void {
    const answer = this.find(id) ?? this.#add(id, 'assistant', id, 'growing');
    if (answer.state === 'growing') answer.content = '';
    this.#sort();
  }

  growing(): ShownMessage | undefined {
    return this.#messages.findLast(({ state }) => state === 'growing');
  }

  /** What was begun of an answer will not go on. */
  dropGrowing(): void {
    this.#messages = this.#messages.filter(({ state }) => state !== 'growing');
  }

  /** Those that are stored, as the API tells them. */
  history(): VisitorMessageRead[] {
    return this.#messages.flatMap((message) => {
      const { id, role, content, author, event, createdAt, citations, input, isError, state } = message;
      if (id === null || state !== 'whole') return [];
      const stored = { id, role, content, citations, input, author_name: author, event, is_error: isError };
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
      if (a.createdAt === b.createdAt) return a.createdAt === null ? 0 : inOrder(a.id ?? '', b.id ?? '');
      if (a.createdAt === null || b.createdAt === null) return a.createdAt === null ? 1 : -1;
      return inOrder(a.createdAt, b.createdAt);
    });
  }
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
