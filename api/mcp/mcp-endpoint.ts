import type { RequestListener, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Server } from '@modelcontextprotocol/server';
import type Koa from 'koa';
import { AppError } from '../../core/errors/errors.ts';
import type { Holder } from '../../repositories/accounts/credential-holder.ts';
import { toCaller } from '../http/access/principal.ts';
import { authorize } from '../http/access/rights.ts';
import type { EngineDeps } from '../http/engine-deps.ts';
import { addressCharge, enforceLimit, personCharge } from '../http/limits/rate-limit.ts';
import type { RequestBasics } from '../http/request-basics.ts';
import type { Charge, RateLimiter } from '../../services/requests/rate-limiter.ts';
import { createMcpServer, type EndedCall, type McpServerOptions } from './mcp-server.ts';
import { McpTransport } from './mcp-transport.ts';
import { OperationCalls } from './operation-calls.ts';
import type { Tool } from './tool.ts';
import { recordRefusedCalls, listToolCalls } from './refused-tool-calls.ts';

/** Maximum number of event listeners of one HTTP response. By default, Node.js warns about more than 10. */
const MAX_LISTENERS = 16;

/** Bytes of memory to reserve for the response to an MCP message. Lists of tools take 16 KB. */
const RESERVED_BYTES = 64 * 1024;

export interface McpEndpointDeps extends EngineDeps {
  /** Handles a request to the API within this process, without the network. */
  handle: RequestListener;
}

/**
 * Creates the handler of /mcp, which serves the MCP tools to callers with an API key. The handler returns
 * whether it served the request.
 * @throws AppError `forbidden` for an unknown origin or host, `unauthenticated`, `method_not_allowed`
 */
export function createMcpEndpoint(deps: McpEndpointDeps) {
  const transport = new McpTransport(deps.settings);
  return async (koa: Koa.Context, basics: RequestBasics): Promise<boolean> => {
    if (!transport.matches(koa)) return false;
    if (transport.checkOrigin(koa)) return true;
    const holder = await requireKeyHolder(koa, basics, deps);
    const body = await transport.readBody(koa);
    // Koa, the MCP library and the count of unread responses add a fixed number of listeners, above Node's default.
    koa.res.setMaxListeners(MAX_LISTENERS);
    // Reserve the memory for the response before the tool calls run: the response to a write must be sent.
    const charge = personCharge(holder, basics.ip, deps.settings);
    deps.unreadResponses.add(charge.shared.key, countMessages(body) * RESERVED_BYTES, koa.res);
    const server = await createCallServer(koa, basics, { holder, body, charge }, deps);
    await transport.respond(koa, body, server, (error) =>
      basics.log.debug({ err: error }, 'MCP request was refused'),
    );
    return true;
  };
}

/**
 * Returns the holder of the API key in the request.
 * @throws AppError `unauthenticated` without a valid API key
 */
async function requireKeyHolder(
  koa: Koa.Context,
  basics: RequestBasics,
  deps: McpEndpointDeps,
): Promise<Holder> {
  try {
    const holder = await deps.authenticator.requirePerson(koa.req, null);
    if (holder.keyId === null)
      throw new AppError(
        'unauthenticated',
        'The MCP server accepts only API keys; create one for this client.',
      );
    basics.caller = toCaller(holder);
    return holder;
  } catch (error) {
    await enforceLimit(koa, deps.rateLimiter, addressCharge(basics.ip, deps.settings));
    if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
    // Send a plain `Bearer` challenge: a challenge with OAuth metadata would send MCP clients to a sign-in
    // page that does not exist.
    throw new AppError(error.code, error.message, {
      cause: error,
      headers: { 'WWW-Authenticate': 'Bearer realm="parley"' },
    });
  }
}

async function createCallServer(
  koa: Koa.Context,
  basics: RequestBasics,
  { holder, body, charge }: { holder: Holder; body: unknown; charge: Charge },
  deps: McpEndpointDeps,
): Promise<() => Server> {
  const { authenticator, rateLimiter, versions } = deps;
  const spend = () => enforceLimit(koa, rateLimiter, charge);
  const isOver = waitForEnd(koa.res);
  const recordCall = createCallRecorder(basics, holder, isOver, deps);
  let startedCount = 0;
  const sentCalls = listToolCalls(body);
  if (sentCalls.length > 0)
    recordRefusedCalls({
      isOver: isOver(),
      recordCall: async (call) =>
        recordCall({ ...call, errorCode: await chargeRefusedCall(rateLimiter, charge) }),
      sentCalls,
      startedCalls: () => startedCount,
      report: (error) => basics.log.warn({ err: error }, 'cannot log a refused MCP tool call'),
    });
  // The rate limit counts each tool call by the operations that the tool runs; count other messages here.
  const validCalls = sentCalls.filter(({ isReadable }) => isReadable);
  // A body without messages counts as one message.
  const otherMessages = Math.max(1, countMessages(body)) - validCalls.length;
  for (let count = otherMessages; count > 0; count -= 1) await spend();
  const options = {
    version: versions.current,
    findRefusal: (tool: Tool) => findRefusal(tool, holder),
    calls: new OperationCalls(deps.handle, koa.req, {
      attachCaller: (request) => authenticator.setInternalCaller(request, holder),
      version: versions.current,
    }),
    spend,
    onCallStart: () => void (startedCount += 1),
    runSerially: createSerialQueue(),
    onCallEnd: recordCall,
    report: (error: unknown) => basics.log.error({ err: error }, 'MCP tool failed'),
  };
  return () => createMcpServer(options);
}

function createCallRecorder(
  { requestId }: RequestBasics,
  { orgId, keyId: apiKeyId }: Holder,
  isOver: () => Promise<void>,
  { database: db, services }: McpEndpointDeps,
) {
  return ({ args, ...call }: EndedCall): void => {
    if (orgId === null || apiKeyId === null) return;
    services.mcp.toolLog.record({ db, orgId }, { ...call, arguments: args, apiKeyId, requestId }, isOver());
  };
}

/**
 * Returns a function that waits for the end of the HTTP response. All calls of a batch share one listener,
 * because many listeners would cause a warning.
 */
function waitForEnd(response: ServerResponse): () => Promise<void> {
  let isOver: Promise<void> | undefined;
  return () => (isOver ??= finished(response).catch(() => undefined));
}

/** Returns a queue that runs one tool call at a time, in order. A failed call does not stop the queue. */
function createSerialQueue(): McpServerOptions['runSerially'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const workDone = last.then(work);
    last = workDone.catch(() => undefined);
    return workDone;
  };
}

function countMessages(body: unknown): number {
  return [body].flat().length;
}

/** Counts a tool call that the MCP library refused against the rate limit. Returns the error code to log. */
async function chargeRefusedCall(rateLimiter: RateLimiter, charge: Charge): Promise<string> {
  return (await rateLimiter.consume(charge)).isAdmitted ? 'validation_error' : 'rate_limited';
}

/**
 * Returns the error about the first operation of the tool that the key's holder may not run; null if there is
 * none.
 */
function findRefusal({ operations }: Tool, holder: Holder): AppError | null {
  try {
    for (const operation of operations) authorize(operation, holder);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
