import assert from 'node:assert/strict';
import { toUnitLength, type Embedder, type Vector } from '../../../adapters/embedding/embedder.ts';
import { computeScale, measureScale } from '../../../adapters/embedding/model-scale.ts';

describe('computeScale', () => {
  it('returns the mean and deviation of the cosines of unrelated texts, and how far the cosines of answers exceed the mean', () => {
    const questions = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(1, 0)];
    const passages = [Float32Array.of(1, 0), Float32Array.of(0.6, 0.8), Float32Array.of(0.8, 0.6)];
    // Cosines of unrelated texts: 0.6 and 0.8; 0 and 0.6; 1 and 0.6.
    const { mean, deviation, related } = computeScale(questions, passages);
    assert.equal(mean.toFixed(4), '0.6000');
    assert.equal(deviation.toFixed(4), Math.sqrt((0.01 + 0.09 + 0.04) / 3).toFixed(4));
    // Cosines of questions and their answers: 1, 0.8 and 0.8.
    assert.equal(related.toFixed(4), ((2.6 / 3 - 0.6) / deviation).toFixed(4));
  });
});

describe('computeScale of a model that returns one vector for all texts', () => {
  it('returns a deviation above zero, so that relevances are numbers', () => {
    const same = [Float32Array.of(1, 0), Float32Array.of(1, 0), Float32Array.of(1, 0)];
    assert.deepEqual(computeScale(same, same), { mean: 1, deviation: 0.001, related: 0 });
  });
});

describe('measureScale', () => {
  it('embeds 16 questions and 16 passages of different subjects', async () => {
    const asked: string[] = [];
    const passages: string[] = [];
    /**
     * Returns a vector for a text. The second number separates questions from passages, and the third
     * separates texts by their length.
     */
    const embed = (text: string, isQuestion: boolean): Vector =>
      toUnitLength([1, isQuestion ? 0 : 1, text.length / 1000]);
    const embedder: Embedder = {
      model: 'test',
      batchSize: 4,
      maxConcurrent: 1,
      embedPassages: async (list) => {
        passages.push(...list.map(({ text }) => text));
        return list.map(({ text }) => [embed(text, false)]);
      },
      embedQuestion: async (question) => {
        asked.push(question);
        return embed(question, true);
      },
      forModel: () => embedder,
      warm() {},
      close: async () => {},
    };
    const { mean, deviation } = await measureScale(embedder, new AbortController().signal);
    assert.deepEqual([new Set(asked).size, new Set(passages).size], [16, 16]);
    assert.ok(mean > 0.7 && mean < 0.72, String(mean));
    assert.ok(deviation > 0 && deviation < 0.01, String(deviation));
  });
});
