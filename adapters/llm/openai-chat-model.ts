import { streamBoundedAnswer, computeMaxAnswerBytes, computeMaxAnswerChars } from './bounded-answer.ts';
import { callModel, detectStream, type FetchFunction, readReplyText } from './call-model.ts';
import type { ChatChunk, ChatModel, ChatRequest } from '../../core/answers/chat-model.ts';
import { readCompletionChunks, readWholeCompletion, toCompletionMessages } from './completion-stream.ts';
import { alwaysReasons, acceptsThinkingParameter } from './known-models.ts';
import { MIN_REASONING_TOKENS, toReasoningEffort } from './thinking.ts';

export interface OpenAiChatModelOptions {
  baseUrl: string;
  apiKey: string | null;
  model: string;
  fetch: FetchFunction;
  silenceMs: number;
  totalMs: number;
}

/** A language model at an OpenAI-compatible endpoint. */
export class OpenAiChatModel implements ChatModel {
  readonly name: string;
  readonly #options: OpenAiChatModelOptions;

  constructor(options: OpenAiChatModelOptions) {
    this.name = options.model;
    this.#options = options;
  }

  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk> {
    const { silenceMs, totalMs } = this.#options;
    const outputTokens = request.maxTokens + countReasoningTokens(this.name, request);
    const limits = { silenceMs, totalMs, maxChars: computeMaxAnswerChars(request.maxTokens) };
    return streamBoundedAnswer((bounds) => this.#streamChunks(request, outputTokens, bounds), limits, signal);
  }

  async *#streamChunks(
    request: ChatRequest,
    outputTokens: number,
    signal: AbortSignal,
  ): AsyncGenerator<ChatChunk> {
    const { baseUrl, apiKey, fetch } = this.#options;
    const reply = await callModel(fetch, {
      url: `${baseUrl.replace(/\/$/, '')}/chat/completions`,
      headers: { accept: 'text/event-stream', ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }) },
      body: buildCompletionParams(this.name, request, outputTokens),
      maxBytes: computeMaxAnswerBytes(outputTokens),
      signal,
    });
    const { isStream, parts } = await detectStream(reply);
    if (isStream) yield* readCompletionChunks(parts);
    else yield* readWholeCompletion(await readReplyText(parts));
  }
}

function countReasoningTokens(model: string, { thinking }: ChatRequest): number {
  if (thinking && acceptsThinkingParameter(model)) return thinking.budgetTokens;
  return alwaysReasons(model) ? MIN_REASONING_TOKENS : 0;
}

/**
 * Builds the request parameters of a chat completion. OpenAI's reasoning models accept neither `temperature`
 * nor `max_tokens`; all other models accept only these two. Other models get a reasoning parameter only if
 * the bot enables thinking.
 */
function buildCompletionParams(model: string, request: ChatRequest, outputTokens: number): object {
  const isReasoner = alwaysReasons(model);
  const usesThinking = isReasoner || (request.thinking !== undefined && acceptsThinkingParameter(model));
  return {
    model,
    messages: toCompletionMessages(request),
    stream: true,
    stream_options: { include_usage: true },
    ...(isReasoner
      ? { max_completion_tokens: outputTokens }
      : { max_tokens: outputTokens, temperature: request.temperature }),
    ...(usesThinking && { reasoning_effort: toReasoningEffort(request) }),
  };
}
