import type { EndedCall } from './mcp-server.ts';

/** A call of a tool as sent, before the protocol's library has parsed it. */
export interface SentCall {
  tool: string;
  given: Record<string, unknown>;
  /** Whether the library can parse it. */
  isReadable: boolean;
}

/** Returns the calls of tools in a body; requests of a batch are in a list. */
export function toolCallsIn(body: unknown): SentCall[] {
  return [body].flat().flatMap((message: unknown) => {
    if (!isObject(message) || message['method'] !== 'tools/call') return [];
    const params = isObject(message['params']) ? message['params'] : {};
    const { name, arguments: given = {} } = params;
    const isReadable = typeof name === 'string' && isObject(given) && message['id'] !== undefined;
    return [{ tool: typeof name === 'string' ? name : '', given: isObject(given) ? given : {}, isReadable }];
  });
}

interface Unreached {
  /** Whether the request has been responded to. */
  isOver: Promise<void>;
  asked: readonly SentCall[];
  /** Number of calls that have reached the server's handler, which records them itself. */
  begun(): number;
  note(call: Omit<EndedCall, 'errorCode'>): Promise<void>;
  report(error: unknown): void;
}

/** Records the calls that the protocol's library has refused, once the request has been responded to. */
export function noteUnreached({ isOver, asked, begun, note, report }: Unreached): void {
  const noteAll = async () => {
    await isOver;
    // Lists unparsable calls first, since only they are known to be refused.
    const refused = asked.toSorted((a, b) => Number(a.isReadable) - Number(b.isReadable));
    for (const { tool, given } of refused.slice(0, asked.length - begun()))
      await note({ tool, given, durationMs: 0, client: null });
  };
  noteAll().catch(report);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
