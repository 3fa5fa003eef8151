import assert from 'node:assert/strict';
import { once } from 'node:events';
import { ReadingQueue } from '../../activities/knowledge/reading-queue.ts';
import { CrowdedError } from '../../services/knowledge/ingestion/reading-memory.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('ReadingQueue', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });
  const never = new AbortController().signal;
  const buildScope = async () => ({ orgId: (await parley.buildOrg()).orgId, db: parley.database });
  const buildQueue = () => new ReadingQueue({ slots: 1, maxWaiting: 4, maxWaitMs: 60_000, turnMs: 1 });
  /** Reads until the signal aborts. */
  const readLong = async (signal: AbortSignal): Promise<string> => {
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  };

  it('reads a payer’s document during the long read of another payer, which starts again and ends', async () => {
    const [attacker, victim] = [await buildScope(), await buildScope()];
    const queue = buildQueue();
    const { happened: ended, happen: end } = createOneTimeSignal();
    let starts = 0;
    const long = queue.runToEnd(
      attacker,
      (signal) => ((starts += 1) === 1 ? readLong(signal) : ended.then(() => 'read at last')),
      never,
    );
    await waitUntil(() => starts === 1, 'the long read to start');
    assert.equal(await queue.run(victim, async () => 'read', never), 'read');
    await waitUntil(() => starts === 2, 'the long read to start again');
    assert.equal(await queue.run(victim, async () => 'read', never), 'read');
    end();
    assert.equal(await long, 'read at last');
  });

  it('returns out_of_turn for a read that lost its slot, if it may not start again', async () => {
    const [attacker, victim] = [await buildScope(), await buildScope()];
    const queue = buildQueue();
    let hasStarted = false;
    const long = queue.run(attacker, (signal) => ((hasStarted = true), readLong(signal)), never);
    await waitUntil(() => hasStarted, 'the long read to start');
    assert.equal(await queue.run(victim, async () => 'read', never), 'read');
    assert.equal(await long, 'out_of_turn');
  });

  it('runToEnd frees the slot of a read that needs the memory of others', async () => {
    const [first, second] = [await buildScope(), await buildScope()];
    const queue = buildQueue();
    const crowded = queue.runToEnd(first, () => Promise.reject(new CrowdedError()), never);
    assert.equal(await crowded, 'out_of_turn');
    assert.equal(await queue.run(second, async () => 'read', never, { maxWaitMs: 0 }), 'read');
  });

  it('throws the reason of a caller’s signal that aborts a long read', async () => {
    const calling = new AbortController();
    const long = buildQueue().runToEnd(await buildScope(), readLong, calling.signal);
    calling.abort(new Error('Called off.'));
    await assert.rejects(long, /Called off/);
  });
});
