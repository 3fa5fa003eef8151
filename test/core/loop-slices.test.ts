import assert from 'node:assert/strict';
import { LoopSlices, runInSlices, yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';

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

describe('LoopSlices', () => {
  it('pauses once a slice is over', () =>
    countIterations(async (iteration) => {
      const slices = new LoopSlices();
      const before = iteration();
      keepBusy(6);
      await slices.pauseIfDue();
      assert.ok(iteration() > before);
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
