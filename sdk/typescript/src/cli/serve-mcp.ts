import { describeConnectionCause } from '../connection-cause.ts';
import { MissingCredentialError } from '../errors.ts';
import { USER_AGENT } from '../request.ts';
import { describeStatus, isRedirect } from '../read-error.ts';
import { readEvents } from '../read-events.ts';
import { createUnexpectedResponseError } from '../unexpected-response.ts';
import type { Context } from './command.ts';
import { URL_VARIABLE } from './credentials.ts';

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const SERVER_ERROR = -32000;
const PARSE_ERROR = -32700;

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: string; protocolVersion?: string; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: string };
}

/**
 * Connects an MCP client on stdin and stdout to the MCP server of Parley. Each line is a message, sent as a separate
 * request. Ends after stdin has ended and all responses have been written.
 */
export async function serveMcp(context: Context): Promise<void> {
  const { baseUrl, apiKey } = context.credentials;
  if (!apiKey) throw new MissingCredentialError('The MCP server needs an API key.', 'key');
  const bridge = new McpBridge(`${baseUrl}/mcp`, apiKey, context.json);
  const running = new Set<Promise<void>>();
  for await (const line of context.lines()) {
    if (line.trim() === '') continue;
    const sending = bridge.send(line);
    running.add(sending);
    void sending.finally(() => running.delete(sending));
    // Await the handshake, which negotiates the protocol version of later messages.
    if (line.includes('"initialize"')) await sending;
  }
  await Promise.all(running);
}

class McpBridge {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #write: (message: object) => void;
  /** Protocol version that the handshake with the server has negotiated; undefined before the handshake. */
  #version: string | undefined;

  constructor(url: string, apiKey: string, write: (message: object) => void) {
    this.#url = url;
    this.#apiKey = apiKey;
    this.#write = write;
  }

  async send(line: string): Promise<void> {
    const message = parseMessage(line);
    if (!message) return this.#writeError(null, PARSE_ERROR, 'This line is not JSON.');
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#buildHeaders(message),
        body: line,
        // Follow no redirect, so that the API key is never sent to another URL.
        redirect: 'manual',
      });
      if (isRedirect(response)) {
        await response.body?.cancel();
        return this.#writeError(message.id, SERVER_ERROR, describeStatus(response, URL_VARIABLE));
      }
      const type = response.headers.get('content-type') ?? '';
      if (type.startsWith('text/event-stream') && response.body)
        await this.#writeEvents(message, response.body);
      else this.#writeText(message, response, await response.text());
    } catch (error) {
      this.#writeError(
        message.id,
        SERVER_ERROR,
        `${this.#url} cannot be reached: ${describeConnectionCause(error)}. To use another address, set ${URL_VARIABLE}.`,
      );
    }
  }

  #buildHeaders({ method, params }: Message): Record<string, string> {
    const ownVersion = params?._meta?.[PROTOCOL_VERSION];
    const version = typeof ownVersion === 'string' ? ownVersion : this.#version;
    return {
      authorization: `Bearer ${this.#apiKey}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...(typeof ownVersion === 'string' && method !== undefined && { 'mcp-method': method }),
      ...(typeof ownVersion === 'string' && params?.name !== undefined && { 'mcp-name': params.name }),
    };
  }

  async #writeEvents({ id }: Message, body: ReadableStream<Uint8Array>): Promise<void> {
    const { signal } = new AbortController();
    let hasResponse = false;
    try {
      for await (const { data } of readEvents(body, { onData: () => undefined, signal })) {
        const message = parseMessage(data);
        if (!message) continue;
        this.#forward(message);
        hasResponse ||= message.id === id && message.method === undefined;
      }
    } catch (error) {
      if (!hasResponse) throw error;
    }
    if (!hasResponse) this.#writeError(id, SERVER_ERROR, 'The stream ended without the response.');
  }

  #writeText({ id, method }: Message, response: Response, text: string): void {
    const message = parseMessage(text);
    if (message && 'jsonrpc' in message) return this.#forward(message);
    // Messages in which the client responds to the server get no response.
    if (response.ok && method === undefined) return;
    const problem = message as { detail?: unknown } | null;
    this.#writeError(
      id,
      SERVER_ERROR,
      typeof problem?.detail === 'string' ? problem.detail : this.#describeForeign(response),
    );
  }

  /** Describes an HTTP response that contains neither an MCP message nor an error of Parley. */
  #describeForeign(response: Response): string {
    return response.ok
      ? createUnexpectedResponseError(this.#url, URL_VARIABLE).message
      : describeStatus(response, URL_VARIABLE);
  }

  #forward(message: Message): void {
    this.#version = message.result?.protocolVersion ?? this.#version;
    this.#write(message);
  }

  /** Writes an MCP error response to stdout; a notification gets no response. */
  #writeError(id: Message['id'] | null, code: number, message: string): void {
    if (id !== undefined) this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }
}

function parseMessage(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
