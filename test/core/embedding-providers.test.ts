import assert from 'node:assert/strict';
import { loadSettings } from '../../core/settings/settings.ts';

describe('loadSettings of embeddings', () => {
  const load = (env: Record<string, string>) => {
    const settings = loadSettings(env);
    const { embeddingBaseUrl, embeddingApiKey, embeddingModel, embeddingPassagePrefix } = settings;
    return [embeddingBaseUrl, embeddingApiKey, embeddingModel, embeddingPassagePrefix];
  };
  const provider = (PARLEY_MODEL_BASE_URL: string, env = {}) =>
    load({ PARLEY_MODEL_BASE_URL, PARLEY_MODEL_API_KEY: 'secret', ...env });
  const NONE = [undefined, undefined, 'text-embedding-3-small', undefined];

  it('uses the endpoint and the key of a known provider of language models', () => {
    const openai = 'https://api.openai.com/v1';
    const mistral = 'https://api.mistral.ai/v1';
    const gemini = 'https://generativelanguage.googleapis.com/v1beta/openai';
    const ollama = 'http://127.0.0.1:11434/v1';
    assert.deepEqual(provider(openai), [openai, 'secret', 'text-embedding-3-small', undefined]);
    assert.deepEqual(provider(mistral), [mistral, 'secret', 'mistral-embed', undefined]);
    assert.deepEqual(provider(gemini), [gemini, 'secret', 'gemini-embedding-001', undefined]);
    assert.deepEqual(provider(ollama), [ollama, 'secret', 'nomic-embed-text', 'search_document: ']);
  });

  it('does not use the endpoint of another provider, nor any endpoint without a provider', () => {
    assert.deepEqual(provider('https://models.example/v1'), NONE);
    assert.deepEqual(load({}), NONE);
  });

  it('prefers the settings of the operator', () => {
    const openai = 'https://api.openai.com/v1';
    assert.deepEqual(provider(openai, { PARLEY_EMBEDDING_MODEL_PATH: 'none' }), NONE);
    const own = { PARLEY_EMBEDDING_BASE_URL: 'https://own.example/v1' };
    assert.deepEqual(provider(openai, own), ['https://own.example/v1', ...NONE.slice(1)]);
    const large = { PARLEY_EMBEDDING_MODEL: 'text-embedding-3-large', PARLEY_EMBEDDING_API_KEY: 'other' };
    assert.deepEqual(provider(openai, large), [openai, 'other', 'text-embedding-3-large', undefined]);
  });
});
