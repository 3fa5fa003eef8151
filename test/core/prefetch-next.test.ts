import assert from 'node:assert/strict';
import { prefetchNext } from '../../core/concurrency/prefetch-next.ts';

describe('prefetchNext', () => {
  async function* countUp(made: number[], until = 3): AsyncGenerator<number, void, undefined> {
    try {
      for (let value = 1; value <= until; value += 1) {
        made.push(value);
        yield value;
      }
    } finally {
      made.push(0);
    }
  }

  it('returns values in order, and prefetches the next value as soon as it may', async () => {
    const made: number[] = [];
    const seen: [number, number[], number[]][] = [];
    for await (const { value, startNext } of prefetchNext(countUp(made))) {
      const before = [...made];
      startNext();
      startNext();
      await new Promise(setImmediate);
      seen.push([value, before, [...made]]);
    }
    assert.deepEqual(seen, [
      [1, [1], [1, 2]],
      [2, [1, 2], [1, 2, 3]],
      [3, [1, 2, 3], [1, 2, 3, 0]],
    ]);
  });

  it('returns values that are requested directly', async () => {
    const made: number[] = [];
    const seen: number[][] = [];
    for await (const _ of prefetchNext(countUp(made))) {
      await new Promise(setImmediate);
      seen.push([...made]);
    }
    assert.deepEqual(seen, [[1], [1, 2], [1, 2, 3]]);
  });

  it('ends the source if the consumer stops early', async () => {
    const made: number[] = [];
    for await (const { startNext } of prefetchNext(countUp(made))) {
      startNext();
      break;
    }
    assert.deepEqual(made, [1, 2, 0]);
  });

  it('throws the error of its source, after the last value', async () => {
    const seen: number[] = [];
    const failAfterOne = async function* () {
      yield 1;
      throw new Error('no more');
    };
    await assert.rejects(
      async () => {
        for await (const { value, startNext } of prefetchNext(failAfterOne())) {
          startNext();
          await new Promise(setImmediate);
          seen.push(value);
        }
      },
      { message: 'no more' },
    );
    assert.deepEqual(seen, [1]);
  });
});
