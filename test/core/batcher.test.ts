import assert from 'node:assert/strict';
import { Batcher } from '../../core/concurrency/batcher.ts';

describe('Batcher', () => {
  it('combines concurrent calls into one batch', async () => {
    const sent: string[][] = [];
    const batcher = new Batcher(async (items: string[]) => {
      sent.push(items);
      return items.map((item) => item.toUpperCase());
    });
    const results = await Promise.all(['a', 'b', 'a'].map((item) => batcher.load(item)));
    assert.deepEqual(results, ['A', 'B', 'A']);
    assert.deepEqual(sent, [['a', 'b', 'a']]);
  });

  it('splits many calls into batches, and starts the first before all callers have called', async () => {
    const sent: number[][] = [];
    const batcher = new Batcher(async (items: number[]) => {
      sent.push(items);
      return items.map((item) => -item);
    });
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    const asked = Promise.all(numbers.map((number) => batcher.load(number)));
    assert.deepEqual(
      sent.map(({ length }) => length),
      [100, 100],
    );
    assert.deepEqual(
      await asked,
      numbers.map((number) => -number),
    );
    assert.deepEqual(sent.flat(), numbers);
  });

  it('never returns data that was read before the call', async () => {
    let stored = 'valid';
    const finish: (() => void)[] = [];
    const batcher = new Batcher(async (items: string[]) => {
      const read = stored;
      await new Promise<void>((resolve) => finish.push(resolve));
      return items.map(() => read);
    }, 1);
    const early = batcher.load('key');
    while (finish.length === 0) await new Promise(setImmediate);
    stored = 'revoked';
    const late = batcher.load('key');
    finish[0]!();
    assert.equal(await early, 'valid');
    while (finish.length === 1) await new Promise(setImmediate);
    finish[1]!();
    assert.equal(await late, 'revoked');
  });

  it('lets other work run between callers that take long', async () => {
    const batcher = new Batcher(async (items: number[]) => items);
    let turns = 0;
    let isOver = false;
    const countTurn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(countTurn);
    };
    const turnsOfCallers = await Promise.all(
      Array.from({ length: 20 }, async (_, item) => {
        await batcher.load(item);
        if (item === 0) countTurn();
        const end = performance.now() + 4;
        while (performance.now() < end);
        return turns;
      }),
    );
    isOver = true;
    const counts = [...new Set(turnsOfCallers)].map(
      (turn) => turnsOfCallers.filter((other) => other === turn).length,
    );
    assert.ok(Math.max(...counts) <= 4, counts.join(' '));
  });

  it('fails only the calls of a failed batch', async () => {
    let calls = 0;
    const batcher = new Batcher(async (items: string[]) => {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return items;
    });
    await Promise.all(['a', 'b'].map((item) => assert.rejects(batcher.load(item), /away/)));
    assert.equal(await batcher.load('c'), 'c');
  });
});
