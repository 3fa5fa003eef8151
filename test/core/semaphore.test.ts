import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Semaphore } from '../../core/concurrency/semaphore.ts';

describe('Semaphore', () => {
  it('limits concurrent tasks, keeps their order, and continues after failures', async () => {
    const semaphore = new Semaphore(2);
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        semaphore.run(async () => {
          begun.push(index);
          most = Math.max(most, (running += 1));
          await turn();
          running -= 1;
          if (index === 1) throw new Error('No.');
          return index;
        }),
      ),
    );
    assert.deepEqual([most, begun], [2, [0, 1, 2, 3, 4, 5]]);
    assert.deepEqual(
      outcomes.map(({ status }) => status === 'fulfilled'),
      [true, false, true, true, true, true],
    );
  });

  it('drops an operation that is aborted while it waits, and passes its place to the next operation', async () => {
    const semaphore = new Semaphore(1);
    const aborting = new AbortController();
    const begun: string[] = [];
    let end = () => {};
    const first = semaphore.run(() => new Promise<void>((resolve) => (end = resolve)));
    const second = semaphore.run(async () => void begun.push('second'), aborting.signal);
    const third = semaphore.run(async () => void begun.push('third'), new AbortController().signal);
    aborting.abort(new Error('Called off.'));
    await assert.rejects(second, /Called off/);
    end();
    await Promise.all([first, third]);
    assert.deepEqual(begun, ['third']);
  });
});
