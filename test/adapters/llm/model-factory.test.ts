import assert from 'node:assert/strict';
import { type BotModelConfig, createModelFactory } from '../../../adapters/llm/model-factory.ts';

import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { assertModelError, buildRequest, collectAnswer } from './support.ts';
import { loadTestSettings, type TestSettings } from '../../support/test-settings.ts';

describe('createModelFactory', () => {
  let server: ModelServer;
  const used: string[] = [];
  const spy =
    (name: string): typeof fetch =>
    (input, init) => {
      used.push(name);
      return fetch(input, init);
    };

  before(async () => {
    server = await startModelServer({ answer: () => 'Yes.' });
  });
  after(() => server.close());
  beforeEach(() => {
    used.length = 0;
    server.requests.length = 0;
  });

  const modelFor = (config: Partial<BotModelConfig>, env: TestSettings = {}) =>
    createModelFactory({
      settings: loadTestSettings({
        PARLEY_MODEL: 'house-model',
        PARLEY_BYOK_BASE_URL: server.baseUrl,
        ...env,
      }),
      guardedFetch: spy('guarded'),
      secretFetch: spy('secret'),
      trustedFetch: spy('trusted'),
    }).createModel({ llmProvider: 'platform', model: null, apiKey: null, customEndpoint: null, ...config });
  const endpoint = {
    endpointUrl: '',
    authHeaderName: null,
    authHeaderValue: null,
    model: null,
    responsePath: null,
  };

  it('quotes the documents on a platform without an endpoint', () => {
    assert.equal(modelFor({ model: 'gpt-4o' }).name, 'extractive-1');
  });

  it('calls the operator’s endpoint for a platform bot, at any address', async () => {
    const env = { PARLEY_MODEL_BASE_URL: server.baseUrl, PARLEY_MODEL_API_KEY: 'sk-operator' };
    const model = modelFor({ apiKey: 'sk-workspace' }, env);
    assert.equal(model.name, 'house-model');
    assert.equal((await collectAnswer(model, buildRequest())).text, 'Yes.');
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer sk-operator');
    assert.deepEqual(used, ['trusted']);
  });

  it('calls the provider with the workspace’s key for a byok bot, through the guard', async () => {
    await collectAnswer(
      modelFor({ llmProvider: 'byok', model: 'gpt-4o', apiKey: 'sk-workspace' }),
      buildRequest(),
    );
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer sk-workspace');
    assert.equal(server.requests[0].body.model, 'gpt-4o');
    assert.deepEqual(used, ['guarded']);
  });

  it('calls the owner’s endpoint for a custom bot, through the guard', async () => {
    const customEndpoint = { ...endpoint, endpointUrl: `${server.origin}/ask` };
    await collectAnswer(modelFor({ llmProvider: 'custom', model: 'mine', customEndpoint }), buildRequest());
    assert.equal(server.requests[0]?.path, '/ask');
    assert.equal(server.requests[0].body.model, 'mine');
    assert.deepEqual(used, ['guarded']);
  });

  it('names the missing setting', async () => {
    const createRefusedModel = async (config: Partial<BotModelConfig>) => modelFor(config);
    await assertModelError(createRefusedModel({ llmProvider: 'byok' }), 'model_refused');
    await assertModelError(createRefusedModel({ llmProvider: 'custom' }), 'model_refused');
  });
});
