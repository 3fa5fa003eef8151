import assert from 'node:assert/strict';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createTemporalClient, buildTemporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';
import { DESCRIPTION, listDrafts, generateBot, buildHold, PARTS } from '../bots/generation-support.ts';

describe('generateBot after its worker was killed', () => {
  let parley: TestParley;
  let model: ModelServer;
  const startSuccessor = useSuccessor(() => parley);
  const hold = buildHold();

  before(async () => {
    model = await startModelServer({
      answer: () => ({
        text: JSON.stringify(PARTS),
        ...(model.requests.length === 1 && { after: hold.promise }),
      }),
    });
    parley = await startParley({
      ...buildTemporalEnv(),
      PARLEY_SHUTDOWN_GRACE_MS: '4000',
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      generationTimeoutMs: 60000,
    });
  });
  after(async () => {
    hold.resolve();
    await parley.stop();
    await model.close();
  });

  it('creates one bot, drafted by the next worker or by rules', async () => {
    const { client, orgId } = await parley.buildOrg();
    const worker = new WorkerProcess(parley.runtime.settings, { PARLEY_MODEL_BASE_URL: model.baseUrl });
    const response = generateBot(client, { description: DESCRIPTION });
    await waitUntil(() => model.requests.length === 1, 'the model to be asked');
    await worker.end('SIGKILL');
    await startSuccessor();
    const { bot } = await response;
    assert.equal(bot!.name, 'Acme Bikes');
    assert.equal((await client.get('/api/bots')).body.total, 1);
    const { client: temporal, close } = createTemporalClient(parley.runtime.settings);
    const [draft] = await listDrafts(parley, orgId);
    const result: unknown = await temporal.workflow.getHandle(`generate-bot/${draft!.id}`).result();
    assert.ok(['by_model', 'by_rules', 'overtaken'].includes(result as string), String(result));
    await close();
  });
});
