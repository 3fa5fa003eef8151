import assert from 'node:assert/strict';
import {
  computeLineRelevance,
  computeVectorRelevance,
  toVectorLines,
} from '../../services/knowledge/search/vector-relevance.ts';

describe('computeVectorRelevance', () => {
  const scale = { mean: 0.7, deviation: 0.02, related: 6 };
  const compute = (cosine: number, passages: number, mean: number) =>
    Number(computeVectorRelevance(cosine, { passages, mean }, scale).toFixed(3));

  it('returns the relevance threshold for a passage that stands out as far as the best unrelated passage is expected to', () => {
    // Expected cosine of unrelated passages: 0.7; threshold for one passage: 0.7 deviations above it.
    assert.equal(compute(0.7 + 0.7 * 0.02, 1, 0.7), 0.5);
    // Threshold for 100 passages: 0.7 + 0.47 ln 100 = 2.864 deviations.
    assert.equal(compute(0.7 + 2.864 * 0.02, 100, 0.7), 0.5);
  });

  it('counts at most 300 passages', () => {
    const line = 0.7 + (0.7 + 0.47 * Math.log(300)) * 0.02;
    assert.equal(compute(line, 300, 0.7), 0.5);
    assert.equal(compute(line, 100_000, 0.7), 0.5);
  });

  it('returns the strict threshold for a passage that stands out by 80 % as far as answers do, and stays between 0 and 1', () => {
    // 0.8 of 6 deviations.
    assert.equal(compute(0.7 + 4.8 * 0.02, 100, 0.7), 0.64);
    assert.equal(compute(0.7 + 4.8 * 0.02, 1, 0.7 + 4.8 * 0.02) < 0.64, true);
    assert.equal(compute(1, 100, 0.7), 1);
    assert.equal(compute(0.5, 100, 0.7), 0);
  });

  it('keeps the strict threshold above the relevance threshold for a model whose answers hardly stand out', () => {
    const weak = { ...scale, related: 2 };
    const strict = computeVectorRelevance(0.7 + 3.364 * 0.02, { passages: 100, mean: 0.7 }, weak);
    assert.equal(strict.toFixed(2), '0.64');
  });

  it('compares with the bot’s own passages, and with the model’s scale if there are few', () => {
    // All passages of the bot are near every question, so the same cosine means less.
    assert.equal(compute(0.76, 100, 0.7), 0.51);
    assert.equal(compute(0.76, 100, 0.75), 0.345);
    // The bot has a single passage, about the question's subject: ten imaginary passages outweigh it.
    assert.equal(compute(0.76, 1, 0.76), 0.569);
  });
});

describe('computeLineRelevance', () => {
  it('maps an operator’s minimum cosines to the thresholds, and interpolates all other cosines', () => {
    const lines = { relevantFrom: 0.3, strictlyFrom: 0.5 };
    const relevances = [0, 0.15, 0.3, 0.4, 0.5, 0.6, 1].map((cosine) => computeLineRelevance(cosine, lines));
    assert.deepEqual(
      relevances.map((value) => Number(value.toFixed(2))),
      [0, 0.25, 0.5, 0.57, 0.64, 0.74, 1],
    );
  });
});

describe('toVectorLines', () => {
  it('returns undefined without the relevance threshold, and uses a third of the way from this threshold to 1 without a strict threshold', () => {
    const convert = (embeddingRelevance?: number, embeddingStrictRelevance?: number) =>
      toVectorLines({ embeddingRelevance, embeddingStrictRelevance });
    assert.equal(convert(undefined, 0.9), undefined);
    assert.deepEqual(convert(0.4), { relevantFrom: 0.4, strictlyFrom: 0.6 });
    assert.deepEqual(convert(0.4, 0.9), { relevantFrom: 0.4, strictlyFrom: 0.9 });
    assert.deepEqual(convert(0.4, 0.2), { relevantFrom: 0.4, strictlyFrom: 0.4 });
  });
});
