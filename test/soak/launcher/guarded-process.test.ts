import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeExit, GuardedProcess } from '../../../scripts/launcher/guarded-process.ts';
import {
  identifyProcess,
  waitUntilGone,
  type ProcessIdentity,
} from '../../../scripts/launcher/process-identity.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { PATIENCE_MS } from '../../support/wait-until.ts';

const MODULE = fileURLToPath(new URL('../../../scripts/launcher/guarded-process.ts', import.meta.url));

describe('a guarded process', () => {
  const folder = makeTemporaryFolder();

  after(() => rmSync(folder, { recursive: true, force: true }));

  function start(script: string, waitMs = PATIENCE_MS): GuardedProcess {
    return new GuardedProcess({
      name: `test-${Math.random()}`,
      command: process.execPath,
      args: ['-e', script],
      env: process.env,
      stopSteps: [{ signal: 'SIGTERM', waitMs }],
      folder,
    });
  }

  async function logs(running: GuardedProcess, text: string): Promise<void> {
    while (!running.logTail().includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  it('reports its exit and its output', async () => {
    const running = start('console.log("one\\ntwo"); process.exitCode = 3');
    assert.equal(describeExit(await running.exited), 'exit code 3');
    assert.equal(running.logTail(1), 'two');
  });

  it('reports that it cannot be started', async () => {
    const running = new GuardedProcess({
      name: 'absent',
      command: '/no/such/program',
      args: [],
      env: process.env,
      stopSteps: [],
      folder,
    });
    assert.equal(describeExit(await running.exited), 'spawn /no/such/program ENOENT');
  });

  it('gets SIGTERM first, and may exit by itself', async () => {
    const running = start(
      'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1e6); console.log("up")',
    );
    await logs(running, 'up');
    await running.stop();
    assert.deepEqual(await running.exited, { code: 0, signal: null, problem: undefined });
  });

  it('is killed if it does not exit after SIGTERM', async () => {
    const running = start(
      'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6); console.log("up")',
      100,
    );
    await logs(running, 'up');
    await running.stop();
    assert.equal(describeExit(await running.exited), 'signal SIGKILL');
  });

  it('ends when its guard is killed', async () => {
    const running = start('setInterval(() => {}, 1e6); console.log(process.pid, process.ppid)');
    await logs(running, ' ');
    const [pid, guardPid] = running.logTail().split(' ').map(Number);
    const itself = identifyProcess(pid!);
    process.kill(guardPid!, 'SIGKILL');
    assert.equal(describeExit(await running.exited), 'signal SIGKILL');
    assert.deepEqual(await waitUntilGone([itself!], 0), true);
  });

  it('ends when the process that started it is killed', async () => {
    const starter = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        '--input-type=module',
        '-e',
        `
        import { GuardedProcess } from ${JSON.stringify(MODULE)};
        new GuardedProcess({ name: 'orphan', command: process.execPath, env: process.env, folder: ${JSON.stringify(folder)},
          args: ['-e', 'setInterval(() => {}, 1e6)'], stopSteps: [{ signal: 'SIGTERM', waitMs: 5000 }] });
        const { readFileSync } = await import('node:fs');
        const poll = setInterval(() => {
          const processes = readFileSync(${JSON.stringify(`${folder}/run/orphan.json`)}, 'utf8');
          if (JSON.parse(processes).length < 2) return;
          clearInterval(poll);
          process.stdout.write(processes);
        }, 10);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const processes = JSON.parse(line.toString()) as ProcessIdentity[];
    starter.kill('SIGKILL');
    assert.equal(await waitUntilGone(processes, PATIENCE_MS), true);
  });
});
