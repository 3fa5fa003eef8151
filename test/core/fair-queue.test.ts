import assert from 'node:assert/strict';
import { once, setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { FairQueue } from '../../core/concurrency/fair-queue.ts';
import { waitUntil } from '../support/wait-until.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const LONG_MS = 60_000;
const tick = () => new Promise((resolve) => void setImmediate(resolve));

/** A fair queue with tasks that end on command, and a record of the tasks' starts. */
class TaskBench {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly #queue: FairQueue;
  #nowMs = 0;

  constructor(places: number, waitingPlaces: number, longestWaitMs = LONG_MS) {
    this.#queue = new FairQueue({
      slots: places,
      maxWaiting: waitingPlaces,
      maxWaitMs: longestWaitMs,
      now: () => this.#nowMs,
    });
  }

  passSeconds(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }

  /** @param name name of the task; its first letter is the holder, and a final `!` makes it urgent */
  addTask(name: string, signal = never, waitingSince?: number): Promise<string> {
    const work = async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.#ends.set(name, resolve));
      return 'done';
    };
    return this.#queue.run(name[0]!, work, signal, { isUrgent: name.endsWith('!'), waitingSince });
  }

  async addTasks(...names: string[]): Promise<void> {
    for (const name of names) void this.addTask(name);
    await tick();
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)!();
    await tick();
  }
}

describe('FairQueue', () => {
  it('gives one holder all slots except one slot, which another holder gets at once', async () => {
    const bench = new TaskBench(3, 8);
    await bench.addTasks('a1', 'a2', 'a3', 'a4', 'b1');
    assert.deepEqual(bench.begun, ['a1', 'a2', 'b1']);
  });

  it('gives a free slot to the holder with the fewest slots, and to that holder’s oldest task', async () => {
    const bench = new TaskBench(3, 8);
    await bench.addTasks('a1', 'a2', 'b1', 'a3', 'a4', 'c1');
    await bench.end('a1');
    assert.deepEqual(bench.begun, ['a1', 'a2', 'b1', 'c1']);
    await bench.end('b1');
    await bench.end('c1');
    assert.deepEqual(bench.begun.slice(4), ['a3']);
    await bench.end('a2');
    assert.deepEqual(bench.begun.slice(4), ['a3', 'a4']);
  });

  it('gives a free slot to the holder that has lately used slots for the shortest time', async () => {
    const bench = new TaskBench(1, 8);
    await bench.addTasks('a1', 'a2', 'b1', 'c1');
    bench.passSeconds(10);
    await bench.end('a1');
    bench.passSeconds(1);
    await bench.end('b1');
    await bench.addTasks('b2', 'd1');
    bench.passSeconds(1);
    await bench.end('c1');
    bench.passSeconds(20);
    await bench.end('d1');
    await bench.end('b2');
    assert.deepEqual(bench.begun, ['a1', 'b1', 'c1', 'd1', 'b2', 'a2']);
  });

  it('counts the time of running tasks as use', async () => {
    const bench = new TaskBench(3, 8);
    await bench.addTasks('b1');
    bench.passSeconds(5);
    await bench.end('b1');
    await bench.addTasks('a1', 'a2', 'c1', 'a3', 'b2');
    bench.passSeconds(10);
    await bench.end('a1');
    assert.deepEqual(bench.begun.slice(4), ['b2']);
  });

  it('halves past use every minute', async () => {
    const bench = new TaskBench(1, 8);
    await bench.addTasks('a1');
    bench.passSeconds(10);
    await bench.end('a1');
    bench.passSeconds(120);
    await bench.addTasks('b1', 'b2', 'a2');
    bench.passSeconds(3);
    await bench.end('b1');
    assert.deepEqual(bench.begun, ['a1', 'b1', 'a2']);
  });

  it('delays a small task by one expensive task, however many expensive tasks wait', async () => {
    const bench = new TaskBench(3, 44);
    const rounds = Array.from({ length: 6 }, (_, index) => index);
    await bench.addTasks(...['a', 'b', 'c'].flatMap((holder) => rounds.map((round) => `${holder}${round}`)));
    bench.passSeconds(60);
    await bench.end('a0');
    await bench.addTasks('v1');
    bench.passSeconds(60);
    await bench.end('b0');
    assert.equal(bench.begun.at(-1), 'v1');
  });

  it('orders the tasks of a holder by the time since which they wait', async () => {
    const bench = new TaskBench(1, 8);
    await bench.addTasks('a1', 'b1');
    void bench.addTask('b2', never, 1);
    void bench.addTask('b3', never, 2);
    await tick();
    for (const name of ['a1', 'b2', 'b3']) await bench.end(name);
    assert.deepEqual(bench.begun, ['a1', 'b2', 'b3', 'b1']);
  });

  it('reserves a slot for a holder without slots', async () => {
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

  it('prefers a holder’s urgent tasks to its other tasks, but not to those of other holders', async () => {
    const bench = new TaskBench(2, 8);
    await bench.addTasks('a1', 'b1', 'c1', 'a2', 'a3!', 'c2!');
    assert.deepEqual(bench.begun, ['a1', 'b1']);
    await bench.end('a1');
    await bench.end('b1');
    await bench.end('c2!');
    assert.deepEqual(bench.begun.slice(2), ['c2!', 'a3!', 'c1']);
  });

  it('lets an urgent task replace only a waiting task of the same holder', async () => {
    const bench = new TaskBench(1, 4);
    await bench.addTasks('a1', 'b1');
    const second = bench.addTask('a2');
    const third = bench.addTask('a3');
    await bench.addTasks('a4!');
    assert.equal(await third, 'out_of_turn');
    await bench.addTasks('a5!');
    assert.equal(await second, 'out_of_turn');
    assert.equal(await bench.addTask('a6!'), 'out_of_turn');
    for (const name of ['a1', 'b1', 'a4!', 'a5!']) await bench.end(name);
    assert.deepEqual(bench.begun, ['a1', 'b1', 'a4!', 'a5!']);
  });

  it('refuses a task of a holder whose share of the waiting list is full, and reserves places for other holders', async () => {
    const bench = new TaskBench(1, 2);
    await bench.addTasks('a1', 'a2');
    assert.equal(await bench.addTask('a3'), 'out_of_turn');
    await bench.addTasks('b1');
    await bench.end('a1');
    await bench.end('a2');
    assert.deepEqual(bench.begun, ['a1', 'a2', 'b1']);
  });

  it('makes room in the full queue for a holder without waiting tasks, at the cost of the other holders', async () => {
    const bench = new TaskBench(1, 4);
    await bench.addTasks('a1');
    const second = bench.addTask('a2');
    const third = bench.addTask('a3');
    await bench.addTasks('b1', 'c1', 'd1');
    assert.equal(await third, 'out_of_turn');
    await bench.addTasks('e1');
    assert.equal(await second, 'out_of_turn');
    assert.equal(await bench.addTask('f1'), 'out_of_turn');
  });

  it('refuses a task that has waited too long', async () => {
    const bench = new TaskBench(1, 2, 1);
    await bench.addTasks('a1');
    assert.equal(await bench.addTask('b1'), 'out_of_turn');
  });

  it('drops a task that is aborted while it waits', async () => {
    const bench = new TaskBench(1, 2);
    const calling = new AbortController();
    const first = bench.addTask('a1');
    await tick();
    const second = bench.addTask('b1', calling.signal);
    calling.abort(new Error('Called off.'));
    await assert.rejects(second, /Called off/);
    await bench.end('a1');
    assert.equal(await first, 'done');
    assert.deepEqual(bench.begun, ['a1']);
  });

  describe('with turns', () => {
    /** Builds a fair queue whose tasks run until their turn ends, and a log of the tasks' starts and results. */
    const buildQueue = (slots: number) => {
      let nowMs = 0;
      const queue = new FairQueue({
        slots,
        maxWaiting: 8,
        maxWaitMs: LONG_MS,
        turnMs: 1,
        now: () => nowMs,
      });
      const log: string[] = [];
      const addTasks = async (...names: string[]) => {
        for (const name of names) {
          const work = async (turn: AbortSignal) => {
            log.push(name);
            await once(turn, 'abort');
            throw turn.reason;
          };
          void queue.run(name[0]!, work, never).then((result) => log.push(`${name} ${result}`));
        }
        await tick();
      };
      const passSeconds = (seconds: number) => (nowMs += seconds * 1000);
      return { queue, log, addTasks, passSeconds };
    };

    it('ends the long task of the holder with the most use for a holder without use', async () => {
      const { log, addTasks, passSeconds } = buildQueue(3);
      await addTasks('a1', 'a2', 'b1');
      passSeconds(5);
      await addTasks('c1', 'c2');
      await waitUntil(() => log.includes('c1'), 'the task to start');
      assert.deepEqual(log, ['a1', 'a2', 'b1', 'a1 out_of_turn', 'c1']);
    });

    it('ends a task at the end of its turn if a holder without use waits already', async () => {
      const { log, addTasks } = buildQueue(1);
      await addTasks('a1', 'b1');
      await waitUntil(() => log.includes('b1'), 'the task to start');
      assert.deepEqual(log, ['a1', 'a1 out_of_turn', 'b1']);
    });

    it('ends no task for a holder with a slot, or with more than half of the use', async () => {
      const { queue, log, addTasks, passSeconds } = buildQueue(1);
      await queue.run('b', async () => void passSeconds(5), never);
      await addTasks('a1');
      passSeconds(8);
      await addTasks('a2', 'b1');
      await setTimeout(20);
      assert.deepEqual(log, ['a1']);
      passSeconds(8);
      await addTasks('b2');
      await waitUntil(() => log.includes('b1'), 'the task to start');
      assert.deepEqual(log, ['a1', 'a1 out_of_turn', 'b1']);
    });

    it('throws the error of a task whose turn has not ended', async () => {
      const { queue } = buildQueue(1);
      await assert.rejects(
        queue.run('a', async () => Promise.reject(new Error('Unreadable.')), never),
        /Unreadable/,
      );
    });
  });
});
