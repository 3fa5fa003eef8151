import type { ModelScale } from './model-scale.ts';
import { E5_CENTERS, E5_QUESTION_MEAN } from './e5-means.ts';

/** Properties of a local embedding model that Parley knows. */
export interface KnownModel {
  /** Folder of the model's files, which is part of the model's name. */
  name: string;
  /** Beginning of the model file's digest, which is also part of its name (`create-embedder.ts`). */
  digest?: string;
  /**
   * Languages (ISO 639-1) that the model supports; undefined if it supports all languages that Parley
   * detects.
   */
  languages?: readonly string[];
  /** Texts that the model expects before each passage and each question. */
  passagePrefix: string;
  questionPrefix: string;
  /** Vector to subtract from the model's vectors of questions, because it is common to all questions. */
  questionMean?: Float32Array;
  /**
   * Centers to subtract from the model's vectors before each vector is reduced to the signs of its
   * components. Undefined if components are positive and negative equally often without them.
   */
  centers?: { passages: Float32Array; questions: Float32Array };
  /** Typical cosines between the model's vectors, as `model-scale.ts` measures them. */
  scale: ModelScale;
}

const KNOWN_MODELS: readonly KnownModel[] = [
  {
    name: 'multilingual-e5-small-q4',
    digest: '159d1a44',
    passagePrefix: 'passage: ',
    questionPrefix: 'query: ',
    questionMean: E5_QUESTION_MEAN,
    centers: E5_CENTERS,
    scale: { mean: 0.587, deviation: 0.0295, related: 6.2 },
  },
  {
    name: 'multilingual-e5-small',
    passagePrefix: 'passage: ',
    questionPrefix: 'query: ',
    questionMean: E5_QUESTION_MEAN,
    centers: E5_CENTERS,
    scale: { mean: 0.587, deviation: 0.0295, related: 6.2 },
  },
  {
    name: 'all-MiniLM-L6-v2-int8',
    digest: '8199be6f',
    languages: ['en'],
    passagePrefix: '',
    questionPrefix: '',
    scale: { mean: 0.026, deviation: 0.0753, related: 8 },
  },
];

const FILE = /^local:(.*)@([0-9a-f]{8})(?:#|$)/;

/**
 * Returns the properties of a local embedding model by its name; undefined for an unknown model or a model of
 * an endpoint.
 */
export function findKnownModel(model: string): KnownModel | undefined {
  const file = FILE.exec(model);
  if (!file) return undefined;
  const [, name, digest] = file;
  return KNOWN_MODELS.find((known) => known.digest === digest || known.name === name);
}

/**
 * Returns the languages (ISO 639-1) that an embedding model supports; undefined if unknown, or if the model
 * supports all languages.
 * @param configured comma-separated languages from the settings, which take precedence
 */
export function findModelLanguages(
  model: string,
  configured: string | undefined,
): readonly string[] | undefined {
  return configured?.split(',') ?? findKnownModel(model)?.languages;
}
