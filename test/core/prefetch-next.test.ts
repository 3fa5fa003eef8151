import assert from 'node:assert/strict';
import { prefetchNext } from '../../core/concurrency/prefetch-next.ts';

describe('values of which the next one is made ahead', () => {
  async function* counted(made: number[], until = 3): AsyncGenerator<number, void, undefined> {
    try {
      for (let value = 1; value <= until; value += 1) {
        made.push(value);
        yield value;
      }
    } finally {
      made.push(0);
    }
  }

  it('come in order, the next one made as soon as it may be', async () => {
    const made: number[] = [];
    const seen: [number, number[], number[]][] = [];
    for await (const { value, makeNext } of prefetchNext(counted(made))) {
      const before = [...made];
      makeNext();
      makeNext();
      await new Promise(setImmediate);
      seen.push([value, before, [...made]]);
    }
    assert.deepEqual(seen, [
      [1, [1], [1, 2]],
      [2, [1, 2], [1, 2, 3]],
      [3, [1, 2, 3], [1, 2, 3, 0]],
    ]);
  });

  it('are made when they are asked for otherwise', async () => {
    const made: number[] = [];
    const seen: number[][] = [];
    for await (const _ of prefetchNext(counted(made))) {
      await new Promise(setImmediate);
      seen.push([...made]);
    }
    assert.deepEqual(seen, [[1], [1, 2], [1, 2, 3]]);
  });

  it('end what makes them where nobody takes any more', async () => {
    const made: number[] = [];
    for await (const { makeNext } of prefetchNext(counted(made))) {
      makeNext();
      break;
    }
    assert.deepEqual(made, [1, 2, 0]);
  });

  it('fail as what makes them does, behind the last value', async () => {
    const seen: number[] = [];
    const failing = async function* () {
      yield 1;
      throw new Error('no more');
    };
    await assert.rejects(
      async () => {
        for await (const { value, makeNext } of prefetchNext(failing())) {
          makeNext();
          await new Promise(setImmediate);
          seen.push(value);
        }
      },
      { message: 'no more' },
    );
    assert.deepEqual(seen, [1]);
  });
});
