import { streamBoundedAnswer, computeMaxAnswerBytes, computeMaxAnswerChars } from './bounded-answer.ts';
import { callModel, detectStream, type FetchFunction, type ModelReply, readReplyText } from './call-model.ts';
import {
  type ChatChunk,
  type ChatModel,
  type ChatRequest,
  ModelError,
} from '../../core/answers/chat-model.ts';
import { readContent } from './completion-content.ts';
import {
  readCompletionChunks,
  toCompletionMessages,
  parseCompletion,
  toUsageChunk,
} from './completion-stream.ts';
import { toReasoningEffort } from './thinking.ts';

export interface CustomEndpoint {
  endpointUrl: string;
  /** Name of the request header with the endpoint's credential; null means `Authorization`. */
  authHeaderName: string | null;
  authHeaderValue: string | null;
  model: string | null;
  /** Path of the answer's text in the endpoint's JSON response. Null means `choices.0.message.content`. */
  responsePath: string | null;
}

export interface CustomEndpointModelOptions {
  endpoint: CustomEndpoint;
  fetch: FetchFunction;
  silenceMs: number;
  totalMs: number;
}

const DEFAULT_RESPONSE_PATH = 'choices.0.message.content';

/** Matches request headers that a bot's owner cannot set, since they concern the connection or the body. */
const RESERVED_HEADERS = /^(host|connection|content-.*|transfer-encoding|te|upgrade|expect)$/i;

/**
 * A model at a workspace's own endpoint. The endpoint accepts a chat completions request, and responds with
 * JSON or an event stream.
 */
export class CustomEndpointModel implements ChatModel {
  readonly name: string;
  readonly #options: CustomEndpointModelOptions;

  constructor(options: CustomEndpointModelOptions) {
    this.name = options.endpoint.model ?? 'custom';
    this.#options = options;
  }

  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk> {
    const { silenceMs, totalMs } = this.#options;
    const limits = { silenceMs, totalMs, maxChars: computeMaxAnswerChars(request.maxTokens) };
    return streamBoundedAnswer((bounds) => this.#streamChunks(request, bounds), limits, signal);
  }

  async *#streamChunks(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
    const { isStream, parts } = await detectStream(await this.#postChat(request, signal));
    if (isStream) return yield* readCompletionChunks(parts);
    const answer = parseCompletion(await readReplyText(parts));
    yield {
      type: 'text',
      text: readResponseText(answer, this.#options.endpoint.responsePath || DEFAULT_RESPONSE_PATH),
    };
    const usage = toUsageChunk(readOwnPath(answer, ['usage']));
    if (usage) yield usage;
  }

  #postChat(request: ChatRequest, signal: AbortSignal): Promise<ModelReply> {
    const { endpoint, fetch } = this.#options;
    const outputTokens = request.maxTokens + (request.thinking?.budgetTokens ?? 0);
    return callModel(fetch, {
      url: endpoint.endpointUrl,
      headers: Object.fromEntries(buildEndpointHeaders(endpoint)),
      body: {
        ...(endpoint.model && { model: endpoint.model }),
        messages: toCompletionMessages(request),
        temperature: request.temperature,
        max_tokens: outputTokens,
        ...(request.thinking && { reasoning_effort: toReasoningEffort(request) }),
        stream: false,
      },
      maxBytes: computeMaxAnswerBytes(outputTokens),
      signal,
    });
  }
}

function buildEndpointHeaders({ authHeaderName, authHeaderValue }: CustomEndpoint): Headers {
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  if (!authHeaderValue) return headers;
  const name = authHeaderName || 'Authorization';
  try {
    if (!RESERVED_HEADERS.test(name)) headers.set(name, authHeaderValue);
    else throw new TypeError(`The header ${name} is reserved.`);
  } catch (error) {
    throw new ModelError('model_refused', error);
  }
  return headers;
}

function readResponseText(answer: unknown, path: string): string {
  const text = readContent(readOwnPath(answer, path.split('.')));
  if (text !== '') return text;
  const cause = new Error(`no text at ${path}`);
  const message = 'The language model’s answer has no text at the configured response path.';
  throw new ModelError('model_invalid_response', cause, message);
}

/**
 * Returns the value at a path in the endpoint's JSON. Follows own properties only, never properties that
 * JavaScript adds to every object.
 */
function readOwnPath(value: unknown, keys: string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}
