import { ApiPromise, type ApiResult } from './api-promise.ts';
import { CallSite } from './call-site.ts';
import { Deadline, type TimeLimit } from './deadline.ts';
import { isObject } from './describe-type.ts';
import { ConnectionError, ParleyError } from './errors.ts';
import { EventStream, type OpenStream, type Resume } from './event-stream.ts';
import {
  DEFAULT_MAX_RETRIES,
  DEFAULT_STREAM_SILENCE_MS,
  type CallOptions,
  type Operation,
} from './options.ts';
import { isPageBody, ListPage, Page, PagePromise } from './pages.ts';
import { randomId } from './random-id.ts';
import { isRedirect, readError } from './read-error.ts';
import { MAX_ANSWER_BYTES, readText } from './read-text.ts';
import { prepareRequest, type Arguments, type PreparedRequest, type Settings } from './request.ts';
import type { StreamEventOf } from './stream-event.ts';
import { isTemporary, pause, pauseMs } from './retries.ts';
import { createUnexpectedResponseError } from './unexpected-response.ts';

type Read<T> = (response: Response, deadline: Deadline) => T | Promise<T>;

export interface KeysetRules {
  parameter: string;
  field: string;
  defaultLimit: number;
}

interface RunOptions extends CallOptions {
  /** Whether the response's body is read after the attempt, whose signal must not abort the reading. */
  keepsOpen?: boolean;
}

/** Maximum number of characters in the field `client_id` of a message; idempotency keys may be longer. */
const MAX_CLIENT_ID_LENGTH = 128;

/**
 * Returns whether another page of a list follows. The page need not be full: the server shortens pages with
 * long messages.
 */
const hasNextLink = ({ headers }: Response): boolean => headers.get('link')?.includes('rel="next"') ?? false;

/** Sends requests to the API, and retries a request if a retry is safe and may help. */
export class Caller {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  json<T>(operation: Operation, args: Arguments, options?: CallOptions): ApiPromise<T> {
    return new ApiPromise(this.#call(operation, args, options, (response) => this.#readJson<T>(response)));
  }

  text(operation: Operation, args: Arguments, options?: CallOptions): ApiPromise<string> {
    return new ApiPromise(this.#call(operation, args, options, (response) => this.#readAnswer(response)));
  }

  /** Calls an operation and returns the response with an unread body. */
  binary(operation: Operation, args: Arguments, options?: CallOptions): ApiPromise<Response> {
    return new ApiPromise(this.#call(operation, args, options, detachBody, true));
  }

  /** Returns the URL to which an operation redirects a browser. */
  redirect(operation: Operation, args: Arguments, options?: CallOptions): ApiPromise<string> {
    return new ApiPromise(
      this.#call(operation, args, options, ({ headers }) => headers.get('location') ?? ''),
    );
  }

  pages<T>(operation: Operation, args: Arguments, options?: CallOptions): PagePromise<T, Page<T>> {
    const fetchPage = (cursor: string): Promise<Page<T>> => {
      const { page: _, ...query } = (args.query ?? {}) as Record<string, unknown>;
      return this.pages<T>(operation, { ...args, query: { ...query, cursor } }, options);
    };
    const read = async (response: Response) => {
      const body = await this.#readJson<unknown>(response);
      if (!isPageBody<T>(body)) throw this.#createUnexpectedResponseError(response);
      return new Page(body, fetchPage);
    };
    return new PagePromise(this.#call(operation, args, options, read));
  }

  keyset<T>(
    operation: Operation,
    args: Arguments,
    rules: KeysetRules,
    options?: CallOptions,
  ): PagePromise<T, ListPage<T>> {
    const query = (args.query ?? {}) as Record<string, unknown>;
    const read = async (response: Response) => {
      const items = await this.#readJson<T[]>(response);
      if (!Array.isArray(items)) throw this.#createUnexpectedResponseError(response);
      const position = (items.at(-1) as Record<string, unknown> | null | undefined)?.[rules.field];
      // A list that is read backwards, with `before`, has one page only.
      const isAll = rules.parameter !== 'before' && query['before'] !== undefined;
      const isFull = items.length >= Number(query['limit'] ?? rules.defaultLimit);
      const isLast = isAll || !(isFull || hasNextLink(response));
      const next = { ...args, query: { ...query, [rules.parameter]: position } };
      const fetch = () => this.keyset<T>(operation, next, rules, options);
      return new ListPage(items, isLast ? null : { position, fetch });
    };
    return new PagePromise(this.#call(operation, args, options, read));
  }

  stream<E extends StreamEventOf<string, unknown>>(
    operation: Operation,
    args: Arguments,
    { resume, lastEvents }: { resume: Resume; lastEvents: readonly string[] },
    options: CallOptions = {},
  ): EventStream<E> {
    const takesClientId = resume === 'lastEventId' && isObject(args.json);
    const identified = takesClientId ? withClientId(args, options) : args;
    const request = prepareRequest(operation, identified, options, this.settings);
    return new EventStream({
      site: new CallSite(),
      resume,
      lastEvents,
      signal: options.signal,
      maxRetries: this.#maxRetries(options),
      onRetry: this.settings.onRetry,
      silence: this.#silence(),
      open: async (lastEventId, signal) => {
        const { data } = await this.#run(
          lastEventId === undefined ? request : withHeader(request, 'last-event-id', lastEventId),
          { ...options, signal, keepsOpen: true },
          (response, deadline): OpenStream => ({ response, deadline }),
        );
        return data;
      },
    });
  }

  /** Calls an operation. If the request cannot be sent, rejects the promise instead of throwing. */
  async #call<T>(
    operation: Operation,
    args: Arguments,
    options: CallOptions = {},
    read: Read<T>,
    keepsOpen = false,
  ): Promise<ApiResult<T>> {
    const site = new CallSite();
    try {
      const request = prepareRequest(operation, args, options, this.settings);
      return await this.#run(request, { ...options, keepsOpen }, read);
    } catch (error) {
      site.addTo(error);
      throw error;
    }
  }

  async #run<T>(request: PreparedRequest, options: RunOptions, read: Read<T>): Promise<ApiResult<T>> {
    const maxRetries = request.isRepeatable ? this.#maxRetries(options) : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(request, options, read);
      } catch (error) {
        if (attempt >= maxRetries || !isTemporary(error)) throw error;
        const ms = pauseMs(attempt, error);
        this.settings.onRetry?.(error as Error, ms);
        await pause(ms, options.signal);
      }
    }
  }

  async #attempt<T>(
    { url, init, limit, mayRedirect, findReadFault }: PreparedRequest,
    { signal, keepsOpen = false }: RunOptions,
    read: Read<T>,
  ): Promise<ApiResult<T>> {
    const deadline = new Deadline(limit, signal, this.settings);
    let isOpen = false;
    try {
      const response = await this.settings.fetch(url, {
        ...init,
        redirect: 'manual',
        signal: deadline.signal,
      });
      const isAnswer = response.ok || (mayRedirect && isRedirect(response));
      if (!isAnswer) throw await readError(response, this.settings.urlSetting);
      const data = await read(response, deadline);
      isOpen = keepsOpen;
      return { data, response };
    } catch (error) {
      const explained = deadline.explain(error);
      const readFault = explained instanceof ConnectionError ? await findReadFault?.() : undefined;
      throw readFault ?? explained;
    } finally {
      if (!isOpen) deadline.clear();
    }
  }

  #readAnswer(response: Response): Promise<string> {
    return readText(response, { maxBytes: MAX_ANSWER_BYTES, urlSetting: this.settings.urlSetting });
  }

  async #readJson<T>(response: Response): Promise<T> {
    const text = await this.#readAnswer(response);
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const sender = response.url === '' ? 'the server' : response.url;
      throw new ParleyError(
        `The response from ${sender} is not JSON. Check that ${this.settings.urlSetting} is the URL of Parley.`,
        { cause: error },
      );
    }
  }

  #createUnexpectedResponseError({ url }: Response): ParleyError {
    return createUnexpectedResponseError(url, this.settings.urlSetting);
  }

  #silence(): TimeLimit {
    const { streamSilenceMs: ms } = this.settings;
    return typeof ms === 'number'
      ? { ms, isSilence: true, option: 'streamSilenceMs' }
      : { ms: DEFAULT_STREAM_SILENCE_MS, isSilence: true };
  }

  #maxRetries({ maxRetries }: CallOptions): number {
    return maxRetries ?? this.settings.maxRetries ?? DEFAULT_MAX_RETRIES;
  }
}

/**
 * Ends the time limit of the attempt to get a response; the caller's signal still aborts the reading of the
 * body.
 */
function detachBody(response: Response, deadline: Deadline): Response {
  deadline.suspend();
  return response;
}

/** Adds a `client_id` to a message, by which a reopened stream finds the answer in progress. */
function withClientId(args: Arguments, { idempotencyKey }: CallOptions): Arguments {
  const isShort = idempotencyKey !== undefined && idempotencyKey.length <= MAX_CLIENT_ID_LENGTH;
  return { ...args, json: { client_id: isShort ? idempotencyKey : randomId(), ...(args.json as object) } };
}

function withHeader(request: PreparedRequest, name: string, value: string): PreparedRequest {
  const headers = { ...(request.init.headers as Record<string, string>), [name]: value };
  return { ...request, init: { ...request.init, headers } };
}
