import type { RequestListener, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Server } from '@modelcontextprotocol/server';
import type Koa from 'koa';
import { AppError } from '../../core/errors/errors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Holder } from '../../repositories/accounts/holder.ts';
import { callerOf } from '../http/access/principal.ts';
import { entitle } from '../http/access/rights.ts';
import type { EngineDeps } from '../http/engine-deps.ts';
import { addressCharge, enforceLimit, personCharge } from '../http/limits/rate-limit.ts';
import type { RequestBasics } from '../http/request-basics.ts';
import { createMcpServer, type EndedCall } from './mcp-server.ts';
import { McpTransport } from './mcp-transport.ts';
import { OperationCalls } from './operation-calls.ts';
import type { Tool } from './tool.ts';

export interface McpEndpointDeps extends EngineDeps {
  /** Runs a request within this process. */
  handle: RequestListener;
}

/**
 * Serves the tools to holders of API keys. Returns whether the request was for them.
 * @throws AppError `forbidden` for a page or a host that is not known, `unauthenticated`, `method_not_allowed`
 */
export function createMcpEndpoint(deps: McpEndpointDeps) {
  const transport = new McpTransport(deps.settings);
  return async (koa: Koa.Context, basics: RequestBasics): Promise<boolean> => {
    if (!transport.isFor(koa)) return false;
    if (transport.admit(koa)) return true;
    const holder = await keyHolder(koa, basics, deps);
    const body = await transport.bodyOf(koa);
    const server = await serverFor(koa, basics, { holder, body }, deps);
    await transport.respond(koa, body, server, (error) =>
      basics.log.debug({ err: error }, 'a request of the MCP server was refused'),
    );
    return true;
  };
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

async function serverFor(
  koa: Koa.Context,
  basics: RequestBasics,
  { holder, body }: { holder: Holder; body: unknown },
  deps: McpEndpointDeps,
): Promise<() => Server> {
  const { authenticator, settings, rateLimiter, versions } = deps;
  // Those that run operations are counted by these.
  if (!isToolCall(body)) await enforceLimit(koa, rateLimiter, personCharge(holder, basics.ip, settings));
  const options = {
    version: versions.current,
    mayUse: (tool: Tool) => mayUse(tool, holder, settings),
    calls: new OperationCalls(deps.handle, koa.req, {
      introduce: (request) => authenticator.introduce(request, holder),
      version: versions.current,
    }),
    note: noteOf(basics, holder, koa.res, deps),
    report: (error: unknown) => basics.log.error({ err: error }, 'a tool failed'),
  };
  return () => createMcpServer(options);
}

function noteOf(
  { requestId }: RequestBasics,
  { orgId, keyId: apiKeyId }: Holder,
  response: ServerResponse,
  { database: db, services }: McpEndpointDeps,
) {
  let isOver: Promise<void> | undefined;
  return ({ given, ...call }: EndedCall): void => {
    if (orgId === null || apiKeyId === null) return;
    // One for all calls of a batch: each would listen to the response.
    isOver ??= finished(response).catch(() => undefined);
    services.toolLog.note({ db, orgId }, { ...call, arguments: given, apiKeyId, requestId }, isOver);
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
