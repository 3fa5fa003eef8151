import assert from 'node:assert/strict';
import { pauseIfDue, runInSlices, yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';

/** Counts iterations of the event loop while `work` runs. */
async function countIterations<T>(work: (iteration: () => number) => Promise<T>): Promise<T> {
  let count = 0;
  let isOver = false;
  const next = (): void => {
    count += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  try {
    return await work(() => count);
  } finally {
    isOver = true;
  }
}

function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('yieldToEventLoop', () => {
  it('resumes each of many callers in a different iteration', async () => {
    const seen = await countIterations((iteration) =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          await yieldToEventLoop();
          return iteration();
        }),
      ),
    );
    assert.equal(new Set(seen).size, 20);
  });
});

describe('pauseIfDue', () => {
  it('pauses once a slice is over', () =>
    countIterations(async (iteration) => {
      await pauseIfDue();
      const before = iteration();
      keepBusy(6);
      await pauseIfDue();
      assert.ok(iteration() > before);
    }));

  it('divides a turn among all callers', () =>
    countIterations(async (iteration) => {
      const busyMs = new Map<number, number>();
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          for (let step = 0; step < 10; step += 1) {
            await pauseIfDue();
            keepBusy(0.25);
            busyMs.set(iteration(), (busyMs.get(iteration()) ?? 0) + 0.25);
          }
        }),
      );
      // Within an iteration, callers may work for a slice of 5 ms, and one more step each.
      assert.ok(Math.max(...busyMs.values()) <= 10, [...busyMs.values()].join(' '));
    }));
});

describe('runInSlices', () => {
  it('pauses between steps that take long together, and returns the result', () =>
    countIterations(async (iteration) => {
      const seen: number[] = [];
      function* work(): Generator<void, string> {
        for (let step = 0; step < 3; step += 1) {
          seen.push(iteration());
          keepBusy(6);
          yield;
        }
        return 'done';
      }
      assert.equal(await runInSlices(work()), 'done');
      assert.equal(new Set(seen).size, 3);
    }));
});
