import { findExcess } from '../../core/text/json-weight.ts';
import { type ChatChunk, type ChatRequest, ModelError } from '../../core/answers/chat-model.ts';
import { readContent } from './completion-content.ts';
import { readEventData } from './event-data.ts';
import { toStatusErrorCode } from './model-failure.ts';

/**
 * Part of a chat completion (a model's answer) that Parley uses. Endpoints may send anything, so values are
 * checked.
 */
interface Completion {
  object?: unknown;
  choices?: (Choice | null)[] | null;
  usage?: unknown;
  error?: unknown;
  /** Fields of the completion in Ollama's own format, which has a message or a text instead of choices. */
  message?: Choice['message'];
  response?: unknown;
  done?: unknown;
  done_reason?: unknown;
  prompt_eval_count?: unknown;
  eval_count?: unknown;
}

interface Choice {
  index?: unknown;
  delta?: { content?: unknown; refusal?: unknown } | null;
  message?: { content?: unknown; refusal?: unknown } | null;
  finish_reason?: unknown;
}

const END_MARKER = /^\s*"?\[DONE\]/;

/** Maximum plausible number of tokens of an answer. A higher count is an error of the endpoint. */
const MAX_TOKENS = 100_000_000;

/** JSON limits of one event in a streamed answer; a usual event has a few dozen values. */
const MAX_WEIGHT = { values: 20_000, keys: 2000, levels: 100 };

/**
 * Total time in milliseconds to wait for more data after the model has reported the end of its answer: token
 * counts, and the end of the response, after which the connection can be reused.
 */
const AFTER_END_MS = 1000;

/**
 * Parses the JSON of a model's chat completion.
 * @throws ModelError if the event exceeds the limits, since parsing it would take long
 * @throws SyntaxError if the text is not JSON
 */
export function parseCompletion(json: string): unknown {
  if (findExcess(json, MAX_WEIGHT) !== null) throw new ModelError('model_too_long');
  return JSON.parse(json);
}

/** Converts a request to a language model to the messages of the chat completions API. */
export function toCompletionMessages({ system, messages }: ChatRequest) {
  return [{ role: 'system' as const, content: system }, ...messages];
}

/**
 * Yields the texts of a streamed chat completion, then its token counts. Events without text yield an empty
 * text, which shows that the model is still working. Failures after the model has reported the end are
 * ignored.
 * @throws ModelError if the stream ends before the answer does
 */
export async function* readCompletionChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<ChatChunk> {
  const parse = rememberLast(parseCompletion);
  const answer = new StreamedAnswer(parse);
  const answerParts = stopSoonAfter(parts, () => answer.isComplete);
  try {
    for await (const data of readEventData(answerParts, (data) => isWholeEvent(data, parse))) {
      yield { type: 'text', text: answer.add(data) };
    }
    answer.assertEnd();
  } catch (error) {
    if (!answer.isComplete) throw error;
  }
  if (answer.usage) yield answer.usage;
}

/** Yields the text of a chat completion that is not a stream, then its token counts. */
export function* readWholeCompletion(json: string): Generator<ChatChunk> {
  const completion = (parseCompletion(json) ?? {}) as Completion;
  assertNoError(completion);
  const choice = completion.choices?.[0];
  yield { type: 'text', text: readContentText(choice?.message ?? choice?.delta) };
  const usage = toUsageChunk(completion.usage);
  if (usage) yield usage;
}

/**
 * Returns a parser that remembers its last result, since each event is parsed to find its end, and then to
 * read it.
 */
function rememberLast(parse: typeof parseCompletion): typeof parseCompletion {
  let last: { json: string; value: unknown } | undefined;
  return (json) => {
    if (last?.json !== json) last = { json, value: parse(json) };
    return last.value;
  };
}

/** Assembles a model's answer from its events, in the order of their arrival. */
class StreamedAnswer {
  readonly #parse: typeof parseCompletion;
  usage: ChatChunk | undefined;
  #hasChoices = false;
  #hasText = false;
  #hasEnded = false;
  /** True if the endpoint sends finish reasons, so that an answer without a finish reason has not ended. */
  #namesEnd = false;
  /** Index of the completion's choice that is read. Some endpoints send several alternative answers. */
  #index: unknown;

  constructor(parse: typeof parseCompletion) {
    this.#parse = parse;
  }

  /** True once the model has reported the end of an answer with text. */
  get isComplete(): boolean {
    return this.#hasEnded && this.#hasText;
  }

  /** Adds an event of the streamed answer, and returns the event's text. */
  add(data: string): string {
    if (END_MARKER.test(data)) {
      this.#hasEnded = true;
      return '';
    }
    // Ignore words such as `ping`, which some proxies send to keep the connection open.
    if (!/^\s*[{[]/.test(data)) return '';
    const event = toCompletion(this.#parse(data));
    assertNoError(event);
    // Use the last token counts, which are for the whole answer. Some endpoints repeat the counts in each
    // event.
    this.usage = toUsageChunk(event.usage) ?? this.usage;
    const choice = this.#findChoice(event);
    if (!choice) return '';
    if (choice.finish_reason === 'error') throw new ModelError('model_unavailable');
    // Read a whole message too: some endpoints send it at the end, or in a single event.
    const text = readContentText(choice.delta ?? (this.#hasText ? undefined : choice.message));
    this.#hasChoices = true;
    this.#hasText ||= text !== '';
    this.#hasEnded ||= Boolean(choice.finish_reason);
    this.#namesEnd ||= choice.finish_reason === null;
    return text;
  }

  #findChoice({ choices }: Completion): Choice | null | undefined {
    if (!Array.isArray(choices)) return undefined;
    this.#index ??= choices[0]?.index;
    return choices.find((choice) => (choice?.index ?? this.#index) === this.#index);
  }

  /** @throws ModelError if the answer is not complete when the stream ends */
  assertEnd(): void {
    if (!this.#hasText && !this.#hasChoices) throw new ModelError('model_invalid_response');
    if (this.#hasEnded || (this.#hasText && !this.#namesEnd)) return;
    throw new ModelError('model_unavailable');
  }
}

/** Returns the completion in an event of the stream. Converts the format of Ollama. */
function toCompletion(parsed: unknown): Completion {
  const event = (parsed ?? {}) as Completion;
  if (event.choices !== undefined || typeof event.done !== 'boolean') return event;
  const delta = event.message ?? { content: event.response };
  const reason = event.done ? event.done_reason || 'stop' : null;
  return {
    ...event,
    choices: [{ index: 0, delta, finish_reason: reason }],
    usage: { prompt_tokens: event.prompt_eval_count, completion_tokens: event.eval_count },
  };
}

/** Returns whether a line of JSON in a model's response is an event of a stream, and not a whole answer. */
export function isStreamedLine(line: string): boolean {
  if (!isWholeEvent(line, parseCompletion) || findExcess(line, MAX_WEIGHT) !== null) return false;
  const event = JSON.parse(line) as Completion;
  if (Array.isArray(event.choices)) return typeof event.choices[0]?.delta === 'object';
  return event.done === false && (event.message !== undefined || event.response !== undefined);
}

/**
 * Returns whether the data of one line in a model's stream is a whole event, and not the first line of
 * several.
 */
function isWholeEvent(data: string, parse: typeof parseCompletion): boolean {
  if (END_MARKER.test(data)) return true;
  if (!/^\s*\{.*\}\s*$/s.test(data)) return false;
  try {
    parse(data);
    return true;
  } catch (error) {
    return error instanceof ModelError;
  }
}

function readContentText(message: Choice['message']): string {
  return readContent(message?.content) || readContent(message?.refusal);
}

/** @throws ModelError if the endpoint reports an error instead of a completion */
function assertNoError(completion: Completion): void {
  const error = completion.object === 'error' ? completion : completion.error;
  if (error) throw toStreamError(error);
}

function toStreamError(error: unknown): ModelError {
  const { code, type } = (typeof error === 'object' ? error : {}) as { code?: unknown; type?: unknown };
  if (code === 'rate_limit_exceeded' || type === 'rate_limit_error')
    return new ModelError('model_rate_limited');
  if (code === 'context_length_exceeded') return new ModelError('model_too_long');
  const status = Number(code);
  return new ModelError(status >= 400 && status < 600 ? toStatusErrorCode(status) : 'model_unavailable');
}

/**
 * Passes the parts of a response on. Once `isOver` returns true, waits only briefly for further parts. Then
 * the caller must abort the request, since a read is pending.
 */
async function* stopSoonAfter(
  parts: AsyncIterable<Uint8Array>,
  isOver: () => boolean,
): AsyncGenerator<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  let isPending = false;
  let deadlineMs: number | undefined;
  try {
    for (;;) {
      const next = iterator.next();
      isPending = true;
      if (isOver()) deadlineMs ??= performance.now() + AFTER_END_MS;
      const result =
        deadlineMs === undefined
          ? await next
          : await resolveWithin(Math.max(0, deadlineMs - performance.now()), next);
      if (result === undefined) return;
      isPending = false;
      if (result.done) return;
      yield result.value;
    }
  } finally {
    if (!isPending) await iterator.return?.();
  }
}

/**
 * Returns the result of a promise, or undefined if it takes longer than `timeoutMs`. Ignores a later failure.
 */
async function resolveWithin<T>(timeoutMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  promise.catch(() => {});
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the token counts of a model's completion. Undefined if the endpoint sent no valid counts; Parley
 * never estimates them.
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
