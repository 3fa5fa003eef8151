import { type ChatChunk, ModelError } from './chat-model.ts';
import { modelErrorFrom } from './model-failure.ts';

export interface AnswerLimits {
  /** Longest silence before the first token and between two tokens. */
  silenceMs: number;
  /** Longest duration of the whole answer. */
  totalMs: number;
  /** Longest answer, in UTF-16 code units. */
  maxChars: number;
}

const CHARS_PER_TOKEN = 8;
const SHORTEST_CAP_CHARS = 4_000;
const LONGEST_CAP_CHARS = 262_144;

/** How long an answer of `maxTokens` may get before it counts as running away. */
export function maxAnswerChars(maxTokens: number): number {
  return Math.min(Math.max(maxTokens * CHARS_PER_TOKEN, SHORTEST_CAP_CHARS), LONGEST_CAP_CHARS);
}

/** How many bytes an endpoint may send for such an answer: a streamed token comes in an envelope of its own. */
export function maxAnswerBytes(maxTokens: number): number {
  return 65_536 + maxTokens * 1_024;
}

/**
 * Runs one model call within its limits. An empty text from `open` is a sign of life and is not passed on.
 * The time that the consumer takes between two chunks does not count as silence.
 * @throws ModelError, or the reason of `signal` when the caller aborted.
 */
export async function* boundedAnswer(
  open: (signal: AbortSignal) => AsyncIterable<ChatChunk>,
  limits: AnswerLimits,
  signal: AbortSignal,
): AsyncGenerator<ChatChunk, void, undefined> {
  signal.throwIfAborted();
  const expiry = new AbortController();
  const expire = () => expiry.abort(new ModelError('model_timeout'));
  const total = setTimeout(expire, limits.totalMs);
  const bounds = AbortSignal.any([signal, expiry.signal]);
  const chunks = open(bounds)[Symbol.asyncIterator]();
  let chars = 0;
  try {
    for (;;) {
      const next = await within(limits.silenceMs, expire, chunks.next());
      bounds.throwIfAborted();
      if (next.done) break;
      const chunk = storable(next.value);
      if (chunk.type === 'text') chars += chunk.text.length;
      if (chars > limits.maxChars) throw new ModelError('model_too_long');
      if (chunk.type === 'usage' || chunk.text) yield chunk;
    }
    if (chars === 0) throw new ModelError('model_invalid_response');
  } catch (error) {
    bounds.throwIfAborted();
    throw modelErrorFrom(error);
  } finally {
    clearTimeout(total);
    expiry.abort();
    await chunks.return?.();
  }
}

/** PostgreSQL keeps no NUL character. */
function storable(chunk: ChatChunk): ChatChunk {
  return chunk.type === 'text' ? { ...chunk, text: chunk.text.replaceAll('\0', '') } : chunk;
}

async function within<T>(silenceMs: number, expire: () => void, pending: Promise<T>): Promise<T> {
  const timer = setTimeout(expire, silenceMs);
  try {
    return await pending;
  } finally {
    clearTimeout(timer);
  }
}
