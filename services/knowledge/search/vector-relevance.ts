import type { ModelScale } from '../../../adapters/embedding/model-scale.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { RELEVANCE_LINE, STRICT_RELEVANCE_LINE } from './search-ranking.ts';

/**
 * Minimum cosines of relevant passages that an operator has set in place of the minimum that Parley computes.
 */
export interface VectorLines {
  relevantFrom: number;
  /** Minimum cosine of relevant passages for bots that must not guess. */
  strictlyFrom: number;
}

/**
 * Cosines between the vectors of a question and of all passages of a bot, whether or not a passage answers
 * the question.
 */
export interface Background {
  /** Number of the bot's passages, and the mean of their cosines. */
  passages: number;
  mean: number;
}

/**
 * Number of imaginary unrelated passages that are added to the bot's own passages. If a bot has only a few
 * passages, and all are about the question's subject, none of them would stand out.
 */
const ASSUMED_PASSAGES = 10;
/**
 * Minimum by which the cosine of a relevant passage exceeds the expected cosine, in standard deviations. The
 * nearest of n unrelated passages stands out by about ln n, like the maximum of n random values. Beyond
 * `maxPassages`, passages of a bot resemble each other. With each of three models, 85 % of questions on a
 * foreign subject stay below this line (`bench retrieval`).
 */
const LINE = { base: 0.7, perLogarithm: 0.47, maxPassages: 300 };
/**
 * Minimum for bots that must not guess: a fraction of the distance at which answers usually stand out, and a
 * minimum distance above `LINE`. Chosen by `bench retrieval`.
 */
const STRICT = { relatedShare: 0.8, minDistance: 0.5 };

/**
 * Returns the relevance of a passage to a question by the cosine of their vectors, on the scale of full-text
 * search (`search-ranking.ts`). The relevance depends on how far the cosine exceeds the cosines of the bot's
 * other passages, in standard deviations of the model.
 */
export function computeVectorRelevance(
  cosine: number,
  { passages, mean }: Background,
  scale: ModelScale,
): number {
  const expected = (ASSUMED_PASSAGES * scale.mean + passages * mean) / (ASSUMED_PASSAGES + passages);
  const excess = (cosine - expected) / scale.deviation;
  const counted = Math.min(Math.max(passages, 1), LINE.maxPassages);
  const line = LINE.base + LINE.perLogarithm * Math.log(counted);
  const strictLine = Math.max(line + STRICT.minDistance, STRICT.relatedShare * scale.related);
  const perDeviation = (STRICT_RELEVANCE_LINE - RELEVANCE_LINE) / (strictLine - line);
  return clamp(RELEVANCE_LINE + (excess - line) * perDeviation);
}

/**
 * Returns the minimum cosines of relevant passages that the operator has set; undefined if the operator has
 * set none.
 */
export function toVectorLines({
  embeddingRelevance: relevantFrom,
  embeddingStrictRelevance: strictlyFrom,
}: Pick<Settings, 'embeddingRelevance' | 'embeddingStrictRelevance'>): VectorLines | undefined {
  if (relevantFrom === undefined) return undefined;
  const third = relevantFrom + (1 - relevantFrom) / 3;
  return { relevantFrom, strictlyFrom: Math.max(relevantFrom, strictlyFrom ?? third) };
}

/**
 * Returns the relevance of a passage by its cosine and the operator's minimum cosines, on the scale of
 * full-text search.
 */
export function computeLineRelevance(cosine: number, { relevantFrom, strictlyFrom }: VectorLines): number {
  if (cosine < relevantFrom) return clamp((cosine / relevantFrom) * RELEVANCE_LINE);
  const step = STRICT_RELEVANCE_LINE - RELEVANCE_LINE;
  if (cosine < strictlyFrom)
    return RELEVANCE_LINE + (step * (cosine - relevantFrom)) / (strictlyFrom - relevantFrom);
  return clamp(STRICT_RELEVANCE_LINE + (cosine - strictlyFrom));
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
