import assert from 'node:assert/strict';
import { FairQueue } from '../../core/concurrency/fair-queue.ts';

const never = new AbortController().signal;
const LONG_MS = 60_000;
const tick = () => new Promise((resolve) => void setImmediate(resolve));

/** Work that ends when it is told to, and notes when it begins. */
class Bench {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly #queue: FairQueue;

  constructor(places: number, waitingPlaces: number, longestWaitMs = LONG_MS) {
    this.#queue = new FairQueue({ slots: places, maxWaiting: waitingPlaces, maxWaitMs: longestWaitMs });
  }

  /** @param name begins with the holder's; `!` at its end is urgent */
  bring(name: string, signal = never): Promise<string> {
    const work = async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.#ends.set(name, resolve));
      return 'done';
    };
    return this.#queue.run(name[0]!, work, signal, { isUrgent: name.endsWith('!') });
  }

  async bringAll(...names: string[]): Promise<void> {
    for (const name of names) void this.bring(name);
    await tick();
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)!();
    await tick();
  }
}

describe('a fair queue', () => {
  it('gives one holder all places but one, and another one that at once', async () => {
    const bench = new Bench(3, 8);
    await bench.bringAll('a1', 'a2', 'a3', 'a4', 'b1');
    assert.deepEqual(bench.begun, ['a1', 'a2', 'b1']);
  });

  it('gives a free place to who holds the fewest, and of one holder to who came first', async () => {
    const bench = new Bench(3, 8);
    await bench.bringAll('a1', 'a2', 'b1', 'a3', 'a4', 'c1');
    await bench.end('a1');
    assert.deepEqual(bench.begun, ['a1', 'a2', 'b1', 'c1']);
    await bench.end('b1');
    await bench.end('c1');
    assert.deepEqual(bench.begun.slice(4), ['a3']);
    await bench.end('a2');
    assert.deepEqual(bench.begun.slice(4), ['a3', 'a4']);
  });

  it('keeps a place for who has none', async () => {
    const queue = new FairQueue({ slots: 2, reservedSlots: 1, maxWaiting: 8, maxWaitMs: LONG_MS });
    const begun: string[] = [];
    let end = () => {};
    for (const name of ['a1', 'b1', 'b2', 'c1', 'd1']) {
      const work = () => (begun.push(name), new Promise<void>((resolve) => (end = resolve)));
      void queue.run(name[0]!, work, never);
    }
    await tick();
    assert.deepEqual(begun, ['a1', 'b1', 'c1']);
    end();
    await tick();
    assert.deepEqual(begun.slice(3), ['d1']);
  });

  it('gives a place to what is urgent of a holder first, and not before another holder', async () => {
    const bench = new Bench(2, 8);
    await bench.bringAll('a1', 'b1', 'c1', 'a2', 'a3!', 'c2!');
    assert.deepEqual(bench.begun, ['a1', 'b1']);
    await bench.end('a1');
    await bench.end('b1');
    await bench.end('c2!');
    assert.deepEqual(bench.begun.slice(2), ['c2!', 'a3!', 'c1']);
  });

  it('gives what is urgent the chair of what is not, of the same holder only', async () => {
    const bench = new Bench(1, 4);
    await bench.bringAll('a1', 'b1');
    const second = bench.bring('a2');
    const third = bench.bring('a3');
    await bench.bringAll('a4!');
    assert.equal(await third, 'out_of_turn');
    await bench.bringAll('a5!');
    assert.equal(await second, 'out_of_turn');
    assert.equal(await bench.bring('a6!'), 'out_of_turn');
    for (const name of ['a1', 'b1', 'a4!', 'a5!']) await bench.end(name);
    assert.deepEqual(bench.begun, ['a1', 'b1', 'a4!', 'a5!']);
  });

  it('sends away what finds its share of the room taken, and keeps a chair for others', async () => {
    const bench = new Bench(1, 2);
    await bench.bringAll('a1', 'a2');
    assert.equal(await bench.bring('a3'), 'out_of_turn');
    await bench.bringAll('b1');
    await bench.end('a1');
    await bench.end('a2');
    assert.deepEqual(bench.begun, ['a1', 'a2', 'b1']);
  });

  it('sends away what has waited for long', async () => {
    const bench = new Bench(1, 2, 1);
    await bench.bringAll('a1');
    assert.equal(await bench.bring('b1'), 'out_of_turn');
  });

  it('forgets what is called off while it waits', async () => {
    const bench = new Bench(1, 2);
    const calling = new AbortController();
    const first = bench.bring('a1');
    await tick();
    const second = bench.bring('b1', calling.signal);
    calling.abort(new Error('Called off.'));
    await assert.rejects(second, /Called off/);
    await bench.end('a1');
    assert.equal(await first, 'done');
    assert.deepEqual(bench.begun, ['a1']);
  });
});
