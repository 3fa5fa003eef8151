import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../support/parley.ts';
import { until } from '../support/until.ts';
import { temporalClient, temporalEnv, testBundle, WorkerProcess } from '../support/worker.ts';
import { startWorker } from '../../worker/start-worker.ts';
import { buildSession } from '../support/widget.ts';

const LOGGED = 40_000;
const form = { lead_capture_config: { enabled: true, fields: [{ key: 'name', label: 'Name' }] } };

describe('eraseContact', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ ...temporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
  });
  after(() => parley.stop());

  it('goes on when the worker is killed in the middle of it', async () => {
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
       FROM generate_series(1, ${LOGGED}) n`,
      [orgId, webhook.id, session.session_id],
    );
    const left = async () => {
      const [row] = await db.sql<{ count: number }>('SELECT count(*)::int FROM webhook_deliveries');
      return row!.count;
    };
    const first = new WorkerProcess(runtime.settings);
    assert.equal((await client.post(`/api/contacts/${contactId}/erase`)).status, 202);
    await until(async () => (await left()) < LOGGED, 'the removal to have begun');
    await first.end('SIGKILL');
    const rest = await left();
    assert.ok(rest > 0, 'it was over already');
    const second = await startWorker(runtime, testBundle());
    const { client: temporal, close } = temporalClient(runtime.settings);
    await temporal.workflow.getHandle(`erase-contact/${contactId}`).result();
    assert.equal(await left(), 0);
    assert.deepEqual(await db.sql('SELECT FROM contacts'), []);
    await close();
    await second.stop();
  });
});
