import assert from 'node:assert/strict';
import { findModelLanguages } from '../../../adapters/embedding/known-models.ts';

describe('findModelLanguages', () => {
  const english = 'local:all-MiniLM-L6-v2-int8@8199be6f';

  it('returns English for the model of `embeddings fetch`, whatever its name or suffix', () => {
    for (const model of [english, 'local:elsewhere@8199be6f', `${english}#0123abcd`])
      assert.deepEqual(findModelLanguages(model, undefined), ['en'], model);
  });

  it('returns undefined for an unknown model', () => {
    for (const model of ['text-embedding-3-small', 'local:mine@01234567', 'words@8199be6f'])
      assert.equal(findModelLanguages(model, undefined), undefined, model);
  });

  it('returns the languages that the operator sets', () => {
    assert.deepEqual(findModelLanguages('nomic-embed-text', 'en,fr'), ['en', 'fr']);
    assert.deepEqual(findModelLanguages(english, 'de'), ['de']);
  });
});
