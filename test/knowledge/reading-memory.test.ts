import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { CrowdedError, ReadingMemory } from '../../services/knowledge/ingestion/reading-memory.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { waitUntil } from '../support/wait-until.ts';

const MB = 1024 * 1024;
/** Milliseconds, longer than the interval at which a waiting document checks the memory in use. */
const CHECKED_MS = 120;

describe('ReadingMemory', () => {
  /** Builds a ReadingMemory in which the payer `one` reads all heavy documents. */
  function buildMemory({ otherPayersMs = 60_000 } = {}) {
    const state = { reads: 0, lightReads: 0, megabytes: 500 };
    const memory = new ReadingMemory(
      {
        countReads: () => state.reads + state.lightReads,
        countHeavyReads: (payerId = 'one') => (payerId === 'one' ? state.reads : 0),
      },
      { readRss: () => state.megabytes * MB, otherPayersMs },
    );
    const begin = () => (memory.begin(), (state.reads += 1));
    return { state, memory, begin };
  }

  async function isWaiting(waiting: Promise<void>): Promise<boolean> {
    return Promise.race([waiting.then(() => false), sleep(CHECKED_MS).then(() => true)]);
  }

  it('runAlone waits for heavy reads, and not for light ones', async () => {
    const { state, memory, begin } = buildMemory();
    begin();
    state.lightReads = 3;
    const alone = memory.runAlone({ payerId: 'one' }, async () => 'read');
    assert.equal(await isWaiting(alone.then(() => undefined)), true);
    state.reads = 0;
    assert.equal(await alone, 'read');
  });

  it('measures growth from the memory without documents, not from the start of a document', () => {
    const { state, memory, begin } = buildMemory();
    begin();
    state.megabytes = 800;
    begin();
    assert.equal(memory.measureGrowth(), 300 * MB);
    state.megabytes = 450;
    assert.equal(memory.measureGrowth(), 0);
    state.megabytes = 500;
    assert.equal(memory.measureGrowth(), 50 * MB);
  });

  it('wait returns once the documents that are being read take less than 256 MB, or have ended', async () => {
    const { state, memory, begin } = buildMemory();
    begin();
    state.megabytes = 800;
    const waiting = memory.wait({ payerId: 'one' });
    assert.equal(await isWaiting(waiting), true);
    state.megabytes = 700;
    await waiting;
    state.megabytes = 800;
    const next = memory.wait({ payerId: 'one' });
    assert.equal(await isWaiting(next), true);
    state.reads = 0;
    await next;
  });

  it('runAlone starts after other reads have ended, and wait returns after it', async () => {
    const { state, memory, begin } = buildMemory();
    begin();
    const { happened: ended, happen: end } = createOneTimeSignal();
    let isRunning = false;
    const alone = memory.runAlone({ payerId: 'one' }, () => ((isRunning = true), ended));
    const waiting = memory.wait({ payerId: 'one' });
    assert.equal(await isWaiting(waiting), true);
    assert.equal(isRunning, false);
    state.reads = 0;
    await waitUntil(() => isRunning, 'the read to start');
    assert.equal(await isWaiting(waiting), true);
    end();
    await alone;
    await waiting;
  });

  it('has no room while documents take 256 MB or another must be read alone', async () => {
    const { state, memory, begin } = buildMemory();
    begin();
    assert.equal(memory.hasRoom(), true);
    state.megabytes = 800;
    assert.equal(memory.hasRoom(), false);
    state.megabytes = 600;
    assert.equal(memory.hasRoom(), true);
    const { happened: ended, happen: end } = createOneTimeSignal();
    const alone = memory.runAlone({ payerId: 'one' }, () => ended);
    assert.equal(memory.hasRoom(), false);
    state.reads = 0;
    end();
    await alone;
    assert.equal(memory.hasRoom(), true);
  });

  it('wait throws the reason of a signal that aborts', async () => {
    const { state, memory, begin } = buildMemory();
    begin();
    state.megabytes = 800;
    await assert.rejects(memory.wait({ payerId: 'one', signal: AbortSignal.timeout(1) }), {
      name: 'TimeoutError',
    });
  });

  it('wait returns for a payer without heavy reads after the limit, and waits on for the payer that has them', async () => {
    const { state, memory, begin } = buildMemory({ otherPayersMs: 200 });
    begin();
    state.megabytes = 800;
    const ownWait = memory.wait({ payerId: 'one' });
    await memory.wait({ payerId: 'other' });
    assert.equal(memory.hasRoom(), false);
    assert.equal(await isWaiting(ownWait), true);
    state.reads = 0;
    await ownWait;
  });

  it('wait returns for another payer after the limit while a read runs alone', async () => {
    const { memory } = buildMemory({ otherPayersMs: 200 });
    const { happened: ended, happen: end } = createOneTimeSignal();
    const alone = memory.runAlone({ payerId: 'one' }, () => ended);
    await memory.wait({ payerId: 'other' });
    await assert.rejects(memory.wait({ payerId: 'one' }, 'throw'), CrowdedError);
    end();
    await alone;
  });

  it('wait throws CrowdedError if the caller wants no wait and its payer has heavy reads, and not for others', async () => {
    const { state, memory, begin } = buildMemory();
    begin();
    state.megabytes = 800;
    await assert.rejects(memory.wait({ payerId: 'one' }, 'throw'), CrowdedError);
    const otherWait = memory.wait({ payerId: 'other' }, 'throw');
    assert.equal(await isWaiting(otherWait), true);
    state.reads = 0;
    await otherWait;
  });

  it('runAlone lets payers take turns, however many reads one of them has', async () => {
    const { memory } = buildMemory();
    const order: string[] = [];
    const { happened: ended, happen: end } = createOneTimeSignal();
    const first = memory.runAlone({ payerId: 'one' }, () => ended);
    const readAs = (payerId: string) =>
      memory.runAlone({ payerId }, async () => {
        order.push(payerId);
        await sleep(20);
      });
    const others = [readAs('one'), readAs('one'), readAs('one'), readAs('other')];
    await sleep(CHECKED_MS);
    end();
    await Promise.all([first, ...others]);
    assert.deepEqual(order, ['other', 'one', 'one', 'one']);
  });
});
