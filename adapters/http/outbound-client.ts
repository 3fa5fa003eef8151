import { lookup } from 'node:dns/promises';
import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { AppError, type ErrorDetail } from '../../core/errors/errors.ts';
import {
  AddressGuard,
  isPrivateRefusal,
  metadataNetworks,
  type AddressGuardOptions,
} from './address-guard.ts';
import { withDeadline, rejectOnAbort } from './deadline.ts';
import {
  ACCEPTED_ENCODINGS,
  decodeBody,
  failBeyond,
  readAtMost,
  createTooLargeFailure,
  stopAtUndecodable,
} from './decode-body.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import { parseBareHost, GuardedResolver, parseOutboundUrl } from './guarded-resolver.ts';
import type { Resolver } from './name-server-resolver.ts';
import { bufferResponse } from './buffered-response.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { endTinyChunks } from './tiny-chunks.ts';

export interface OutboundClientOptions extends AddressGuardOptions {
  userAgent: string;
  resolver?: Resolver;
  /** Certificate authority in PEM format that servers may use in addition to the usual authorities. */
  ca?: string;
}

export interface OutboundRequest {
  url: string;
  /** HTTP method of the request, GET by default. */
  method?: string;
  /** Headers of the request; names in lower case. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Timeout in milliseconds of the whole exchange: lookup, connection, redirects, headers and body. */
  timeoutMs: number;
  /** Maximum size of the decompressed response body in bytes. */
  maxBytes: number;
  /** Treatment of redirects, `follow` by default. The guard checks every redirect. */
  redirect?: 'follow' | 'manual';
  maxRedirects?: number;
  signal?: AbortSignal | undefined;
}

export interface BufferedRequest extends OutboundRequest {
  /**
   * Treatment of a response body that exceeds `maxBytes`. `fail`, the default, throws `too_large`. `truncate`
   * returns the first `maxBytes`, and accepts a body that cannot be decompressed to its end.
   */
  onOverflow?: 'fail' | 'truncate';
  /**
   * True if the receiver recognizes a repeated request, so that the client may repeat it; see
   * `BufferOptions`.
   */
  isRepeatable?: boolean;
}

export interface FetchOptions {
  /** HTTP method of the request, GET by default. */
  method?: string;
  /** Headers of the request; names in lower case. */
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

interface OutboundHead {
  status: number;
  /** Headers of the response; names in lower case, repeated headers joined by commas. */
  headers: Record<string, string>;
  /** URL from which the response came, after redirects. */
  url: string;
}

export interface OutboundResponse extends OutboundHead {
  body: Buffer;
  truncated: boolean;
}

export interface OutboundStream extends OutboundHead {
  body: AsyncIterable<Buffer>;
}

interface Hop extends Pick<OutboundRequest, 'body'> {
  url: URL;
  method: string;
  headers: Record<string, string>;
}

interface HopResponse {
  hop: Hop;
  status: number;
  headers: Record<string, string>;
  body: Dispatcher.ResponseData['body'];
}

/** Advice how an operator can allow requests to a private address. */
const PRIVATE_ADDRESS_REMEDY =
  'To permit addresses in your own network, set PARLEY_OUTBOUND_ALLOW, for example PARLEY_OUTBOUND_ALLOW=127.0.0.0/8.';
const MAX_REDIRECTS = 5;
const NEVER = new AbortController().signal;

/** Origin of a URL to check, named in the error if the URL is refused. */
export interface UrlSource {
  /** Field of the API request's body that contains the URL. */
  field?: string;
  /**
   * Sentence in the error about a way to reach a private address that needs no change of the installation.
   */
  remedy?: string;
}

/**
 * HTTP client for all outbound requests. Restricts the addresses that it contacts, and limits time, size and
 * redirects.
 */
export class OutboundClient {
  readonly #resolver: GuardedResolver;
  readonly #agent: Agent;
  readonly #userAgent: string;

  constructor(options: OutboundClientOptions) {
    this.#resolver = new GuardedResolver(new AddressGuard(options), options.resolver);
    this.#agent = createGuardedAgent(this.#resolver, options.ca);
    this.#userAgent = options.userAgent;
  }

  /**
   * Creates an HTTP client for endpoints that the operator configured. This client may contact any address
   * and port, and resolves names like the system.
   */
  static createTrusted(options: Omit<OutboundClientOptions, keyof AddressGuardOptions>): OutboundClient {
    const resolver: Resolver = (name) => lookup(name, { all: true });
    return new OutboundClient({ resolver, ...options, allow: ['0.0.0.0/0', '::/0', ...metadataNetworks] });
  }

  /**
   * Checks a URL for outbound requests before it is saved. Accepts names that do not resolve now, since each
   * request checks the URL again. Refuses plain http and unusual ports unless the name resolves to an allowed
   * address.
   * @throws AppError `url_refused` with the field
   */
  async checkUrl(url: string, { field, remedy }: UrlSource = {}): Promise<void> {
    try {
      const parsed = parseOutboundUrl(url);
      await this.#resolver.resolveAddresses(parsed).catch((error: unknown) => {
        if (!(error instanceof OutboundError) || error.kind === 'refused') throw error;
        this.#resolver.assertPermittedUnresolved(parsed);
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const remedies = isPrivateRefusal(error.message) ? [PRIVATE_ADDRESS_REMEDY, remedy] : [];
      const message = [error.message, ...remedies].filter(Boolean).join(' ');
      const details: ErrorDetail[] =
        field === undefined ? [] : [{ field, in: 'body', code: 'url_refused', message: error.message }];
      throw new AppError('url_refused', message, { cause: error, details });
    }
  }

  /**
   * Sends an HTTP request and buffers the response. Returns responses of any status.
   * @throws OutboundError
   */
  request(request: BufferedRequest): Promise<OutboundResponse> {
    const { maxBytes, onOverflow = 'fail' } = request;
    const readUpTo = async ({ body, ...head }: OutboundStream) => ({
      ...head,
      ...(await readAtMost(body, maxBytes)),
    });
    if (onOverflow === 'fail') return this.stream(request, readUpTo);
    if (request.redirect === 'manual') return this.#requestBuffered(request);
    return this.#exchange(request, ({ body, ...head }) =>
      readUpTo({ ...head, body: stopAtUndecodable(body) }),
    );
  }

  /**
   * Sends an HTTP request and passes the arriving response to `consume`. The timeout includes `consume`.
   * @throws OutboundError, also while `body` is read (such as `too_large`), and the errors of `consume`
   */
  async stream<T>(request: OutboundRequest, consume: (response: OutboundStream) => Promise<T>): Promise<T> {
    return this.#exchange(request, (response) => {
      const { host } = new URL(response.url);
      const isDeclaredTooLarge = Number(response.headers['content-length'] ?? 0) > request.maxBytes;
      if (isDeclaredTooLarge && request.method !== 'HEAD')
        throw createTooLargeFailure(request.maxBytes, host);
      return consume({ ...response, body: failBeyond(response.body, request.maxBytes, host) });
    });
  }

  /**
   * Replacement for `fetch` with the client's restrictions, for callers that need a web stream. Follows no
   * redirects. Only the signal limits its time.
   */
  readonly fetch = async (url: string, init: FetchOptions = {}): Promise<Response> => {
    const { method = 'GET', headers: requestHeaders = {}, body: content, signal = NEVER } = init;
    try {
      signal.throwIfAborted();
      const { hop, status, headers, body } = await this.#followRedirects(
        {
          url,
          method,
          headers: requestHeaders,
          redirect: 'manual',
          ...(content !== undefined && { body: content }),
        },
        signal,
      );
      const decoded = decodeBody(body, headers['content-encoding'] ?? '', hop.url.host);
      const isEmpty = status === 204 || status === 205 || status === 304;
      return new Response(isEmpty ? null : toWebStream(decoded, body), { status, headers });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  };

  /** Closes all connections of the client immediately. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #requestBuffered(request: BufferedRequest): Promise<OutboundResponse> {
    const hop = this.#toHop(request);
    try {
      const { status, headers, body, truncated } = await bufferResponse(
        this.#agent,
        toDispatchOptions(hop),
        request,
      );
      return { status, headers: joinHeaders(headers), url: hop.url.href, body, truncated };
    } catch (error) {
      throw toOutboundError(error, parseBareHost(hop.url));
    }
  }

  async #exchange<T>(
    request: OutboundRequest,
    consume: (response: OutboundStream) => Promise<T>,
  ): Promise<T> {
    return withDeadline(request.timeoutMs, request.signal, async (signal) => {
      const { hop, status, headers, body } = await this.#followRedirects(request, signal);
      try {
        const decoded = decodeBody(body, headers['content-encoding'] ?? '', hop.url.host);
        return await consume({ status, headers, url: hop.url.href, body: decoded });
      } finally {
        body.destroy();
      }
    });
  }

  async #followRedirects(
    request: Omit<OutboundRequest, 'timeoutMs' | 'maxBytes' | 'signal'>,
    signal: AbortSignal,
  ): Promise<HopResponse> {
    const { maxRedirects = MAX_REDIRECTS, redirect = 'follow' } = request;
    let hop = this.#toHop(request);
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#sendOnce(hop, signal);
      const next = redirect === 'follow' ? followRedirect(response) : undefined;
      if (next === undefined) return response;
      response.body.destroy();
      if (redirects === maxRedirects) {
        throw new OutboundError('too_many_redirects', `The URL redirects more than ${maxRedirects} times.`);
      }
      hop = next;
    }
  }

  #toHop({ url, method = 'GET', headers, body }: Omit<OutboundRequest, 'timeoutMs' | 'maxBytes'>): Hop {
    const all = { 'user-agent': this.#userAgent, 'accept-encoding': ACCEPTED_ENCODINGS, ...headers };
    return { url: parseOutboundUrl(url), method, headers: all, ...(body !== undefined && { body }) };
  }

  async #sendOnce(hop: Hop, signal: AbortSignal): Promise<HopResponse> {
    const { url } = hop;
    try {
      const response = await rejectOnAbort(
        startRequest(this.#agent, { ...toDispatchOptions(hop), signal }),
        signal,
      );
      response.body.on('error', () => {}); // Prevents a crash if no reader handles the error.
      return {
        hop,
        status: response.statusCode,
        headers: joinHeaders(response.headers),
        body: response.body,
      };
    } catch (error) {
      throw toOutboundError(error, parseBareHost(url));
    }
  }
}

/**
 * Sends an HTTP request like `Agent.request`, but counts the chunks of the response body from the first
 * chunk.
 */
function startRequest(agent: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  return new Promise((resolve, reject) => {
    // Use the callback, since a promise would resolve after the first chunks have already been emitted.
    agent.request(options, (error, response) => {
      if (error) return reject(error);
      endTinyChunks(response.body);
      resolve(response);
    });
  });
}

function toDispatchOptions({ url, method, headers, body }: Hop) {
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body: body ?? null };
}

/**
 * Returns the next request after a redirect (RFC 9110, 15.4). Removes credentials if the origin changes.
 * Undefined if the response is not a redirect.
 */
function followRedirect({ hop, status, headers }: HopResponse): Hop | undefined {
  const location = headers['location'];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const url = parseOutboundUrl(location, hop.url);
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const dropped = [
    ...(becomesGet ? ['content-type', 'content-length', 'content-encoding'] : []),
    ...(url.origin === hop.url.origin ? [] : ['authorization', 'proxy-authorization', 'cookie', 'host']),
  ];
  const remainingHeaders = Object.fromEntries(
    Object.entries(hop.headers).filter(([name]) => !dropped.includes(name)),
  );
  if (becomesGet) return { url, method: 'GET', headers: remainingHeaders };
  return { ...hop, url, headers: remainingHeaders };
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    joined[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return joined;
}

/**
 * Converts the chunks of a response to a web stream. Canceling the stream closes the connection immediately,
 * even during a read.
 */
function toWebStream(chunks: AsyncGenerator<Buffer>, connection: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      connection.destroy();
    },
  });
}
