import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type Koa from 'koa';
import { AppError } from '../../core/errors/errors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Holder } from '../../repositories/accounts/holder.ts';
import { callerOf } from '../http/access/principal.ts';
import { entitle } from '../http/access/rights.ts';
import { readJsonBody } from '../http/body/body.ts';
import type { EngineDeps } from '../http/engine-deps.ts';
import { addressCharge, enforceLimit, personCharge } from '../http/limits/rate-limit.ts';
import type { RequestBasics } from '../http/request-basics.ts';
import { createMcpServer, type EndedCall } from './mcp-server.ts';
import { OperationCalls } from './operation-calls.ts';
import type { Tool } from './tool.ts';
import { tools as allTools } from './tools.ts';

const PATH = '/mcp';
const JSON_TYPE = 'application/json';
const MOST_BYTES = 1024 * 1024;
const BOUNDS = { values: 100_000, units: MOST_BYTES };
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const CORS = {
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After, X-Request-ID',
  'Access-Control-Max-Age': '7200',
};

export interface McpEndpointDeps extends EngineDeps {
  /** Runs a request within this process. */
  handle: RequestListener;
}

/**
 * Serves the Model Context Protocol: of 2025 and 2026-07-28, by Streamable HTTP without sessions. Returns whether the request was for it.
 * @throws AppError `forbidden` for a page or a host that is not known, `unauthenticated`, `method_not_allowed`
 */
export function createMcpEndpoint(deps: McpEndpointDeps) {
  const origins = allowedOrigins(deps.settings);
  return async (koa: Koa.Context, basics: RequestBasics): Promise<boolean> => {
    if (koa.path !== PATH) return false;
    allowOrigin(koa, origins);
    requireHost(koa, origins);
    if (koa.method === 'OPTIONS') {
      koa.set({ Allow: 'POST, OPTIONS', ...CORS });
      koa.status = 204;
      return true;
    }
    const holder = await keyHolder(koa, basics, deps);
    if (koa.method !== 'POST')
      throw new AppError(
        'method_not_allowed',
        'The MCP server keeps no session and sends no stream of its own: use POST.',
        {
          headers: { Allow: 'POST, OPTIONS' },
        },
      );
    await respond(koa, basics, holder, deps);
    return true;
  };
}

function allowedOrigins({ baseUrl, mcpOrigins }: Settings): ReadonlyMap<string, string> {
  const listed = mcpOrigins.split(',').map((origin) => origin.trim());
  const origins = [baseUrl, ...listed].filter(Boolean).map((origin) => new URL(origin));
  return new Map(origins.map(({ origin, host }) => [origin, host]));
}

/** A page of anybody could otherwise have a browser call a server of its network. */
function allowOrigin(koa: Koa.Context, origins: ReadonlyMap<string, string>): void {
  const { origin } = koa.req.headers;
  if (origin === undefined) return;
  koa.vary('Origin');
  if (!origins.has(origin))
    throw new AppError(
      'forbidden',
      'Pages of this origin may not use the MCP server; an operator can add it (PARLEY_MCP_ORIGINS).',
    );
  koa.set('Access-Control-Allow-Origin', origin);
}

/** A name that was bound to this server's address by somebody else is none of ours. */
function requireHost(koa: Koa.Context, origins: ReadonlyMap<string, string>): void {
  const host = (koa.req.headers.host ?? '').toLowerCase();
  if (LOOPBACK.has(host.replace(/:\d+$/, '')) || [...origins.values()].includes(host)) return;
  throw new AppError(
    'forbidden',
    'The MCP server is not known by this Host; use the address that Parley is published at.',
  );
}

/** @throws AppError `unauthenticated` for anything but a good API key */
async function keyHolder(koa: Koa.Context, basics: RequestBasics, deps: McpEndpointDeps): Promise<Holder> {
  try {
    const holder = await deps.authenticator.person(koa.req, null);
    if (holder.keyId === null)
      throw new AppError(
        'unauthenticated',
        'The MCP server takes API keys alone; create one for this client.',
      );
    basics.caller = callerOf(holder);
    return holder;
  } catch (error) {
    await enforceLimit(koa, deps.rateLimiter, addressCharge(basics.ip, deps.settings));
    if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
    // Whatever named a place to sign in at would send clients there, and there is none.
    throw new AppError(error.code, error.message, {
      cause: error,
      headers: { 'WWW-Authenticate': 'Bearer realm="parley"' },
    });
  }
}

async function respond(
  koa: Koa.Context,
  basics: RequestBasics,
  holder: Holder,
  deps: McpEndpointDeps,
): Promise<void> {
  const { authenticator, settings, rateLimiter, versions } = deps;
  const body = await readJsonBody(koa.req, MOST_BYTES, BOUNDS);
  // Those that run operations are counted by these.
  if (!isToolCall(body?.value))
    await enforceLimit(koa, rateLimiter, personCharge(holder, basics.ip, settings));
  const server = {
    version: versions.current,
    tools: allTools.filter((tool) => mayUse(tool, holder, settings)),
    calls: new OperationCalls(deps.handle, koa.req, {
      introduce: (request) => authenticator.introduce(request, holder),
      version: versions.current,
    }),
    note: noteOf(basics, holder, deps),
    report: (error: unknown) => basics.log.error({ err: error }, 'a tool failed'),
  };
  const handler = createMcpHandler(() => createMcpServer(server), {
    legacy: 'stateless',
    onerror: (error) => basics.log.debug({ err: error }, 'a request of the MCP server was refused'),
  });
  const response = await handler.fetch(requestOf(koa, settings.baseUrl), { parsedBody: body?.value ?? null });
  const type = response.headers.get('content-type') ?? JSON_TYPE;
  koa.status = response.status;
  koa.set('Content-Type', type);
  const isStream = response.body !== null && !type.startsWith(JSON_TYPE);
  koa.body = isStream ? Readable.fromWeb(response.body as ReadableStream) : await response.text();
}

function noteOf(
  { requestId }: RequestBasics,
  { orgId, keyId: apiKeyId }: Holder,
  { database: db, services }: McpEndpointDeps,
) {
  return ({ given, ...call }: EndedCall): void => {
    if (orgId === null || apiKeyId === null) return;
    services.toolLog.note({ db, orgId }, { ...call, arguments: given, apiKeyId, requestId });
  };
}

function isToolCall(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';
}

function mayUse({ operations }: Tool, holder: Holder, settings: Settings): boolean {
  return operations.every((operation) => {
    try {
      entitle(operation, holder, settings);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  });
}

function requestOf({ req }: Koa.Context, baseUrl: string): Request {
  const headers = Object.entries(req.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Request(baseUrl + PATH, { method: 'POST', headers });
}
