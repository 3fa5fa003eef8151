import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { ReadingQueue } from '../../activities/knowledge/reading-queue.ts';
import { readAlone } from '../../services/knowledge/ingestion/extraction-thread-client.ts';
import { CrowdedError } from '../../services/knowledge/ingestion/reading-memory.ts';
import { buildBot } from '../support/build-bot.ts';
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
  /** Simulates reading a document until the signal aborts. */
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

describe('index of IngestionService', () => {
  it('throws CrowdedError in place of waiting in its slot while another document is read alone', async () => {
    const parley = await startSharedParley();
    const { bot, client, orgId } = await buildBot(parley);
    const body = new FormData();
    const bytes = await readFile(new URL('../fixtures/documents/prices.xlsx', import.meta.url));
    body.set('file', new File([new Uint8Array(bytes)], 'prices.xlsx'));
    const uploaded = await client.fetch(`/api/bots/${bot.id}/knowledge/upload`, { method: 'POST', body });
    const { id } = (await uploaded.json()) as { id: string };
    const { happened: ended, happen: end } = createOneTimeSignal();
    const alone = readAlone({ payerId: orgId }, () => ended);
    const { ingestion } = parley.runtime.services.knowledge;
    const revision = { botId: bot.id, documentId: id, revision: 1 };
    const indexing = ingestion.index({ orgId, db: parley.database }, revision);
    await assert.rejects(indexing, CrowdedError).finally(end);
    await alone;
  });
});
