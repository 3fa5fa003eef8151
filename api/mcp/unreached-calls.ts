import type { EndedCall } from './mcp-server.ts';

/** A call of a tool as it was sent, before the protocol's library has looked at it. */
export interface SentCall {
  tool: string;
  given: Record<string, unknown>;
  /** Whether the library can read it. */
  isReadable: boolean;
}

/** The calls of tools in a body; requests of a batch are in a list. */
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
  /** The request has been responded to. */
  isOver: Promise<void>;
  asked: readonly SentCall[];
  /** How many of them have reached the server's handler, which notes them itself. */
  begun(): number;
  note(call: Omit<EndedCall, 'errorCode'>): Promise<void>;
  report(error: unknown): void;
}

/** Notes the calls that the protocol's library has refused, once the request has been responded to. */
export function noteUnreached({ isOver, asked, begun, note, report }: Unreached): void {
  const noteAll = async () => {
    await isOver;
    // Which of a batch it refused is known only of those that it cannot read, so these come first.
    const refused = asked.toSorted((a, b) => Number(a.isReadable) - Number(b.isReadable));
    for (const { tool, given } of refused.slice(0, asked.length - begun()))
      await note({ tool, given, durationMs: 0, client: null });
  };
  noteAll().catch(report);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
