import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  createTemporalClient,
  buildTemporalEnv,
  waitForTerminalState,
  useSuccessor,
  WorkerProcess,
} from '../support/worker.ts';
import { addText } from '../support/knowledge.ts';
import { buildSession } from '../support/widget.ts';
import { purgeWebhookWorkflowId } from '../../core/workflows/commands.ts';
import { fillLog, endpointExists, countRemainingDeliveries } from '../webhooks/endpoint-logs.ts';
import { createEndpoint, UNREACHABLE_URL } from '../webhooks/support.ts';

const ERASED = 40_000;
const REMOVED = 20_000;
const form = { lead_capture_config: { enabled: true, fields: [{ key: 'name', label: 'Name' }] } };

describe('a worker that is killed or stopped', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
  });
  after(() => parley.stop());

  const followedByAnother = useSuccessor(() => parley);

  it('during an erasure leaves the rest of the erasure to the next worker', async () => {
    const { database: db, runtime } = parley;
    const { client, orgId, session, visitor, path } = await buildSession(parley, form);
    await visitor.post(`${path}/lead`, { fields: { name: 'Ada' } });
    const { id: contactId } = (await client.get('/api/contacts')).body.items[0]!;
    const { body: webhook } = await client.post('/api/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      events: ['message.created'],
    });
    await db.sql(
      `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status)
       SELECT gen_random_uuid(), $1, $2, n::text, 'message.created',
              json_build_object('conversation_id', $3::text, 'content', repeat('x', 500)), 'delivered'
       FROM generate_series(1, ${ERASED}) n`,
      [orgId, webhook.id, session.session_id],
    );
    const listLeft = async () => {
      const [row] = await db.sql<{ count: number }>('SELECT count(*)::int FROM webhook_deliveries');
      return row!.count;
    };
    const first = new WorkerProcess(runtime.settings);
    assert.equal((await client.post(`/api/contacts/${contactId}/erase`)).status, 202);
    await waitUntil(async () => (await listLeft()) < ERASED, 'the removal to have begun');
    await first.end('SIGKILL');
    const rest = await listLeft();
    assert.ok(rest > 0, 'it was over already');
    await followedByAnother();
    const { client: temporal, close } = createTemporalClient(runtime.settings);
    await temporal.workflow.getHandle(`erase-contact/${contactId}`).result();
    assert.equal(await listLeft(), 0);
    assert.deepEqual(await db.sql('SELECT FROM contacts'), []);
    await close();
  });

  it('during the deletion of an endpoint leaves the rest of the endpoint’s long log to the next worker', async () => {
    const org = await parley.buildOrg();
    const { id } = await createEndpoint(org, UNREACHABLE_URL);
    await fillLog(parley, org.orgId, id, REMOVED);
    const first = new WorkerProcess(parley.runtime.settings);
    await first.waitForLog('polling');
    await org.client.delete(`/api/webhooks/${id}`);
    await waitUntil(
      async () => (await countRemainingDeliveries(parley, id)) < REMOVED,
      'the removal to begin',
    );
    await first.end('SIGKILL');
    assert.ok((await countRemainingDeliveries(parley, id)) > 0);
    await followedByAnother();
    await waitUntil(async () => !(await endpointExists(parley, id)), 'the endpoint to be removed');
    const { client, close } = createTemporalClient(parley.runtime.settings);
    await client.workflow.getHandle(purgeWebhookWorkflowId(id)).result();
    await close();
  });

  it('by SIGTERM ends within its grace period, and the next worker completes its work', async () => {
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const ids = await Promise.all(Array.from({ length: 5 }, () => addText(parley, org, botId)));
    const first = new WorkerProcess(parley.runtime.settings, { PARLEY_SHUTDOWN_GRACE_MS: '3000' });
    await waitForTerminalState(parley, ids[0]!);
    const startedAt = performance.now();
    assert.equal(await first.end('SIGTERM'), 0, first.log);
    assert.ok(performance.now() - startedAt < 20_000);
    await followedByAnother();
    for (const id of ids) assert.equal((await waitForTerminalState(parley, id)).status, 'indexed');
  });
});
