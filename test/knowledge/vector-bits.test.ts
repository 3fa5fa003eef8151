import assert from 'node:assert/strict';
import { E5_CENTERS, E5_QUESTION_MEAN } from '../../adapters/embedding/e5-means.ts';
import { toSignBits } from '../../services/knowledge/vectors/vector-bits.ts';

describe('toSignBits', () => {
  it('returns 1 for each component above zero, or above the component of the center', () => {
    const vector = Float32Array.of(0.5, -0.2, 0, 0.1);
    assert.equal(toSignBits(vector), '1001');
    assert.equal(toSignBits(vector, Float32Array.of(0.6, -0.3, -0.1, 0.1)), '0110');
  });

  it('takes centers for e5 that have 384 components and the lengths of the measured means', () => {
    const measure = (vector: Float32Array) => Math.hypot(...vector).toFixed(2);
    assert.deepEqual(
      [E5_QUESTION_MEAN, E5_CENTERS.passages, E5_CENTERS.questions].map((vector) => vector.length),
      [384, 384, 384],
    );
    assert.deepEqual([E5_QUESTION_MEAN, E5_CENTERS.passages, E5_CENTERS.questions].map(measure), [
      '0.45',
      '0.89',
      '0.68',
    ]);
  });
});
