/**
 * A passage of a document to embed. Long passages are split into windows, each of which repeats `context`.
 */
export interface PassageToEmbed {
  /** Title of the document, and headings above the passage in the document. */
  context: string;
  text: string;
}

/** Embedding of length 1, so that the dot product of two vectors is the cosine of their angle. */
export type Vector = Float32Array;

/** Converts texts to vectors. Texts with similar meanings have similar vectors. */
export interface Embedder {
  /** Name of the embedding model. Only vectors of models with the same name can be compared. */
  readonly model: string;
  /** Maximum number of passages per call of `embedPassages`. */
  readonly batchSize: number;
  /** Maximum number of calls on which the embedding model works at the same time. */
  readonly maxConcurrent: number;
  /**
   * Computes the embeddings of passages. Returns one vector per window of a passage, in the order of the
   * text.
   * @throws EmbeddingError
   */
  embedPassages(passages: readonly PassageToEmbed[], signal: AbortSignal): Promise<Vector[][]>;
  /**
   * Returns the vector of a question.
   * @throws EmbeddingError, or the signal's reason
   */
  embedQuestion(question: string, signal: AbortSignal): Promise<Vector>;
  /** Returns an embedder for another model of the same endpoint; undefined if this embedder cannot run it. */
  forModel(model: string): Embedder | undefined;
  /** Loads the embedding model in advance, so that the first question is as fast as later questions. */
  warm(): void;
  close(): Promise<void>;
}

/**
 * Reasons why an embedding failed.
 * - `unavailable`: the model is down or rate-limited; retry the same texts later.
 * - `unclear`: caused by these texts or by the model; an attempt with other texts shows which.
 * - `misconfigured`: every text fails until an operator corrects the key, model name or file.
 * - `unfit`: only these texts fail.
 */
export type EmbeddingFailure = 'unavailable' | 'unclear' | 'misconfigured' | 'unfit';

/** Thrown if texts could not be embedded. The message is for operators. */
export class EmbeddingError extends Error {
  readonly failure: EmbeddingFailure;
  /** Delay in milliseconds before a retry, as requested by the model's endpoint. */
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: EmbeddingFailure,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.name = 'EmbeddingError';
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Scales a vector to length 1.
 * @throws EmbeddingError `unfit` if all values are zero, or a value is not finite
 */
export function toUnitLength(values: ArrayLike<number>): Vector {
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) squares += Number(values[index]) ** 2;
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length))
    throw new EmbeddingError('unfit', 'The model returned a vector whose length is zero or not finite.');
  const vector = new Float32Array(values.length);
  for (let index = 0; index < values.length; index += 1) vector[index] = Number(values[index]) / length;
  return vector;
}
