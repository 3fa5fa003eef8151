import { ModelError } from '../../core/answers/chat-model.ts';
import { isStreamedLine } from './completion-stream.ts';
import { toStatusErrorCode, isWorthRetrying } from './model-failure.ts';

/** Part of the function `fetch` that calls of language models use. */
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
  /** Maximum size of the model's response in bytes. A line of an event stream has a lower limit. */
  maxBytes: number;
  signal: AbortSignal;
}

export interface ModelReply {
  contentType: string;
  /** Chunks of the response body as they arrive. The connection closes if the consumer stops reading. */
  parts: AsyncGenerator<Uint8Array>;
}

interface DetectedReply {
  isStream: boolean;
  parts: AsyncGenerator<Uint8Array>;
}

/** Maximum number of bytes of one line in a model's event stream. */
const MAX_LINE_BYTES = 65_536;
/**
 * Maximum size in bytes of a model's response that is not a stream: the longest answer at six bytes per
 * character, and some overhead.
 */
const MAX_WHOLE_BYTES = 2 * 1024 * 1024;
const MAX_ERROR_BYTES = 65_536;
const LINE_FEED = 0x0a;
const STREAM_TYPE = 'text/event-stream';
/** Matches the beginning of an event stream in a model's response: a field or a comment. */
const EVENT_FIELD = /^(?:data|event|id|retry)?:/;
/** Number of characters at the beginning of a response that suffice to match the field of an event stream. */
const MAX_HEAD_CHARS = 6;
/** Maximum number of characters of the first line, if a model's response is a stream of JSON lines. */
const MAX_JSON_LINE_CHARS = 16_384;

/**
 * Sends a POST request to a model's endpoint. Follows no redirect, since the redirect's target would receive
 * the API key. Retries once if the connection failed before a response.
 * @throws ModelError if the endpoint responds with an error
 */
export async function callModel(fetch: FetchFunction, call: ModelCall): Promise<ModelReply> {
  const { url, headers, maxBytes, signal } = call;
  const body = JSON.stringify(call.body);
  const postRequest = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
      redirect: 'manual',
    });
  const response = await postRequest().catch((error: unknown) => {
    if (signal.aborted || !isWorthRetrying(error)) throw error;
    return postRequest();
  });
  const { status } = response;
  if (!response.ok)
    throw new ModelError(toStatusErrorCode(status, await readErrorCode(response)), createStatusError(status));
  const contentType = (response.headers.get('content-type') ?? '').toLowerCase();
  const isStream = contentType.startsWith(STREAM_TYPE);
  const max = isStream ? maxBytes : Math.min(maxBytes, MAX_WHOLE_BYTES);
  const maxLineBytes = contentType.startsWith('application/json') ? max : MAX_LINE_BYTES;
  return { contentType, parts: readParts(response, max, maxLineBytes) };
}

const createStatusError = (status: number) => new Error(`HTTP status ${status}`);

/**
 * Returns whether a model's response is an event stream, and its parts. The first characters or line of JSON
 * decide: some endpoints stream without being asked to, or ignore the request to stream, and the media type
 * may be wrong.
 */
export async function detectStream({ contentType, parts }: ModelReply): Promise<DetectedReply> {
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let head = '';
  while (head.length < MAX_HEAD_CHARS) {
    const next = await parts.next();
    if (next.done) break;
    chunks.push(next.value);
    head = (head + decoder.decode(next.value, { stream: true })).trimStart();
  }
  let hasLine = !head.startsWith('{') || head.includes('\n');
  while (!hasLine && head.length < MAX_JSON_LINE_CHARS) {
    const next = await parts.next();
    if (next.done) break;
    chunks.push(next.value);
    const text = decoder.decode(next.value, { stream: true });
    head += text;
    hasLine = text.includes('\n');
  }
  const isStream =
    EVENT_FIELD.test(head) ||
    (contentType.startsWith(STREAM_TYPE) && !/^[{["]/.test(head)) ||
    isStreamedLine(head.split('\n', 1)[0]!);
  const readAll = async function* () {
    try {
      yield* chunks;
      yield* parts;
    } finally {
      await parts.return(undefined);
    }
  };
  return { isStream, parts: readAll() };
}

/** Reads a model's response to its end as text. */
export async function readReplyText(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of parts) text += decoder.decode(part, { stream: true });
  return text + decoder.decode();
}

/** Returns the error code in the body of a model's failed response; undefined if the body has none. */
async function readErrorCode(response: Response): Promise<string | undefined> {
  try {
    const text = await readReplyText(readParts(response, MAX_ERROR_BYTES, MAX_ERROR_BYTES));
    const { error } = JSON.parse(text) as { error?: { code?: unknown } };
    return typeof error?.code === 'string' ? error.code : undefined;
  } catch {
    return undefined;
  }
}

async function* readParts(
  { body }: Response,
  maxBytes: number,
  maxLineBytes: number,
): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  let totalBytes = 0;
  let lineBytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value;
      const lastBreak = part.lastIndexOf(LINE_FEED);
      totalBytes += part.byteLength;
      lineBytes = lastBreak === -1 ? lineBytes + part.byteLength : part.byteLength - lastBreak;
      if (totalBytes > maxBytes || lineBytes > maxLineBytes) throw new ModelError('model_too_long');
      yield part;
    }
  } finally {
    // Closes the connection, unless the response was read to its end.
    await reader.cancel().catch(() => undefined);
  }
}
