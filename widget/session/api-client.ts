import type { DirectoryResolveResponse } from '../../api/bots/directory.schemas.ts';
import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { WidgetConfig, WidgetSession, WidgetSessionCreated } from '../../api/widget/widget.schemas.ts';
import { readEvents } from '../../browser/event-stream.ts';
import { ANONYMOUS } from '../anonymous.ts';
import type { RatingDetails } from '../rating/contract.ts';
import type { MessagePage } from './message-reader.ts';
import type { Credential } from './stored-state.ts';
import { toJson } from './to-json.ts';

export type { DirectoryResolveResponse, VisitorMessageRead, WidgetConfig, WidgetSession };
/**
 * State of the handoff of a conversation to a person, and the notice for visitors who wait for that person.
 */
export type HandoffState = Pick<WidgetSession, 'status' | 'agent_name' | 'handoff_notice' | 'queue_position'>;
type Citation = NonNullable<VisitorMessageRead['citations']>[number];
export type InputRequest = NonNullable<VisitorMessageRead['input']>;
export type ConversationStatus = WidgetSession['status'];

const MESSAGES_PER_PAGE = 500;

interface RequestOptions {
  body?: object;
  credential?: Credential;
  lastEventId?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

interface ErrorBody {
  error?: { code?: string; message?: string };
  details?: { field: string; code: string; message: string }[];
}

/** Error response of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number;
  readonly details: NonNullable<ErrorBody['details']>;

  constructor(response: Response, { error, details = [] }: ErrorBody) {
    super(error?.message ?? `The API responded with ${response.status}.`);
    this.status = response.status;
    this.code = error?.code ?? 'unknown';
    this.retryAfterSeconds = Number(response.headers.get('Retry-After')) || 1;
    this.details = details;
  }
}

/** Events of the API's streams, about an answer or the conversation. */
export type WidgetEvent = { id: string | undefined } & (
  | { event: 'message.started'; data: { message_id: string; reply_to_id: string } }
  | { event: 'delta'; data: { text: string } }
  | { event: 'citations'; data: { citations: Citation[] } }
  | { event: 'handoff'; data: HandoffState }
  | { event: 'error'; data: { code: string; message: string } }
  | { event: 'done' | 'message'; data: { message: VisitorMessageRead } }
  | { event: 'closed'; data: { reason: string } }
  | { event: 'ended'; data: { ended_at: string | null } }
);

/**
 * Milliseconds without data after which the widget considers a stream broken. The server sends a comment
 * every 15 s.
 */
const SILENCE_MS = 40_000;

/** Calls the API on behalf of the visitor. Sends credentials in headers, never in URLs. */
export class ApiClient {
  readonly base: string;
  readonly #publicKey: string;

  /** @param base URL of the API without a trailing slash */
  constructor(base: string, publicKey: string) {
    this.base = base;
    this.#publicKey = publicKey;
  }

  /** Reads a resource of the bot that needs no session, such as its configuration. */
  readBot<T>(resource: string): Promise<T> {
    return this.#json('GET', this.#botPath(resource));
  }

  /**
   * Starts a session.
   * @param key value of `Idempotency-Key`; the same when the request is repeated
   */
  startSession(body: object, key: string): Promise<WidgetSessionCreated> {
    return this.#json('POST', this.#botPath('sessions'), body, undefined, key);
  }

  /**
   * Returns the link that belongs to a choice of the bot's directory.
   * @param credential session in which the choice is stored; if undefined, it is not stored
   */
  resolveChoice(
    category: string,
    choice: string,
    credential?: Credential,
  ): Promise<DirectoryResolveResponse> {
    return this.#json('POST', this.#botPath('directory/resolve'), { category, choice }, credential);
  }

  readSession(credential: Credential): Promise<WidgetSession> {
    return this.#json('GET', sessionPath(credential, ''), undefined, credential);
  }

  /**
   * Returns a page of the conversation's messages in order: the first messages after a message, or the last
   * messages before a message. With the cursor `end`, returns the last messages of the conversation. Pages of
   * long messages have fewer.
   */
  async readMessages(
    credential: Credential,
    direction: 'after' | 'before',
    cursor: string,
  ): Promise<MessagePage> {
    const query = `/messages?limit=${MESSAGES_PER_PAGE}&${direction}=${cursor}`;
    const response = await this.#fetch('GET', sessionPath(credential, query), { credential });
    const hasMore = response.headers.get('link')?.includes('rel="next"') ?? false;
    return { messages: (await response.json()) as VisitorMessageRead[], hasMore };
  }

  /** Sends a POST request to an API operation of the visitor's session. */
  postToSession<T = unknown>(credential: Credential, operation: string, body?: object): Promise<T> {
    return this.#json('POST', sessionPath(credential, `/${operation}`), body, credential);
  }

  /** Stores the visitor's rating of an answer. */
  rateAnswer(
    credential: Credential,
    messageId: string,
    body: { rating: string | null } & Partial<RatingDetails>,
  ): Promise<unknown> {
    return this.#json('PUT', extensionPath(credential, `/messages/${messageId}/rating`), body, credential);
  }

  /** Stops a bot's answer while it is generated. */
  stopAnswer(credential: Credential, messageId: string): Promise<unknown> {
    return this.#json('POST', extensionPath(credential, `/messages/${messageId}/stop`), {}, credential);
  }

  /** Sends a visitor's message and streams the events of its answer that follow `lastEventId`. */
  streamAnswer(
    credential: Credential,
    body: { content: string; client_id: string; option_id: string | undefined },
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WidgetEvent> {
    return this.#stream('POST', sessionPath(credential, '/messages/stream'), credential, {
      body,
      lastEventId,
      signal,
    });
  }

  /** Streams the events of the conversation that follow `lastEventId`. */
  streamEvents(
    credential: Credential,
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WidgetEvent> {
    return this.#stream('GET', sessionPath(credential, '/events'), credential, { lastEventId, signal });
  }

  #botPath(rest: string): string {
    return `/api/public/bots/${encodeURIComponent(this.#publicKey)}/${rest}`;
  }

  async #json<T>(
    method: string,
    path: string,
    body?: object,
    credential?: Credential,
    idempotencyKey?: string,
  ): Promise<T> {
    const response = await this.#fetch(method, path, { body, credential, idempotencyKey });
    return (await response.json()) as T;
  }

  async *#stream(
    method: string,
    path: string,
    credential: Credential,
    { body, lastEventId, signal }: { body?: object; lastEventId: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<WidgetEvent> {
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
    };
    const abortRequest = () => silence.abort();
    signal.addEventListener('abort', abortRequest);
    try {
      restartTimer();
      const response = await this.#fetch(method, path, {
        body,
        credential,
        lastEventId,
        signal: silence.signal,
      });
      if (!response.body) return;
      for await (const event of readEvents(response.body, restartTimer))
        yield { ...event, data: JSON.parse(event.data) } as WidgetEvent;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abortRequest);
      silence.abort();
    }
  }

  /** @throws ApiError if the API rejects the request; TypeError if the API cannot be reached */
  async #fetch(method: string, path: string, options: RequestOptions): Promise<Response> {
    const { body, credential, lastEventId, idempotencyKey, signal } = options;
    const headers = new Headers();
    if (credential) headers.set('Authorization', `Bearer ${credential.token}`);
    if (body) headers.set('Content-Type', 'application/json');
    if (lastEventId !== undefined) headers.set('Last-Event-ID', lastEventId);
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    const response = await fetch(this.base + path, {
      method,
      headers,
      cache: 'no-store',
      ...ANONYMOUS,
      ...(body && { body: toJson(body) }),
      ...(signal && { signal }),
    });
    if (response.ok) return response;
    throw new ApiError(response, (await response.json().catch(() => ({}))) as ErrorBody);
  }
}

/** The API calls that the widget makes for a visitor. A preview answers these calls without the API. */
export type VisitorApi = Pick<ApiClient, keyof ApiClient>;

function sessionPath({ sessionId }: Credential, rest: string): string {
  return `/api/public/sessions/${sessionId}${rest}`;
}

function extensionPath(credential: Credential, rest: string): string {
  return sessionPath(credential, rest).replace('/api', '/api/ext');
}
