import { MAX_ANSWER_LENGTH } from '../../core/answers/max-answer-length.ts';
import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { type ChatChunk, ModelError } from '../../core/answers/chat-model.ts';
import { toModelError } from './model-failure.ts';
import { StopTokenFilter } from './stop-token-filter.ts';
import { SurrogateJoiner } from './surrogates.ts';
import { ThoughtFilter } from './thought-filter.ts';

export interface AnswerLimits {
  /**
   * Maximum time in milliseconds without output of the model, before the first token and between two tokens.
   */
  silenceMs: number;
  /** Maximum duration of the model's whole answer in milliseconds. */
  totalMs: number;
  /** Maximum length of the model's answer, in UTF-16 code units. */
  maxChars: number;
}

/**
 * Reason with which all model calls are aborted after their answer. Creating one per answer costs a stack
 * trace that is never read.
 */
const OVER = new DOMException('The answer has ended.', 'AbortError');

/**
 * Maximum length of the pieces of an answer between which other work can run, in characters. Cleaning 16,384
 * hostile characters takes 50 ms.
 */
const PIECE_CHARS = 4_096;
const CHARS_PER_TOKEN = 8;
/**
 * Maximum number of an answer's chunks without text, such as thoughts, and of chunks with text for each
 * character of the longest answer. A chunk has about four characters.
 */
const MAX_SILENT_CHUNKS = 50_000;
const MAX_CHUNKS_PER_CHAR = 0.25;
const MIN_CAP_CHARS = 4_000;

/**
 * Returns the maximum number of characters of a model's answer with `maxTokens`. A longer answer counts as
 * endless.
 */
export function computeMaxAnswerChars(maxTokens: number): number {
  return Math.min(Math.max(maxTokens * CHARS_PER_TOKEN, MIN_CAP_CHARS), MAX_ANSWER_LENGTH);
}

/**
 * Returns the maximum number of bytes of a model's response with an answer of `maxTokens`. Each streamed
 * token has a JSON envelope.
 */
export function computeMaxAnswerBytes(maxTokens: number): number {
  return 65_536 + maxTokens * 1_024;
}

/**
 * Streams one model call within its limits, without the model's thoughts and stop tokens. Omits empty chunks
 * from `openStream`, which only show that the model is still working. Time that the consumer needs between
 * chunks does not count.
 * @throws ModelError, or the reason of `signal` if the caller aborted
 */
export async function* streamBoundedAnswer(
  openStream: (signal: AbortSignal) => AsyncIterable<ChatChunk>,
  limits: AnswerLimits,
  signal: AbortSignal,
): AsyncGenerator<ChatChunk, void, undefined> {
  signal.throwIfAborted();
  const expiry = new AbortController();
  const expire = () => expiry.abort(new ModelError('model_timeout'));
  const total = setTimeout(expire, limits.totalMs);
  const bounds = AbortSignal.any([signal, expiry.signal]);
  const chunks = openStream(bounds)[Symbol.asyncIterator]();
  const thoughts = new ThoughtFilter();
  const stopTokens = new StopTokenFilter();
  const endText = () => stopTokens.push(thoughts.end()) + stopTokens.end();
  const surrogates = new SurrogateJoiner();
  let chars = 0;
  let remainingChunks = MAX_SILENT_CHUNKS + limits.maxChars * MAX_CHUNKS_PER_CHAR;
  try {
    for (let isDone = false; !isDone;) {
      const next = await awaitWithin(limits.silenceMs, expire, chunks.next());
      bounds.throwIfAborted();
      isDone = next.done === true;
      if ((remainingChunks -= 1) < 0) throw new ModelError('model_too_long');
      if (next.value?.type === 'usage') yield next.value;
      else {
        const received = next.done ? '' : surrogates.push(removeNulCharacters(next.value.text));
        for (const piece of splitWholeAnswer(received)) {
          if (chars > PIECE_CHARS) await pauseIfDue();
          const text = next.done ? endText() : stopTokens.push(thoughts.push(piece));
          chars += text.length;
          if (chars > limits.maxChars) throw new ModelError('model_too_long');
          if (text) yield { type: 'text', text };
        }
      }
    }
    if (chars === 0) throw new ModelError('model_invalid_response');
  } catch (error) {
    signal.throwIfAborted();
    const rest = endText();
    if (rest) yield { type: 'text', text: rest };
    bounds.throwIfAborted();
    throw toModelError(error);
  } finally {
    clearTimeout(total);
    expiry.abort(OVER);
    await chunks.return?.();
  }
}

/** Splits a long answer that arrives at once into pieces, between which other work can run. */
function* splitWholeAnswer(text: string): Generator<string> {
  let from = 0;
  do {
    const piece = cutText(text.slice(from, from + PIECE_CHARS + 1), PIECE_CHARS);
    yield piece;
    from += piece.length;
  } while (from < text.length);
}

/** Removes NUL characters from an answer, since PostgreSQL cannot store them. */
function removeNulCharacters(text: string): string {
  return text.replaceAll('\0', '');
}

async function awaitWithin<T>(silenceMs: number, expire: () => void, pending: Promise<T>): Promise<T> {
  const timer = setTimeout(expire, silenceMs);
  try {
    return await pending;
  } finally {
    clearTimeout(timer);
  }
}
