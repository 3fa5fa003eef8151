import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isRunning, waitUntilGone } from '../../scripts/launcher/process-identity.ts';
import { LaunchedParley, portSettings } from '../support/launched-parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const READY = 'Press Ctrl-C to stop.';
const DEMO = fileURLToPath(new URL('../../dist/demo/demo.js', import.meta.url));

describe('npm start', () => {
  it('goes on after kill -9 of the launcher and of all that would clean up after it', async () => {
    const home = makeTemporaryFolder();
    const ports = await portSettings();
    let parley = LaunchedParley.launch(home, ports);
    try {
      await parley.prints(READY);
      const names = ['api', 'worker', 'temporal', 'postgres'];
      for (const name of names) process.kill(parley.processesOf(name)[0]!.pid, 'SIGSTOP');
      parley.signal('SIGKILL');
      await parley.exited;
      for (const name of names) process.kill(parley.processesOf(name).find(isRunning)!.pid, 'SIGKILL');
      parley = LaunchedParley.launch(home, ports);
      await parley.prints(READY);
      assert.equal((await fetch(`${parley.baseUrl}/api/health/ready`)).status, 200);
      parley.signal('SIGTERM');
      assert.deepEqual(await parley.exited, { code: 0, signal: null });
    } finally {
      parley.signal('SIGKILL');
      await waitUntilGone(parley.runningProcesses(), 10_000);
    }
  });
});

describe('npm run demo', () => {
  it('shows the main job on a Parley of its own, ends it, and says how to keep it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [DEMO], {
      env: { ...process.env, PARLEY_HOME: makeTemporaryFolder() },
    });
    assert.match(stdout, /No Parley is running here, so the demo starts one of its own\./);
    assert.equal(stdout.match(/ indexed +\d+ passages/g)?.length, 4);
    assert.match(stdout, /14 of 14 came, each signed by Parley/);
    assert.match(
      stdout,
      /To look around in a browser afterwards: npm run demo -- --keep\s+Everything held\.\s*$/,
    );
  });
});
