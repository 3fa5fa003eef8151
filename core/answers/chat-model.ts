/** A part of a document that was retrieved to answer a question. */
export interface Passage {
  documentId: string;
  chunkId: string;
  title: string;
  sourceUrl: string | null;
  text: string;
  score: number;
  /** Headings of the section that contains the text, outermost first. */
  headings: string[];
}

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

export interface ChatRequest {
  /** Complete system prompt for the language model, including the passages. */
  system: string;
  messages: ChatMessage[];
  temperature: number;
  maxTokens: number;
  thinking?: { budgetTokens: number };
  passages: Passage[];
  /**
   * Reply if no passage matches the question. Only models that quote passages need this field; language
   * models find it in the prompt.
   */
  fallback?: string;
  /**
   * Whether the model replies with `fallback` if the passages match the question only weakly. Only models that
   * quote passages need this field.
   */
  isStrict?: boolean;
  /**
   * Functions for quoting passages in a language other than the question's. Only models that quote passages
   * need this field.
   */
  foreignQuotes?: ForeignQuotes | undefined;
}

export type ChooseByMeaning = (
  questions: readonly string[],
  texts: readonly string[],
) => Promise<number[] | null>;

/**
 * Functions for quoting passages in a language other than the question's. Such passages share no words with
 * the question.
 */
export interface ForeignQuotes {
  /**
   * Returns the introduction for a quote from a passage; empty if the passage is in the language of the
   * question.
   */
  introduce(passage: Passage): Promise<string>;
  /**
   * Returns, for each question, the index of the text that answers it. Returns null if the texts cannot be
   * compared.
   */
  chooseByMeaning: ChooseByMeaning;
}

export type ChatChunk =
  | { type: 'text'; text: string }
  /** Numbers of tokens of a model call; sent at most once, and only if the model's endpoint reports them. */
  | { type: 'usage'; inputTokens: number; outputTokens: number };

export interface ChatModel {
  /** Name of the language model, stored with its answers. */
  readonly name: string;
  /**
   * Streams the model's answer, which has at least one character.
   * @throws ModelError if the model fails; the signal's reason if the caller aborts
   */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>;
}

const publicMessages = {
  model_timeout: 'The language model took too long to answer. Please try again.',
  model_unavailable: 'The language model cannot be reached at the moment. Please try again shortly.',
  model_refused:
    'The language model refused the request. Check the model’s key, name and URL in the bot’s settings.',
  model_rate_limited: 'The language model is receiving too many requests. Please try again in a minute.',
  model_invalid_response: 'The language model returned an invalid response.',
  model_too_long: 'The conversation or the answer is longer than the language model allows.',
} as const;

export type ModelErrorCode = keyof typeof publicMessages;

/** A failed call to a language model. `message` is safe to show to visitors; `cause` is only for the log. */
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
