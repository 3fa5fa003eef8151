import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getEventListeners, once } from 'node:events';
import type { ScheduleDescription } from '@temporalio/client';
import { retryUntilSuccess } from '../../core/concurrency/retry-until-success.ts';
import { createLogger } from '../../core/logger.ts';
import { ensureSchedules } from '../../worker/temporal/schedules.ts';
import { startWorker } from '../../worker/start-worker.ts';
import { ingestWorkflowId } from '../../core/workflows/commands.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  startParleyWithWorker,
  waitForTerminalState,
  loadTestBundle,
  type TestParleyWithWorker,
} from '../support/worker.ts';

describe('sweepDocuments', () => {
  let parley: TestParleyWithWorker;

  before(async () => {
    parley = await startParleyWithWorker();
    await waitUntil(async () => (await describeSchedule()) !== null, 'the schedule to be there');
    // Pause the schedule: its own run, every five minutes, would restart documents that a test counts.
    await schedule().pause();
  });
  after(() => parley.stop());

  const taskQueue = () => parley.runtime.settings.temporalTaskQueue;
  const schedule = () => parley.temporal.schedule.getHandle(`${taskQueue()}/sweep-documents`);
  const describeSchedule = (): Promise<ScheduleDescription | null> =>
    schedule()
      .describe()
      .catch(() => null);

  /** Triggers the schedule that restarts documents. Returns its workflow’s result and details. */
  async function triggerSweep(): Promise<{ result: unknown; details: string }> {
    const actionCount = (await schedule().describe()).info.recentActions.length;
    await schedule().trigger();
    await waitUntil(
      async () => (await schedule().describe()).info.recentActions.length > actionCount,
      'the workflow to start',
    );
    const { workflowId } = (await schedule().describe()).info.recentActions.at(-1)!.action.workflow;
    const handle = parley.temporal.workflow.getHandle(workflowId);
    const result = await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return { result, details: currentDetails };
  }

  it('is scheduled every five minutes, without overlap', async () => {
    const { spec, policies, action } = await schedule().describe();
    assert.equal(spec.intervals?.[0]?.every, 5 * 60_000);
    assert.equal(policies.overlap, 'SKIP');
    assert.equal(action.staticSummary, 'Re-index the documents whose workflow was lost');
  });

  itInSoak('stays scheduled when another worker starts, and stays paused if it was paused', async () => {
    await schedule().pause('Maintenance');
    const readUpdatedAt = async () => (await schedule().describe()).info.lastUpdatedAt?.getTime() ?? 0;
    const formerUpdate = await readUpdatedAt();
    const second = await startWorker(parley.runtime, loadTestBundle());
    await waitUntil(async () => (await readUpdatedAt()) > formerUpdate, 'the second worker to set it up');
    await second.stop();
    assert.equal((await schedule().describe()).state.paused, true);
    await schedule().unpause();
    const { signal } = new AbortController();
    const ensureSchedulesExist = () => ensureSchedules(parley.temporal, taskQueue(), signal);
    await retryUntilSuccess('creating the Temporal schedules', ensureSchedulesExist, {
      log: createLogger('test', 'fatal'),
      signal,
    });
    assert.equal((await schedule().describe()).state.paused, false);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    await schedule().pause();
  });

  it('restarts the indexing of a document whose workflow an operator terminated', async () => {
    let requestCount = 0;
    const site = createServer((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else if (++requestCount > 1) response.setHeader('content-type', 'text/html').end('<p>Bees.</p>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const org = await parley.buildOrg();
    const { body } = await org.client.post(`/api/bots/${await buildBot(org)}/knowledge`, {
      source_type: 'url',
      url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    });
    const id = body.id as string;
    await waitUntil(() => requestCount === 1, 'the page to be asked for');
    await parley.temporal.workflow.getHandle(ingestWorkflowId(id, 1)).terminate('Operator');
    assert.deepEqual((await triggerSweep()).result, { checked: 0, restarted: 0 });
    await parley.database.sql("UPDATE documents SET updated_at = now() - interval '16 minutes'");
    const { result, details } = await triggerSweep();
    assert.deepEqual(result, { checked: 1, restarted: 1 });
    assert.equal(
      details,
      [
        '**Indexed again: 1 document**',
        '',
        '- checked: 1 document unchanged for 15 minutes',
        `- ${id} had no workflow`,
      ].join('\n'),
    );
    const document = await waitForTerminalState(parley, id);
    assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    assert.equal(document.revision, 2);
    site.closeAllConnections();
    site.close();
  });
});
