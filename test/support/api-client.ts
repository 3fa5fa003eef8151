import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import type { Method } from '../../api/http/operation.ts';
import type { Problem } from '../../api/http/problems/problem.ts';
import { checkResponse } from './declared-responses.ts';
import type { BodyAt } from './response-types.ts';

/** A response of the API with its parsed body. */
export interface ApiResponse<T = unknown> {
  status: number;
  headers: Headers;
  /** Response body that the operation declares for success. */
  body: T;
  /**
   * Body of an error response.
   * @throws AssertionError if the status is below 400
   */
  readonly problem: Problem;
}

type Call<M extends Method> = <const P extends string>(
  path: P,
  ...rest: M extends 'GET' | 'DELETE' ? [headers?: SentHeaders] : [body?: unknown, headers?: SentHeaders]
) => Promise<ApiResponse<BodyAt<M, P>>>;

type SentHeaders = Record<string, string>;

/** A client that calls API operations. The type of a response's body is found by method and path. */
export interface ApiClient {
  get: Call<'GET'>;
  post: Call<'POST'>;
  put: Call<'PUT'>;
  patch: Call<'PATCH'>;
  delete: Call<'DELETE'>;
  /**
   * Sends a request like the global `fetch`. Does not follow redirects unless the request has a form, a
   * signal or a `redirect` option.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Creates an API client that sends the bearer token, if there is one. */
export function createClient(baseUrl: string, token?: string): ApiClient {
  const authorization: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call = async <M extends Method, P extends string>(
    method: M,
    path: P,
    body?: unknown,
    headers?: SentHeaders,
  ): Promise<ApiResponse<BodyAt<M, P>>> => {
    const response = await send(method, baseUrl + path, {
      headers: {
        ...authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.body.text();
    checkResponse(method, baseUrl + path, { ...response, text });
    const isRead = isJson(response.headers) && text !== '';
    return new ReceivedResponse(response, isRead ? JSON.parse(text) : text);
  };
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    delete: (path, headers) => call('DELETE', path, undefined, headers),
    fetch: (path, init = {}) => {
      const { method = 'GET', body } = init;
      const headers = { ...authorization, ...(init.headers as Record<string, string>) };
      if (!isTextRequest(init)) return fetch(baseUrl + path, { ...init, headers });
      if (typeof body !== 'string') return fetchText(method, baseUrl + path, { headers });
      const typed = { 'content-type': 'text/plain;charset=UTF-8', ...headers };
      return fetchText(method, baseUrl + path, { headers: typed, body });
    },
  };
}

export class ReceivedResponse<T> implements ApiResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;

  constructor({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>, body: T) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  get problem(): Problem {
    assert.ok(this.status >= 400, `${this.status} is no refusal`);
    return this.body as Problem;
  }
}

interface TextRequest {
  body?: string;
  headers?: Record<string, string>;
}

function isTextRequest({ body, signal, redirect }: RequestInit): boolean {
  return typeof (body ?? '') === 'string' && !signal && redirect === undefined;
}

/** Headers that `fetch` adds by itself, and that some operations read. */
const SENT_BY_FETCH = { accept: '*/*', 'accept-language': '*', 'user-agent': 'node' };

/** Sends a request like `fetch`, at a quarter of its CPU time, since the tests make tens of thousands of calls. */
async function fetchText(method: string, url: string, init: TextRequest): Promise<Response> {
  const { status, headers, body } = await send(method, url, init);
  const response = { status, headers };
  if (isJson(headers)) {
    const text = await body.text();
    checkResponse(method, url, { ...response, text });
    return new Response(text, response);
  }
  checkResponse(method, url, response);
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status);
  if (isEmpty) await body.dump();
  return new Response(isEmpty ? null : toWebStream(body), response);
}

/**
 * Converts a response body to a web stream by hand: `Readable.toWeb` fails if the stream is canceled while
 * data arrives.
 */
function toWebStream(body: Readable): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void body.destroy(),
  });
}

async function send(method: string, url: string, { body, headers }: TextRequest) {
  const response = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: { ...SENT_BY_FETCH, ...headers },
    ...(body !== undefined && { body }),
  });
  const received = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    for (const each of [value].flat()) if (each !== undefined) received.append(name, each);
  return { status: response.statusCode, headers: received, body: response.body };
}

function isJson(headers: Headers): boolean {
  return /json/.test(headers.get('content-type') ?? '');
}
