import assert from 'node:assert/strict';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

const NO_LIMITS = {
  messages_per_month: null,
  documents: null,
  bots: null,
  seats: null,
  alerts_per_month: null,
};

/** Usage that the fake model reports for an answer. */
const ANSWER = { input: 39, output: 2, cost: 0.00000705 };

describe('getUsage', () => {
  let model: ModelServer;
  let parley: TestParley;
  before(async () => {
    model = await startModelServer({ answer: () => 'Twelve euros.' });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  it('returns zeros and no limits for a new workspace', async () => {
    const { client } = await parley.buildOrg();
    const { body, status } = await client.get('/api/usage?month=2026-09');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      from: '2026-09-01T00:00:00.000Z',
      to: '2026-10-01T00:00:00.000Z',
      workspaces: 1,
      messages: 0,
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
      documents: 0,
      bots: 0,
      seats: 1,
      alerts: 0,
      messages_left: null,
      topup_credits_left: null,
      limits: NO_LIMITS,
      exceeded: [],
    });
  });

  for (const [month, status] of [
    ['1999-12', 422],
    ['2000-01', 200],
    ['9998-12', 200],
    ['9999-01', 422],
    ['9999-12', 422],
  ] as const)
    it(`returns ${status} for ${month}`, async () => {
      const { client } = await parley.buildOrg();
      const response = await client.get(`/api/usage?month=${month}`);
      assert.equal(response.status, status);
      if (status === 422) assert.equal(response.problem.details[0]!.field, 'month');
    });

  it('counts a turn and the usage of its answer at once', async () => {
    const { client, visitor, path } = await buildSession(parley);
    await visitor.post(`${path}/messages`, { content: 'How much is it?' });
    const { body } = await client.get('/api/usage');
    assert.deepEqual(
      [body.messages, body.input_tokens, body.output_tokens, body.cost_usd],
      [1, ANSWER.input, ANSWER.output, ANSWER.cost],
    );
  });
});
