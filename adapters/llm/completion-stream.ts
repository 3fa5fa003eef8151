import { findExcess } from '../../core/text/json-weight.ts';
import { type ChatChunk, type ChatRequest, ModelError } from '../../core/answers/chat-model.ts';
import { readEventData } from './event-data.ts';

/** The used part of an event; an endpoint may send anything. */
interface CompletionEvent {
  choices?: { delta?: { content?: unknown }; finish_reason?: unknown }[];
  usage?: unknown;
  error?: { code?: unknown };
}

const DONE = '[DONE]';

/** Exceeds what any model reads or writes; a higher count is an endpoint's error. */
const MAX_TOKENS = 100_000_000;

/** A completion has some dozen values. */
const MAX_WEIGHT = { values: 20_000, keys: 2000, levels: 100 };

/**
 * @throws ModelError if parsing the JSON would take long
 * @throws SyntaxError if the text is not JSON
 */
export function parseCompletion(json: string): unknown {
  if (findExcess(json, MAX_WEIGHT) !== null) throw new ModelError('model_too_long');
  return JSON.parse(json);
}

/** Converts the conversation to chat-completions messages. */
export function toCompletionMessages({ system, messages }: ChatRequest) {
  return [{ role: 'system' as const, content: system }, ...messages];
}

/**
 * Reads the events of a streamed chat completion. Each event without text becomes an empty text, a sign of life.
 * @throws ModelError if the stream ends before the model reported its end
 */
export async function* readCompletionChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<ChatChunk> {
  let isStarted = false;
  let isFinished = false;
  for await (const data of readEventData(parts)) {
    // The rest is read, so that the connection can be reused.
    if (data.startsWith(DONE)) continue;
    const event = (parseCompletion(data) ?? {}) as CompletionEvent;
    if (event.error) throw toStreamError(event.error);
    const choice = event.choices?.[0];
    const text = choice?.delta?.content ?? '';
    if (typeof text !== 'string') throw new ModelError('model_invalid_response');
    isStarted ||= choice !== undefined;
    isFinished ||= Boolean(choice?.finish_reason);
    yield { type: 'text', text };
    const usage = toUsageChunk(event.usage);
    if (usage) yield usage;
  }
  if (!isFinished) throw new ModelError(isStarted ? 'model_unavailable' : 'model_invalid_response');
}

/** Converts a failure that an endpoint reports within its stream. */
function toStreamError({ code }: NonNullable<CompletionEvent['error']>): ModelError {
  return new ModelError(code === 'rate_limit_exceeded' ? 'model_rate_limited' : 'model_unavailable');
}

/** Returns the token counts of a completion, or undefined if the endpoint sent none: they are never estimated. */
export function toUsageChunk(usage: unknown): ChatChunk | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage as Record<string, unknown>;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  return { type: 'usage', inputTokens, outputTokens };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS;
}
