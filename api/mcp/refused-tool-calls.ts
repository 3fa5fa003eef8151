import type { EndedCall } from './mcp-server.ts';

/** A call of an MCP tool as the client sent it, before the MCP library has parsed it. */
export interface SentCall {
  tool: string;
  args: Record<string, unknown>;
  /** Whether the call is well-formed, so that the MCP library can parse it. */
  isReadable: boolean;
}

/** Returns the tool calls in the body of an MCP request, which holds one message or a list of messages. */
export function listToolCalls(body: unknown): SentCall[] {
  return [body].flat().flatMap((message: unknown) => {
    if (!isObject(message) || message['method'] !== 'tools/call') return [];
    const params = isObject(message['params']) ? message['params'] : {};
    const { name, arguments: args = {} } = params;
    const isReadable = typeof name === 'string' && isObject(args) && message['id'] !== undefined;
    return [{ tool: typeof name === 'string' ? name : '', args: isObject(args) ? args : {}, isReadable }];
  });
}

interface RefusedCalls {
  /** Resolves when the response to the HTTP request has ended. */
  isOver: Promise<void>;
  sentCalls: readonly SentCall[];
  /**
   * Returns how many tool calls have reached the handler of the MCP server, which records these calls itself.
   */
  startedCalls(): number;
  recordCall(call: Omit<EndedCall, 'errorCode'>): Promise<void>;
  report(error: unknown): void;
}

/**
 * Records the tool calls that the MCP library refused before they reached a handler. Records them once the
 * response has ended.
 */
export function recordRefusedCalls({
  isOver,
  sentCalls,
  startedCalls,
  recordCall,
  report,
}: RefusedCalls): void {
  const noteAll = async () => {
    await isOver;
    // The MCP library reports only how many tool calls it refused. Assume malformed calls first, because the
    // library refuses all of these.
    const refused = sentCalls.toSorted((a, b) => Number(a.isReadable) - Number(b.isReadable));
    for (const { tool, args } of refused.slice(0, sentCalls.length - startedCalls()))
      await recordCall({ tool, args, durationMs: 0, client: null });
  };
  noteAll().catch(report);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
