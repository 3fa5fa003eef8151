import assert from 'node:assert/strict';
import type { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { TEST_FLAGS, TemporalService } from '../../scripts/launcher/temporal.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { readDeliveryId, useWorkerProcesses } from '../webhooks/fault-support.ts';
import { createEndpoint, emitLead, NOT_MAILED } from '../webhooks/support.ts';

describe('webhooks while Temporal is unavailable', () => {
  const suite = useWorkerProcesses();
  let temporal: GuardedProcess | undefined;
  after(() => temporal?.stop());

  it('are attempted once, and failures are retried once each when it is back', async () => {
    const receiver = await suite.receiver((response, _request, count) =>
      response.writeHead(count % 2 === 0 && count <= 6 ? 503 : 200).end(),
    );
    await createEndpoint(suite.org, receiver.url);
    const [port = 0, httpPort = 0] = await findFreePorts(2);
    await suite.worker({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    for (let index = 0; index < 10; index += 1) {
      await emitLead(suite.parley, suite.org);
      await waitUntil(() => receiver.requests.length === index + 1, 'the first attempt');
    }
    const statuses = async () => (await suite.deliveries()).map(({ status }) => status).sort();
    const waiting = [...Array(7).fill('delivered'), ...Array(3).fill('retrying')];
    await waitUntil(async () => !(await statuses()).includes('pending'), 'the results');
    const commands = () =>
      suite.parley.database.repository(OutboxRow).findBy({ kind: 'command', ...NOT_MAILED });
    await waitUntil(
      async () => (await commands()).every(({ attempts }) => attempts > 0),
      'attempts to hand over',
    );
    assert.deepEqual(await statuses(), waiting);
    assert.equal((await commands()).length, 3);
    const binary = await resolveTemporalBinary({ env: process.env, report: () => {} });
    const folder = makeTemporaryFolder();
    temporal = await startOnce(
      new TemporalService({ binary, folder, port, httpPort, extraArgs: TEST_FLAGS }),
    );
    const rows = await suite.waitUntilSettled(10);
    assert.ok(rows.every(({ status }) => status === 'delivered'));
    assert.equal(receiver.requests.length, 13);
    for (const { id, attempts } of rows)
      assert.equal(receiver.requests.filter((r) => readDeliveryId(r) === id).length, attempts);
    assert.equal((await commands()).length, 0);
  });
});
