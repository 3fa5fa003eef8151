import assert from 'node:assert/strict';
import { findModelLanguages } from '../../../adapters/embedding/model-languages.ts';

describe('languagesOf', () => {
  const english = 'local:all-MiniLM-L6-v2-int8@8199be6f';

  it('is English of the model that `embeddings fetch` gets, in whatever folder and way', () => {
    for (const model of [english, 'local:elsewhere@8199be6f', `${english}#0123abcd`])
      assert.deepEqual(findModelLanguages(model, undefined), ['en'], model);
  });

  it('is open of any other model', () => {
    for (const model of ['text-embedding-3-small', 'local:mine@01234567', 'words@8199be6f'])
      assert.equal(findModelLanguages(model, undefined), undefined, model);
  });

  it('is what the operator has named', () => {
    assert.deepEqual(findModelLanguages('nomic-embed-text', 'en,fr'), ['en', 'fr']);
    assert.deepEqual(findModelLanguages(english, 'de'), ['de']);
  });
});
