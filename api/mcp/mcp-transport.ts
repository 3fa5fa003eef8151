import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type Koa from 'koa';
import { AppError } from '../../core/errors/errors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { readJsonBody } from '../http/body/body.ts';
import { EVENT_STREAM, STREAM_HEADERS } from '../http/response/event-stream.ts';

const PATH = '/mcp';
const JSON_TYPE = 'application/json';
/**
 * Value of the header `Accept` that the MCP library demands. Parley sets it for clients that accept less,
 * which get the form that `responseMode` chooses.
 */
const ACCEPT_BOTH = `${JSON_TYPE}, ${EVENT_STREAM}`;
const MAX_BYTES = 1024 * 1024;
const BOUNDS = { values: 20_000, units: MAX_BYTES };
/**
 * Maximum number of keys of an object in an MCP message. Valid objects have about a dozen, and unknown keys
 * are refused.
 */
const MAX_KEYS = 200;
/**
 * Maximum number of MCP messages in a batch. Only clients of old protocol versions send batches, of a few
 * calls.
 */
const MAX_BATCH = 20;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const CORS = {
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After, X-Request-ID',
  'Access-Control-Max-Age': '7200',
};

/**
 * Serves the Model Context Protocol over HTTP without sessions: the protocol versions of 2025 and 2026-07-28.
 * The caller passes in the tools as an MCP server.
 */
export class McpTransport {
  readonly #baseUrl: string;
  /** Hosts of the origins whose pages may call the MCP server, by origin. */
  readonly #origins: ReadonlyMap<string, string>;

  constructor({ baseUrl, mcpOrigins }: Pick<Settings, 'baseUrl' | 'mcpOrigins'>) {
    const listed = mcpOrigins.split(',').map((origin) => origin.trim());
    const origins = [baseUrl, ...listed].filter(Boolean).map((origin) => new URL(origin));
    this.#baseUrl = baseUrl;
    this.#origins = new Map(origins.map(({ origin, host }) => [origin, host]));
  }

  matches(koa: Koa.Context): boolean {
    return koa.path === PATH;
  }

  /**
   * Checks the origin and host of an MCP request, and responds to CORS preflights. Returns whether the
   * request was a preflight.
   * @throws AppError `forbidden` for an unknown origin or host
   */
  checkOrigin(koa: Koa.Context): boolean {
    this.#allowOrigin(koa);
    this.#requireHost(koa);
    if (koa.method !== 'OPTIONS') return false;
    koa.set({ Allow: 'POST, OPTIONS', ...CORS });
    koa.status = 204;
    return true;
  }

  /**
   * Reads the JSON body.
   * @throws AppError `method_not_allowed` for any method but POST; an error for an invalid body
   */
  async readBody(koa: Koa.Context): Promise<unknown> {
    if (koa.method !== 'POST')
      throw new AppError(
        'method_not_allowed',
        'The MCP server has no sessions and opens no streams; use POST.',
        { headers: { Allow: 'POST, OPTIONS' } },
      );
    const body = await readJsonBody(koa.req, MAX_BYTES, BOUNDS);
    if (body?.isTruncated)
      throw new AppError('payload_too_large', `The message has more than ${BOUNDS.values} values.`);
    const message = body?.value ?? null;
    if (Array.isArray(message) && message.length > MAX_BATCH)
      throw new AppError(
        'payload_too_large',
        `A batch has at most ${MAX_BATCH} messages; send several batches.`,
      );
    return keepFirstKeys(message);
  }

  /**
   * Responds with the result of the MCP server: as a stream to clients that accept streams, as JSON to all
   * other clients.
   * @param onerror called for requests that the MCP server refuses
   */
  async respond(
    koa: Koa.Context,
    parsedBody: unknown,
    createServer: () => Server,
    onerror: (error: Error) => void,
  ): Promise<void> {
    const request = this.#toRequest(koa);
    const responseMode = chooseResponseMode(koa.req.headers.accept ?? '');
    const response =
      responseMode === 'json' && (await isLegacyRequest(request, parsedBody))
        ? await respondWithJson(request, parsedBody, createServer(), onerror)
        : await createMcpHandler(createServer, { legacy: 'stateless', responseMode, onerror }).fetch(
            request,
            { parsedBody },
          );
    const type = response.headers.get('content-type') ?? JSON_TYPE;
    koa.status = response.status;
    const isStream = response.body !== null && !type.startsWith(JSON_TYPE);
    if (isStream) koa.set(STREAM_HEADERS);
    koa.set('Content-Type', type);
    koa.body = isStream ? Readable.fromWeb(response.body as ReadableStream) : await response.text();
  }

  /**
   * Rejects MCP requests from unknown origins. Without this check, a web page could make a visitor's browser
   * call a server in the visitor's network.
   */
  #allowOrigin(koa: Koa.Context): void {
    const { origin } = koa.req.headers;
    if (origin === undefined) return;
    koa.vary('Origin');
    if (!this.#origins.has(origin))
      throw new AppError(
        'forbidden',
        'Pages of this origin may not use the MCP server; an operator can add the origin to PARLEY_MCP_ORIGINS.',
      );
    koa.set('Access-Control-Allow-Origin', origin);
  }

  /**
   * Rejects unknown host names. An attacker could make such a name resolve to this server's address (DNS
   * rebinding).
   */
  #requireHost(koa: Koa.Context): void {
    const host = (koa.req.headers.host ?? '').toLowerCase();
    if (LOOPBACK.has(host.replace(/:\d+$/, '')) || [...this.#origins.values()].includes(host)) return;
    throw new AppError(
      'forbidden',
      'The MCP server does not accept this Host header; use Parley’s public host name.',
    );
  }

  #toRequest({ req }: Koa.Context): Request {
    const headers = Object.entries(req.headers).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'accept' ? [[name, value] as [string, string]] : [],
    );
    return new Request(this.#baseUrl + PATH, {
      method: 'POST',
      headers: [...headers, ['accept', ACCEPT_BOTH]],
    });
  }
}

/**
 * Chooses the form of an MCP response by the header `Accept`. A client that does not name streams gets JSON,
 * which every client reads.
 */
function chooseResponseMode(accept: string): 'auto' | 'sse' | 'json' {
  const types = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';')[0]?.trim());
  if (!types.includes(EVENT_STREAM)) return 'json';
  return types.includes(JSON_TYPE) ? 'auto' : 'sse';
}

/**
 * Serves a request of a 2025 protocol version with one JSON body. `createMcpHandler` would always stream the
 * response.
 */
async function respondWithJson(
  request: Request,
  parsedBody: unknown,
  server: Server,
  onerror: (error: Error) => void,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  transport.onerror = onerror;
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

/**
 * Drops all but the first `MAX_KEYS` keys of each object in an MCP message. The MCP library copies objects
 * repeatedly, which would take long for thousands of keys.
 */
function keepFirstKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(keepFirstKeys);
  const firstEntries: [string, unknown][] = [];
  for (const key in value) {
    if (firstEntries.length === MAX_KEYS) break;
    firstEntries.push([key, keepFirstKeys((value as Record<string, unknown>)[key])]);
  }
  return Object.fromEntries(firstEntries);
}
