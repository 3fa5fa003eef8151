import assert from 'node:assert/strict';
import { listModels, parsePrices, computeAnswerPrice } from '../../../adapters/llm/models-and-prices.ts';
import { loadSettings } from '../../../core/settings/settings.ts';

describe('listModels', () => {
  const platformIds = (env: Record<string, string>) =>
    listModels(loadSettings(env)).flatMap(({ id, provider }) => (provider === 'platform' ? [id] : []));

  it('offers only extractive-1 on the platform while no endpoint is configured', () => {
    assert.deepEqual(platformIds({}), ['extractive-1']);
  });

  it('offers the default model first, and then the other models that have a price', () => {
    assert.deepEqual(
      platformIds({
        PARLEY_MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
        PARLEY_MODEL: 'house-model',
        PARLEY_MODEL_PRICES: '{"gpt-4o":{"input":2.5,"output":10},"house-model":{"input":0,"output":0}}',
      }),
      ['house-model', 'gpt-4o'],
    );
  });

  it('returns the token limits of a known model, and null for an unknown model', () => {
    const models = listModels(
      loadSettings({ PARLEY_MODEL_BASE_URL: 'http://127.0.0.1:9/v1', PARLEY_MODEL: 'house-model' }),
    );
    assert.deepEqual(models[0], {
      id: 'house-model',
      provider: 'platform',
      name: 'house-model',
      max_input_tokens: null,
      max_output_tokens: null,
      supports_thinking: false,
    });
    assert.deepEqual(
      models.find(({ id, provider }) => id === 'o4-mini' && provider === 'byok'),
      {
        id: 'o4-mini',
        provider: 'byok',
        name: 'o4-mini',
        max_input_tokens: 200_000,
        max_output_tokens: 100_000,
        supports_thinking: true,
      },
    );
  });
});

describe('computeAnswerPrice', () => {
  const prices = parsePrices('{"gpt-4o":{"input":2.5,"output":10}}');

  it('adds the prices of input and output tokens', () => {
    assert.equal(computeAnswerPrice('gpt-4o', 1_000, 500, prices), 0.0075);
    assert.equal(computeAnswerPrice('gpt-4o-2024-08-06', 1_000, 500, prices), 0.0075);
  });

  it('rounds as costs are stored, so that sums agree however they are grouped', () => {
    const cheap = parsePrices('{"cheap":{"input":0.075,"output":0.3}}');
    assert.equal(computeAnswerPrice('cheap', 1, 0, cheap), 0.00000008);
    assert.equal(computeAnswerPrice('cheap', 0, 1, cheap), 0.0000003);
  });

  it('returns null if the price or the tokens are unknown', () => {
    assert.equal(computeAnswerPrice('extractive-1', 0, 0, prices), null);
    assert.equal(computeAnswerPrice('constructor', 1, 1, prices), null);
    assert.equal(computeAnswerPrice('gpt-4o', null, 500, prices), null);
    assert.equal(computeAnswerPrice('gpt-4o', 1_000, null, prices), null);
  });
});
