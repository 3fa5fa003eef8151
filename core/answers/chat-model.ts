/** A piece of the workspace's knowledge that was retrieved for one question. */
export interface Passage {
  documentId: string;
  chunkId: string;
  title: string;
  sourceUrl: string | null;
  text: string;
  score: number;
  /** The headings above the text, outermost first. */
  headings: string[];
}

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

export interface ChatRequest {
  /** The whole system prompt, with the passages in it (`buildSystemPrompt`). */
  system: string;
  messages: ChatMessage[];
  temperature: number;
  maxTokens: number;
  thinking?: { budgetTokens: number };
  passages: Passage[];
  /** The reply if no passage fits; needed only by models that cannot phrase it themselves. */
  fallback?: string;
  /** Whether to give that reply rather than a poor match; only such models need it, too. */
  isStrict?: boolean;
}

export type ChatChunk =
  | { type: 'text'; text: string }
  /** Sent at most once, and only when the model's endpoint counted the tokens. */
  | { type: 'usage'; inputTokens: number; outputTokens: number };

export interface ChatModel {
  /** The name that the answer is recorded with. */
  readonly name: string;
  /**
   * Streams one answer; it has at least one character of text.
   * @throws ModelError, or the signal's reason when the caller aborted.
   */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>;
}

const publicMessages = {
  model_timeout: 'The language model took too long to answer. Please try again.',
  model_unavailable: 'The language model cannot be reached at the moment. Please try again shortly.',
  model_refused:
    'The language model refused the request. Its key, its name or its address in the bot’s settings may be wrong.',
  model_rate_limited: 'The language model is receiving too many requests. Please try again in a minute.',
  model_invalid_response: 'The language model sent an answer that could not be understood.',
  model_too_long: 'The conversation or the answer is longer than the language model allows.',
} as const;

export type ModelErrorCode = keyof typeof publicMessages;

/** A failed model call. `message` may be shown to visitors; `cause` is for the log only. */
export class ModelError extends Error {
  constructor(
    readonly code: ModelErrorCode,
    cause?: unknown,
    message: string = publicMessages[code],
  ) {
    super(message, { cause });
    this.name = 'ModelError';
  }
}
