/** A passage of a document. Its context is repeated in each of its windows. */
export interface PassageToEmbed {
  /** Title and headings. */
  context: string;
  text: string;
}

/** Vector of length 1, so that the product of two is the cosine of their angle. */
export type Vector = Float32Array;

/** Embeds texts: vectors of texts with similar meanings are close to each other. */
export interface Embedder {
  /** Name of the model. Vectors of models with other names cannot be compared. */
  readonly model: string;
  /** Maximum number of passages per call. */
  readonly batchSize: number;
  /**
   * Returns the vectors of each passage's windows, in the order of the text. Each window fits the model.
   * @throws EmbeddingError
   */
  embedPassages(passages: readonly PassageToEmbed[], signal: AbortSignal): Promise<Vector[][]>;
  /** @throws EmbeddingError, and the signal's reason */
  embedQuestion(question: string, signal: AbortSignal): Promise<Vector>;
  /** Returns an embedder of another model at the same endpoint; undefined if that is not possible. */
  forModel(model: string): Embedder | undefined;
  /** Loads the model, so that the first question is as fast as later ones. */
  warm(): void;
  close(): Promise<void>;
}

/**
 * - `unavailable`: the model is down or asks to wait; retry the same texts later.
 * - `unclear`: either the texts or the model are at fault; another text shows which.
 * - `misconfigured`: every text fails until an operator changes a key, a name or a file.
 * - `unfit`: these texts fail; others may not.
 */
export type EmbeddingFailure = 'unavailable' | 'unclear' | 'misconfigured' | 'unfit';

/** A failed embedding. The message is for operators. */
export class EmbeddingError extends Error {
  readonly failure: EmbeddingFailure;
  /** How long the model asks to wait. */
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
 * @throws EmbeddingError `unfit` if all values are zero or one is not a finite number
 */
export function toUnitLength(values: ArrayLike<number>): Vector {
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) squares += Number(values[index]) ** 2;
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length))
    throw new EmbeddingError('unfit', 'The model returned a vector without a direction.');
  const vector = new Float32Array(values.length);
  for (let index = 0; index < values.length; index += 1) vector[index] = Number(values[index]) / length;
  return vector;
}
