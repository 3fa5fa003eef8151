/** A piece of a document as it is embedded: what stands above it goes into each of its windows. */
export interface PassageToEmbed {
  /** Title and headings. */
  context: string;
  text: string;
}

/** Of length 1, so that the product of two is the cosine of the angle between them. */
export type Vector = Float32Array;

/** Makes vectors of texts: those of texts that mean the same lie near each other. */
export interface Embedder {
  /** What its vectors are of: those of models of other names cannot be compared with them. */
  readonly model: string;
  /** Passages that are handed over at once at most. */
  readonly batchSize: number;
  /**
   * The vectors of each passage's windows, which the model reads whole, in the order of the text.
   * @throws EmbeddingError
   */
  embedPassages(passages: readonly PassageToEmbed[], signal: AbortSignal): Promise<Vector[][]>;
  /** @throws EmbeddingError, and the signal's reason */
  embedQuestion(question: string, signal: AbortSignal): Promise<Vector>;
  /** The one that makes vectors of another model at the same place, where it can be asked for any. */
  ofModel(model: string): Embedder | undefined;
  /** Makes the first question as quick as later ones. */
  warm(): void;
  close(): Promise<void>;
}

/**
 * - `unavailable`: nobody answers, or asks to wait. The same texts may do later.
 * - `unclear`: it may be that texts are at fault, or the model is; another one tells.
 * - `misconfigured`: no text will do until somebody has changed something: a key, a name, a file.
 * - `unfit`: these texts will not do; others may.
 */
export type EmbeddingFailure = 'unavailable' | 'unclear' | 'misconfigured' | 'unfit';

/** The message is for operators. */
export class EmbeddingError extends Error {
  readonly failure: EmbeddingFailure;
  /** How long it was asked to wait. */
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

/** @throws EmbeddingError `unfit` for what has no direction: zeros, or numbers that are none */
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
