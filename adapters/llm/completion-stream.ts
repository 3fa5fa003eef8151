import { findExcess } from '../../core/text/json-weight.ts';
import { type ChatChunk, type ChatRequest, ModelError } from '../../core/answers/chat-model.ts';
import { readEventData } from './event-data.ts';

/** The part of a completion event that is used here. Endpoints may send anything, so values are checked. */
interface CompletionEvent {
  choices?: { delta?: { content?: unknown }; finish_reason?: unknown }[];
  usage?: unknown;
  error?: { code?: unknown };
}

const DONE = '[DONE]';

/** Maximum plausible token count. A higher one is an error of the endpoint. */
const MAX_TOKENS = 100_000_000;

/** JSON limits of one completion event; a usual event has a few dozen values. */
const MAX_WEIGHT = { values: 20_000, keys: 2000, levels: 100 };

/**
 * Parses the JSON of a completion.
 * @throws ModelError if it exceeds the limits, since parsing would take long
 * @throws SyntaxError if the text is not JSON
 */
export function parseCompletion(json: string): unknown {
  if (findExcess(json, MAX_WEIGHT) !== null) throw new ModelError('model_too_long');
  return JSON.parse(json);
}

/** Converts a chat request to the messages of the chat completions API. */
export function toCompletionMessages({ system, messages }: ChatRequest) {
  return [{ role: 'system' as const, content: system }, ...messages];
}

/**
 * Yields the texts of a streamed chat completion. Events without text yield an empty text, which shows that
 * the model is still working.
 * @throws ModelError if the stream ends before the model has reported the end
 */
export async function* readCompletionChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<ChatChunk> {
  let isStarted = false;
  let isFinished = false;
  for await (const data of readEventData(parts)) {
    // Continues after the end marker until the response ends, so that the connection can be reused.
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

/** Converts an error that an endpoint reports within a stream. */
function toStreamError({ code }: NonNullable<CompletionEvent['error']>): ModelError {
  return new ModelError(code === 'rate_limit_exceeded' ? 'model_rate_limited' : 'model_unavailable');
}

/**
 * Returns the token counts of a completion. Undefined if the endpoint sent no valid ones; they are never
 * estimated.
 */
export function toUsageChunk(usage: unknown): ChatChunk | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage as Record<string, unknown>;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  return { type: 'usage', inputTokens, outputTokens };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS;
}
