import { ApiError, toResponseError, createUnreachableError } from './api-error.ts';
import { readEvents } from '../../browser/event-stream.ts';
import type { RawEvent } from '../../sdk/typescript/src/event-parser.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import { uploadFile, type OnProgress } from './upload.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface WriteOptions {
  /**
   * True to finish the API request even if the user leaves the page. The body has at most 64 KiB (Fetch
   * standard).
   */
  outlivesPage?: boolean;
  /** Idempotency key of an action that the user may repeat. By default, each call has a new key. */
  idempotencyKey?: string;
  /**
   * Whether the browser stores the response's cookie, by which the server recognizes this browser after a
   * redirect.
   */
  storesCookie?: boolean;
  /** Milliseconds to wait for the response before the write is sent again. */
  timeoutMs?: number;
}

export interface StreamOptions {
  method?: 'GET' | 'POST';
  body?: unknown;
  signal: AbortSignal;
  lastEventId?: string | undefined;
  onOpen?: () => void;
}

/**
 * Pauses in milliseconds before a write without a response is sent again. All attempts have the same
 * idempotency key.
 */
const WRITE_RETRY_PAUSES_MS = [500, 2000];

/** Default milliseconds to wait for the response to a write before sending the write again. */
const MAX_WRITE_MS = 30_000;

/**
 * Maximum milliseconds without data from an event stream. The server sends data at least once a minute, so
 * the connection is broken after a longer time.
 */
const MAX_SILENCE_MS = 70_000;

/** Provides the credentials of API requests, and renews rejected credentials. */
export interface Authority {
  /** API key or access token; null for requests without credentials. */
  readonly token: string | null;
  /**
   * Called when the API rejects a token.
   * @param rejected the rejected token
   * @returns whether a new token is available
   * @throws ApiError
   */
  renew(rejected: string | null): Promise<boolean>;
  /**
   * Asks the user to sign in again, for an operation that needs a recent sign-in.
   * @returns whether the user signed in
   */
  prove?(): Promise<boolean>;
}

/** Calls the API. Sends the credentials in a header only, never in a URL or cookie. */
export class Client {
  readonly #authority: Authority;
  readonly #onRejected: () => void;

  /** @param onRejected called when the API rejects the credentials and renewing them fails */
  constructor(authority: Authority, onRejected: () => void = () => {}) {
    this.#authority = authority;
    this.#onRejected = onRejected;
  }

  async get<T>(url: string, signal?: AbortSignal): Promise<T> {
    return this.#json(await this.#request('GET', url, { signal: signal ?? null }));
  }

  post<T>(url: string, body?: unknown, options?: WriteOptions): Promise<T> {
    return this.#sendWrite('POST', url, body, options);
  }

  put<T>(url: string, body: unknown): Promise<T> {
    return this.#sendWrite('PUT', url, body);
  }

  patch<T>(url: string, body: unknown, options?: WriteOptions): Promise<T> {
    return this.#sendWrite('PATCH', url, body, options);
  }

  delete<T>(url: string): Promise<T> {
    return this.#sendWrite('DELETE', url, undefined);
  }

  /** Sends a POST that stores nothing, such as a search, and therefore needs no idempotency key. */
  async ask<T>(url: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.#json(await this.#request('POST', url, { ...toRequestInit(body), signal: signal ?? null }));
  }

  async file(url: string): Promise<Blob> {
    return (await this.#request('GET', url, {})).blob();
  }

  async upload<T>(url: string, file: File, onProgress: OnProgress, signal?: AbortSignal): Promise<T> {
    const key = { 'Idempotency-Key': generateBrowserId() };
    return this.#sendWithProof((headers) =>
      uploadFile<T>({ url, headers: { ...headers, ...key }, file, onProgress, signal }),
    );
  }

  /**
   * Yields the server-sent events of an API stream until the server ends the stream.
   * @throws ApiError if the stream cannot be opened or the connection breaks
   */
  async *stream(url: string, options: StreamOptions): AsyncGenerator<RawEvent> {
    const { method = 'GET', body, signal, lastEventId, onOpen } = options;
    const silence = new AbortController();
    const cut = (): void => silence.abort();
    let timer = window.setTimeout(cut, MAX_SILENCE_MS);
    window.addEventListener('offline', cut);
    try {
      const response = await this.#request(method, url, {
        ...toRequestInit(body, {
          Accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
        }),
        signal: AbortSignal.any([signal, silence.signal]),
      });
      onOpen?.();
      yield* readEvents(response.body ?? new Blob().stream(), () => {
        window.clearTimeout(timer);
        timer = window.setTimeout(cut, MAX_SILENCE_MS);
      });
    } catch (error) {
      throw error instanceof ApiError ? error : createUnreachableError();
    } finally {
      window.clearTimeout(timer);
      window.removeEventListener('offline', cut);
    }
  }

  async #sendWrite<T>(method: Method, url: string, body: unknown, options: WriteOptions = {}): Promise<T> {
    const request = toRequestInit(body, { 'Idempotency-Key': options.idempotencyKey ?? generateBrowserId() });
    const sendOnce = async (): Promise<T> =>
      this.#json(
        await this.#request(method, url, {
          ...request,
          ...(options.storesCookie === true && { credentials: 'same-origin' }),
          keepalive: options.outlivesPage ?? false,
          signal: AbortSignal.timeout(options.timeoutMs ?? MAX_WRITE_MS),
        }),
      );
    for (const pauseMs of WRITE_RETRY_PAUSES_MS) {
      try {
        return await sendOnce();
      } catch (error) {
        if (!mayHaveBeenLost(error)) throw error;
        await new Promise((resolve) => window.setTimeout(resolve, pauseMs));
      }
    }
    return sendOnce();
  }

  #request(method: Method, url: string, init: RequestInit): Promise<Response> {
    return this.#sendWithProof((headers) =>
      fetchOrThrow(url, { ...init, method, headers: { ...init.headers, ...headers } }),
    );
  }

  async #sendWithProof<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    try {
      return await this.#sendWithToken(call);
    } catch (error) {
      if (!needsFreshProof(error) || !(await this.#authority.prove?.())) throw error;
      return this.#sendWithToken(call);
    }
  }

  async #sendWithToken<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    const { token } = this.#authority;
    try {
      return await call(createAuthHeader(token));
    } catch (error) {
      if (!isRejection(error)) throw error;
      if (await this.#authority.renew(token)) return call(createAuthHeader(this.#authority.token));
      this.#onRejected();
      throw error;
    }
  }

  async #json<T>(response: Response): Promise<T> {
    return (await response.json()) as T;
  }
}

/** Client for API calls without credentials. */
export const publicClient = new Client({ token: null, renew: async () => false });

function createAuthHeader(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

function isRejection(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function needsFreshProof(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'fresh_proof_required';
}

function toRequestInit(body: unknown, headers: Record<string, string> = {}): RequestInit {
  if (body === undefined) return { headers };
  return { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/**
 * Sends a request to the API and returns the response.
 * @throws ApiError if the response is not a success
 */
async function fetchOrThrow(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'omit', ...init, cache: 'no-store' });
  } catch (error) {
    const isAborted = init.signal?.aborted === true && !isTimeout(error);
    throw isAborted ? error : createUnreachableError();
  }
  if (response.ok) return response;
  const retryAfter = response.headers.get('Retry-After');
  throw toResponseError(response.status, await response.text().catch(() => ''), retryAfter);
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function mayHaveBeenLost(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.code === 'idempotency_in_progress');
}
