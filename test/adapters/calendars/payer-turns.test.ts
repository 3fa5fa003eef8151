import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { PayerTurns } from '../../../adapters/calendars/caldav/payer-turns.ts';

const STEPS = 4;

describe('the turns of the CalDAV thread', () => {
  let turns: PayerTurns;
  let log: string[];
  beforeEach(() => {
    turns = new PayerTurns();
    log = [];
  });

  /** Runs several steps, each in a turn that the paying workspace waits for, and each as long as `milliseconds`. */
  async function makeSteps(payerId: string, milliseconds: number, name = payerId): Promise<void> {
    const reader = {};
    for (let step = 0; step < STEPS; step += 1) {
      await turns.take(reader, payerId);
      assert.ok(turns.hasTurn(reader));
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
      log.push(name);
    }
  }

  it('go to the payer with the least use, however many readers another payer has', async () => {
    const costly = [1, 2, 3, 4, 5].map(() => makeSteps('costly', 10));
    await setImmediate();
    await Promise.all([...costly, makeSteps('honest', 1)]);
    const lastHonest = log.lastIndexOf('honest');
    assert.ok(lastHonest <= STEPS + 2, log.join(' '));
    assert.equal(log.length, 6 * STEPS);
  });

  it('alternate between payers with equal use', async () => {
    await Promise.all([makeSteps('one', 5), makeSteps('other', 5)]);
    assert.deepEqual(log.slice(0, 2), ['one', 'other']);
    assert.ok(log.lastIndexOf('one') >= STEPS && log.lastIndexOf('other') >= STEPS, log.join(' '));
  });

  it('go to the readers of a payer one after the other', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => makeSteps('one', 1, name)));
    assert.deepEqual(log, Array<string[]>(STEPS).fill(['a', 'b', 'c']).flat());
  });

  it('end in the next iteration of the event loop', async () => {
    const reader = {};
    await turns.take(reader, 'one');
    await setImmediate();
    assert.ok(!turns.hasTurn(reader));
  });
});
