import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { DeliveryStatus } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { WorkflowCount } from '../../repositories/webhooks/delivery-results.sql.ts';
import type { RecordableResult } from '../../services/webhooks/delivery-result.ts';
import {
  assignWorkflows,
  WORKFLOWS_PER_STREAK,
  WORKFLOWS_PER_WORKSPACE,
} from '../../services/webhooks/retry-workflows.ts';
import { buildTakeOverCommand } from '../../services/webhooks/webhook-commands.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint } from './support.ts';

const ORG_ID = newId();

function buildResult(webhookId: string, status: DeliveryStatus): RecordableResult {
  const id = newId();
  const takeOver = buildTakeOverCommand({ id, orgId: ORG_ID, webhookId, event: 'lead.captured', url: '' });
  return {
    id,
    webhookId,
    url: '',
    attempts: 0,
    isAttempt: true,
    isLogged: true,
    isTransient: status === 'retrying',
    status,
    reason: 'http_503',
    isGone: false,
    responseStatus: 503,
    responseBody: null,
    keyId: null,
    durationMs: 1,
    pauseMs: status === 'retrying' ? 1000 : null,
    takeOver: status === 'delivered' ? null : takeOver,
  };
}

function assign(
  results: RecordableResult[],
  counts: Partial<WorkflowCount> = {},
  consecutiveFailures = 0,
): string[] {
  const webhookIds = [...new Set(results.map(({ webhookId }) => webhookId))];
  return assignWorkflows(
    results,
    webhookIds.map((id) => ({ id, orgId: ORG_ID, consecutiveFailures })),
    [{ orgId: ORG_ID, retrying: 0, failed: 0, retryingWebhookIds: [], ...counts }],
  ).map(({ status, takeOver }) => `${status}${takeOver ? ' with workflow' : ''}`);
}

describe('assignWorkflows', () => {
  const webhookId = newId();
  const retryingWebhookIds = [webhookId];
  const build = (status: DeliveryStatus, count = 1) =>
    Array.from({ length: count }, () => buildResult(webhookId, status));

  it('starts a workflow for a transient failure, however many failures of its endpoint preceded it', () => {
    assert.deepEqual(assign(build('retrying'), {}, 1000), ['retrying with workflow']);
  });

  it('leaves a transient failure pending once the workspace has 100 retries', () => {
    assert.deepEqual(assign(build('retrying', 3), { retrying: 98, retryingWebhookIds }), [
      'retrying with workflow',
      'retrying with workflow',
      'pending',
    ]);
  });

  it('starts at most 100 workflows for one batch of an endpoint', () => {
    const statuses = assign(build('retrying', 250));
    assert.equal(statuses.filter((status) => status === 'retrying with workflow').length, 100);
    assert.equal(statuses.filter((status) => status === 'pending').length, 150);
  });

  it('starts the first workflow of an endpoint, even in a workspace with 100 retries', () => {
    const counts = { retrying: WORKFLOWS_PER_WORKSPACE };
    assert.deepEqual(assign(build('retrying', 2), counts), ['retrying with workflow', 'pending']);
  });

  for (const [what, counts, streak, expected] of [
    ['starts a workflow for a permanent failure', {}, WORKFLOWS_PER_STREAK - 1, 'failed with workflow'],
    [
      'starts no workflow for a permanent failure after 25 failures of its endpoint',
      {},
      WORKFLOWS_PER_STREAK,
      'failed',
    ],
    [
      'starts no workflow for a permanent failure in a workspace with 100 failed deliveries',
      { failed: 100 },
      0,
      'failed',
    ],
  ] as const) {
    it(what, () => assert.deepEqual(assign(build('failed'), counts, streak), [expected]));
  }

  it('starts no workflow for a delivered event', () => {
    assert.deepEqual(assign(build('delivered')), ['delivered']);
  });
});

describe('a workspace with 100 retries', () => {
  const suite = useWebhooks({ webhookRetrySchedule: '1,3600' });

  const insertDeliveries = (webhookId: string, status: DeliveryStatus) =>
    suite.parley.database.sql(
      `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status, attempts, due_at)
       SELECT gen_random_uuid(), $1, $2, 'event-' || $3::text || n, 'lead.captured', '{"id":"1"}', $3, 1,
              now() + interval '1 hour' FROM generate_series(1, 100) n`,
      [suite.org.orgId, webhookId, status],
    );
  const listCommands = () =>
    suite.parley.database.repository(OutboxRow).findBy({ orgId: suite.org.orgId, name: 'webhookDelivery' });

  it('starts no workflow for its next failure, which the dispatcher retries', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      response.writeHead(count === 1 ? 503 : 200).end(),
    );
    const { id } = await createEndpoint(suite.org, receiver.url);
    await insertDeliveries(id, 'retrying');
    await suite.emit();
    suite.dispatcher();
    const find = async () => (await suite.deliveries()).find(({ eventId }) => !eventId.startsWith('event-'))!;
    await waitUntil(async () => (await find()).attempts === 1, 'the first attempt');
    const { status, reason } = await find();
    assert.deepEqual([status, reason?.split(':')[0]], ['pending', 'http_503']);
    await waitUntil(async () => (await find()).status === 'delivered', 'the second attempt');
    assert.deepEqual([(await find()).attempts, receiver.requests.length], [2, 2]);
    assert.deepEqual(await listCommands(), []);
  });

  it('starts no workflow for a permanent failure after 100 failed deliveries', async () => {
    const receiver = await suite.receiver((response) => response.writeHead(400).end());
    const { id } = await createEndpoint(suite.org, receiver.url);
    await insertDeliveries(id, 'failed');
    await suite.emit();
    suite.dispatcher();
    await waitUntil(
      async () => (await suite.deliveries()).filter(({ status }) => status === 'failed').length === 101,
      'the failure',
    );
    assert.deepEqual(await listCommands(), []);
  });
});
