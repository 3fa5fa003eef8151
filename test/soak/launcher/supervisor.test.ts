import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describeExit, GuardedProcess } from '../../../scripts/launcher/guarded-process.ts';
import { LaunchError } from '../../../scripts/launcher/launch-error.ts';
import { Supervisor, type Service } from '../../../scripts/launcher/supervisor.ts';
import { appendLogTail } from '../../../scripts/launcher/wait-until-ready.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

describe('the supervisor', () => {
  const folder = makeTemporaryFolder();

  after(() => rmSync(folder, { recursive: true, force: true }));

  function service(name: string, script: string): Service & { started: GuardedProcess[] } {
    const started: GuardedProcess[] = [];
    return {
      name,
      label: `The ${name}`,
      started,
      spawn() {
        const running = new GuardedProcess({
          name,
          command: process.execPath,
          args: ['-e', script],
          env: process.env,
          stopSteps: [{ signal: 'SIGTERM', waitMs: 2000 }],
          folder,
        });
        started.push(running);
        return running;
      },
      ready: () => Promise.resolve(),
    };
  }

  it('restarts a service, and fails with its last log lines if it does not become ready', async () => {
    const said: string[] = [];
    const supervisor = new Supervisor((line) => said.push(line), 20);
    const unlucky = service('unlucky', 'console.log("no luck"); process.exit(7)');
    unlucky.ready = async (running) => {
      if (unlucky.started.length <= 2) return;
      const exit = await running.exited;
      throw new LaunchError(appendLogTail(`The unlucky ended (${describeExit(exit)}).`, running));
    };
    await supervisor.start(unlucky);
    await assert.rejects(supervisor.failed, {
      name: 'LaunchError',
      message:
        'The unlucky could not be started 5 times in a row. The unlucky ended (exit code 7). Its last log lines:\n    no luck',
    });
    assert.equal(unlucky.started.length, 7);
    assert.deepEqual(said.slice(0, 2), [
      'The unlucky ended unexpectedly (exit code 7). Restarting it.',
      'The unlucky is running again.',
    ]);
  });

  it('keeps restarting a service that becomes ready, however often it is killed', async () => {
    const supervisor = new Supervisor(() => {}, 20);
    const victim = service('victim', 'setInterval(() => {}, 1e6)');
    await supervisor.start(victim);
    for (let kills = 1; kills <= 6; kills += 1) {
      await victim.started.at(-1)!.kill();
      while (victim.started.length === kills) await delay(20);
    }
    const state = await Promise.race([supervisor.failed, delay(50, 'going on')]);
    assert.equal(state, 'going on');
    await supervisor.stop();
  });

  it('stops the selected services first, then all other services, and restarts no service', async () => {
    const said: string[] = [];
    const supervisor = new Supervisor((line) => said.push(line));
    const first = service('first', 'setInterval(() => {}, 1e6)');
    const second = service('second', 'setInterval(() => {}, 1e6)');
    await Promise.all([supervisor.start(first), supervisor.start(second)]);
    await supervisor.stop((each) => each === first);
    const secondIsUp = await Promise.race([second.started[0]!.exited.then(() => false), delay(50, true)]);
    assert.equal(secondIsUp, true);
    await supervisor.stop();
    await Promise.all([first.started[0]!.exited, second.started[0]!.exited]);
    assert.deepEqual(said, []);
    await assert.rejects(supervisor.start(service('third', '')), { message: 'Parley is stopping.' });
  });
});
