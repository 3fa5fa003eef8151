import { ModelError } from '../../core/answers/chat-model.ts';
import { codeOfStatus, isWorthRepeating } from './model-failure.ts';

/** The part of `fetch` that calls of models need. */
export type FetchFunction = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<Response>;

export interface ModelCall {
  url: string;
  headers: Record<string, string>;
  body: object;
  /** The longest answer; one of events has shorter lines, too. */
  maxBytes: number;
  signal: AbortSignal;
}

export interface ModelReply {
  contentType: string;
  /** Bytes as they arrive; who stops reading ends the connection. */
  parts: AsyncGenerator<Uint8Array>;
}

/** Longest line of an event stream. */
const MAX_LINE_BYTES = 65_536;
/** Of a reply that is read whole: the longest answer, each character of which takes up to six bytes, and some more. */
const MAX_WHOLE_BYTES = 2 * 1024 * 1024;
const MAX_ERROR_BYTES = 65_536;
const LINE_FEED = 0x0a;

/**
 * Posts JSON to a model's endpoint: it follows no redirect (the key would travel along), and repeats a request once when
 * the connection failed before any answer.
 * @throws ModelError where the endpoint answers with an error
 */
export async function callModel(fetch: FetchFunction, call: ModelCall): Promise<ModelReply> {
  const { url, headers, maxBytes, signal } = call;
  const body = JSON.stringify(call.body);
  const send = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
      redirect: 'manual',
    });
  const response = await send().catch((error: unknown) => {
    if (signal.aborted || !isWorthRepeating(error)) throw error;
    return send();
  });
  const { status } = response;
  if (!response.ok) throw new ModelError(codeOfStatus(status, await errorCodeOf(response)), cause(status));
  const contentType = response.headers.get('content-type') ?? '';
  const isStream = contentType.startsWith('text/event-stream');
  const most = isStream ? maxBytes : Math.min(maxBytes, MAX_WHOLE_BYTES);
  const maxLineBytes = contentType.startsWith('application/json') ? most : MAX_LINE_BYTES;
  return { contentType, parts: partsOf(response, most, maxLineBytes) };
}

const cause = (status: number) => new Error(`HTTP status ${status}`);

/** All of a reply as text. */
export async function textOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of parts) text += decoder.decode(part, { stream: true });
  return text + decoder.decode();
}

/** What the endpoint itself calls its error, where it says so. */
async function errorCodeOf(response: Response): Promise<string | undefined> {
  try {
    const text = await textOf(partsOf(response, MAX_ERROR_BYTES, MAX_ERROR_BYTES));
    const { error } = JSON.parse(text) as { error?: { code?: unknown } };
    return typeof error?.code === 'string' ? error.code : undefined;
  } catch {
    return undefined;
  }
}

async function* partsOf(
  { body }: Response,
  maxBytes: number,
  maxLineBytes: number,
): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  let seen = 0;
  let lineBytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value;
      const lastBreak = part.lastIndexOf(LINE_FEED);
      seen += part.byteLength;
      lineBytes = lastBreak === -1 ? lineBytes + part.byteLength : part.byteLength - lastBreak;
      if (seen > maxBytes || lineBytes > maxLineBytes) throw new ModelError('model_too_long');
      yield part;
    }
  } finally {
    // Of what was read whole, this ends nothing.
    await reader.cancel().catch(() => undefined);
  }
}
