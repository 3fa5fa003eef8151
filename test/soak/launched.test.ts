import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { isRunning, waitUntilGone } from '../../scripts/launcher/process-identity.ts';
import { LaunchedParley, findPortSettings } from '../support/launched-parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { SETTINGS_FOR_LOAD, WebhooksUnderLoad } from '../webhooks/under-load.ts';

const READY = 'Press Ctrl-C to stop.';

describe('npm start after its processes were killed', function () {
  const home = makeTemporaryFolder();
  let ports: Record<string, string>;
  let parley: LaunchedParley;
  let apiKey: string;
  before(async () => {
    ports = { ...(await findPortSettings()), ...SETTINGS_FOR_LOAD };
    parley = LaunchedParley.launch(home, ports);
    await parley.waitForOutput(READY);
    [, apiKey = ''] = /API key +(parley_live_\w{36})\n/.exec(parley.output) ?? [];
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed()) process.stderr.write(parley.output);
  });
  after(async () => {
    parley.signal('SIGKILL');
    await waitUntilGone(parley.listRunningProcesses(), 10_000);
  });

  it('restarts a killed PostgreSQL: under load no webhook is lost, and only deliveries in progress are repeated', async () => {
    const webhooks = await WebhooksUnderLoad.on(parley, apiKey);
    try {
      await webhooks.assertSurvivesKill('postgres', 'PostgreSQL');
    } catch (error) {
      await webhooks.report();
      throw error;
    } finally {
      await webhooks.close();
    }
  });

  it('continues after kill -9 of the launcher, with the same data and open workflows', async () => {
    const temporal = await Connection.connect({ address: `127.0.0.1:${ports['TEMPORAL_PORT']}` });
    const { workflow } = new Client({ connection: temporal });
    await workflow.start('waiting', { workflowId: 'still-open', taskQueue: 'nobody' });
    parley.signal('SIGKILL');
    await parley.exited;
    parley = LaunchedParley.launch(home, ports);
    await parley.waitForOutput(READY);
    assert.doesNotMatch(parley.output, /Password/);
    assert.equal((await workflow.getHandle('still-open').describe()).status.name, 'RUNNING');
    await temporal.close();
  });

  it('leaves no process when it is stopped during its start, and stops at once on the second Ctrl-C', async () => {
    parley.signal('SIGTERM');
    await parley.exited;
    parley = LaunchedParley.launch(home, ports);
    await parley.waitForOutput('Migrating the database');
    const processes = parley.listRunningProcesses();
    parley.signal('SIGINT');
    parley.signal('SIGINT');
    await parley.exited;
    assert.deepEqual([...processes, ...parley.listRunningProcesses()].filter(isRunning), []);
  });
});

describe('npm start', () => {
  it('starts again after kill -9 of the launcher and of its guards', async () => {
    const home = makeTemporaryFolder();
    const ports = await findPortSettings();
    let parley = LaunchedParley.launch(home, ports);
    try {
      await parley.waitForOutput(READY);
      const names = ['api', 'worker', 'temporal', 'postgres'];
      for (const name of names) process.kill(parley.readProcesses(name)[0]!.pid, 'SIGSTOP');
      parley.signal('SIGKILL');
      await parley.exited;
      for (const name of names) process.kill(parley.readProcesses(name).find(isRunning)!.pid, 'SIGKILL');
      parley = LaunchedParley.launch(home, ports);
      await parley.waitForOutput(READY);
      assert.equal((await fetch(`${parley.baseUrl}/api/health/ready`)).status, 200);
      parley.signal('SIGTERM');
      assert.deepEqual(await parley.exited, { code: 0, signal: null });
    } finally {
      parley.signal('SIGKILL');
      await waitUntilGone(parley.listRunningProcesses(), 10_000);
    }
  });
});
