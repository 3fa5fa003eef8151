import assert from 'node:assert/strict';
import { describeEmbeddingFailure } from '../../scripts/cli/doctor.ts';

describe('describeEmbeddingFailure', () => {
  for (const [title, embeddingBaseUrl, failure, message] of [
    [
      'a busy machine',
      undefined,
      'late',
      'e5 did not respond within 10 s. The machine may be busy: run the check again.',
    ],
    [
      'a provider that does not respond',
      'https://api.example.com/v1',
      'late',
      'e5 did not respond within 10 s. Check PARLEY_EMBEDDING_BASE_URL, or run the check again.',
    ],
    [
      'a damaged model',
      undefined,
      'damaged',
      'e5 returns no vectors (damaged). Check PARLEY_EMBEDDING_MODEL_PATH, or download a model with `npm run parley -- embeddings fetch`.',
    ],
  ] as const)
    it(`says what to do about ${title}`, () => {
      assert.equal(describeEmbeddingFailure({ embeddingBaseUrl }, 'e5', failure), message);
    });
});
