import { ApiError, errorOf, unreachable } from './api-error.ts';
import { readEvents, type StreamEvent } from '../../browser/event-stream.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import { uploadFile, type OnProgress } from './upload.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface WriteOptions {
  /** Of an action that a person may repeat when they do not know whether it was done; by default of this call alone. */
  idempotencyKey?: string;
  /** Whether the browser keeps the cookie of the answer, by which it is known again where it comes back to. */
  keepsCookie?: boolean;
  /** After which the write is lost for all that the page knows, and sent again. */
  timeoutMs?: number;
}

export interface StreamOptions {
  method?: 'GET' | 'POST';
  body?: unknown;
  signal: AbortSignal;
  lastEventId?: string | undefined;
  onOpen?: () => void;
}

/** Pauses before a write is sent again that may have been lost, under the same Idempotency-Key. */
const WRITE_AGAIN_AFTER_MS = [500, 2000];

/** A write that takes longer than this is lost for all that the page knows. */
const LONGEST_WRITE_MS = 30_000;

/** A server says something every minute at least; a stream that is silent for longer than this has been cut, as one is without a network. */
const LONGEST_SILENCE_MS = 70_000;

/** Whoever calls. */
export interface Authority {
  /** An API key or an access token; null for nobody known. */
  readonly token: string | null;
  /** Called when the API does not take a token. @returns whether there is another one now @throws ApiError */
  renew(rejected: string | null): Promise<boolean>;
  /** Called for what takes a fresh sign-in. @returns whether whoever calls has signed in again */
  prove?(): Promise<boolean>;
}

/** Calls the API for somebody. What shows who that is goes into a header, and nowhere else. */
export class Client {
  readonly #authority: Authority;
  readonly #onRejected: () => void;

  /** @param onRejected called when the API no longer takes what the authority has */
  constructor(authority: Authority, onRejected: () => void = () => {}) {
    this.#authority = authority;
    this.#onRejected = onRejected;
  }

  async get<T>(url: string, signal?: AbortSignal): Promise<T> {
    return this.#json(await this.#send('GET', url, { signal: signal ?? null }));
  }

  post<T>(url: string, body?: unknown, options?: WriteOptions): Promise<T> {
    return this.#write('POST', url, body, options);
  }

  put<T>(url: string, body: unknown): Promise<T> {
    return this.#write('PUT', url, body);
  }

  patch<T>(url: string, body: unknown): Promise<T> {
    return this.#write('PATCH', url, body);
  }

  delete<T>(url: string): Promise<T> {
    return this.#write('DELETE', url, undefined);
  }

  /** What a POST that changes nothing finds out. */
  async ask<T>(url: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.#json(await this.#send('POST', url, { ...requestOf(body), signal: signal ?? null }));
  }

  async file(url: string): Promise<Blob> {
    return (await this.#send('GET', url, {})).blob();
  }

  async upload<T>(url: string, file: File, onProgress: OnProgress, signal?: AbortSignal): Promise<T> {
    const key = { 'Idempotency-Key': generateBrowserId() };
    return this.#authorized((headers) =>
      uploadFile<T>({ url, headers: { ...headers, ...key }, file, onProgress, signal }),
    );
  }

  /** @throws ApiError when the stream cannot be opened or is cut; it returns when the server ends it */
  async *stream(url: string, options: StreamOptions): AsyncGenerator<StreamEvent> {
    const { method = 'GET', body, signal, lastEventId, onOpen } = options;
    const silence = new AbortController();
    const cut = (): void => silence.abort();
    let timer = window.setTimeout(cut, LONGEST_SILENCE_MS);
    window.addEventListener('offline', cut);
    try {
      const response = await this.#send(method, url, {
        ...requestOf(body, {
          Accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
        }),
        signal: AbortSignal.any([signal, silence.signal]),
      });
      onOpen?.();
      yield* readEvents(response.body ?? new Blob().stream(), () => {
        window.clearTimeout(timer);
        timer = window.setTimeout(cut, LONGEST_SILENCE_MS);
      });
    } catch (error) {
      throw error instanceof ApiError ? error : unreachable();
    } finally {
      window.clearTimeout(timer);
      window.removeEventListener('offline', cut);
    }
  }

  async #write<T>(method: Method, url: string, body: unknown, options: WriteOptions = {}): Promise<T> {
    const request = requestOf(body, { 'Idempotency-Key': options.idempotencyKey ?? generateBrowserId() });
    const write = async (): Promise<T> =>
      this.#json(
        await this.#send(method, url, {
          ...request,
          ...(options.keepsCookie === true && { credentials: 'same-origin' }),
          signal: AbortSignal.timeout(options.timeoutMs ?? LONGEST_WRITE_MS),
        }),
      );
    for (const pauseMs of WRITE_AGAIN_AFTER_MS) {
      try {
        return await write();
      } catch (error) {
        if (!mayHaveBeenLost(error)) throw error;
        await new Promise((resolve) => window.setTimeout(resolve, pauseMs));
      }
    }
    return write();
  }

  #send(method: Method, url: string, init: RequestInit): Promise<Response> {
    return this.#authorized((headers) =>
      send(url, { ...init, method, headers: { ...init.headers, ...headers } }),
    );
  }

  async #authorized<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    try {
      return await this.#present(call);
    } catch (error) {
      if (!isTooOld(error) || !(await this.#authority.prove?.())) throw error;
      return this.#present(call);
    }
  }

  async #present<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    const { token } = this.#authority;
    try {
      return await call(authorization(token));
    } catch (error) {
      if (!isRejection(error)) throw error;
      if (await this.#authority.renew(token)) return call(authorization(this.#authority.token));
      this.#onRejected();
      throw error;
    }
  }

  async #json<T>(response: Response): Promise<T> {
    return (await response.json()) as T;
  }
}

/** For what anybody may ask. */
export const publicClient = new Client({ token: null, renew: async () => false });

function authorization(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

function isRejection(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function isTooOld(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'fresh_proof_required';
}

function requestOf(body: unknown, headers: Record<string, string> = {}): RequestInit {
  if (body === undefined) return { headers };
  return { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** @throws ApiError unless the answer is a success */
async function send(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'omit', ...init, cache: 'no-store' });
  } catch (error) {
    const isLeft = init.signal?.aborted === true && !isTimeout(error);
    throw isLeft ? error : unreachable();
  }
  if (response.ok) return response;
  const retryAfter = response.headers.get('Retry-After');
  throw errorOf(response.status, await response.text().catch(() => ''), retryAfter);
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function mayHaveBeenLost(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.code === 'idempotency_in_progress');
}
