import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { OutboundClient } from '../adapters/http/outbound-client.ts';
import { limitClient, S3_LIMITS } from '../adapters/storage/s3-limits.ts';
import { FairQueue } from '../core/concurrency/fair-queue.ts';
import { Semaphore } from '../core/concurrency/semaphore.ts';
import { roundTo, type Figure } from './support/figure.ts';
import { measureInTurn, type MeasuredPair } from './support/measure-in-turn.ts';
import { startPeer } from './support/peer.ts';

const SLOTS = 12;
/**
 * Number of paying workspaces, each with one download after another. Half of them download; the others wait
 * for a slot.
 */
const PAYERS = 2 * SLOTS;
const DOWNLOADS_PER_PAYER = 4;
const OBJECTS = 20;
const PAIRS = 30;
const WARM_UP_PAIRS = 5;
/**
 * Maximum ratio of CPU time of downloads in fair slots to CPU time with a plain semaphore. Allows for noise
 * of a busy machine.
 */
const MAX_SLOTS_RATIO = 1.1;
/**
 * Maximum ratio of CPU time to read stored objects with limits to CPU time of a bare client. With limits,
 * each piece of an object has a timer and passes one more stream.
 */
const MAX_STORE_RATIO = 1.25;

/**
 * Compares downloads with and without slots that payers share fairly, and reads of an object store with and
 * without limits.
 */
export async function benchLimits(): Promise<Figure[]> {
  const peer = await startPeer('site-process.ts');
  try {
    return [
      await compare(
        'CPU of downloads in fair slots to a plain semaphore',
        MAX_SLOTS_RATIO,
        downloadInSlots(peer.line),
      ),
      await compare(
        'CPU of a store’s objects with limits to a bare client',
        MAX_STORE_RATIO,
        readObjects(peer.line),
      ),
    ];
  } finally {
    peer.stop();
  }
}

async function compare(figure: string, maxRatio: number, pair: MeasuredPair): Promise<Figure> {
  const { measured, baseline } = await measureInTurn(pair, {
    pairs: PAIRS,
    warmUpPairs: WARM_UP_PAIRS,
    readMs: readCpuMs,
  });
  const value = roundTo(measured / baseline);
  return { bench: 'limits', figure, value, unit: '×', target: `≤ ${maxRatio}`, ok: value <= maxRatio };
}

function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function downloadInSlots(base: string): MeasuredPair {
  const client = new OutboundClient({ allow: ['127.0.0.0/8'], userAgent: 'Parley-Bench/1.0' });
  const queue = new FairQueue({ slots: SLOTS, maxWaiting: PAYERS, maxWaitMs: 60_000 });
  const semaphore = new Semaphore(SLOTS);
  const download = (signal: AbortSignal) =>
    client.request({ url: `${base}/files/original`, timeoutMs: 10_000, maxBytes: 2 * 1024 * 1024, signal });
  const repeat = (work: (payer: number, signal: AbortSignal) => Promise<unknown>) =>
    Promise.all(
      Array.from({ length: PAYERS }, async (_, payer) => {
        for (let count = 0; count < DOWNLOADS_PER_PAYER; count += 1)
          await work(payer, new AbortController().signal);
      }),
    );
  return {
    measured: () => repeat((payer, signal) => queue.run(`payer ${payer}`, () => download(signal), signal)),
    baseline: () => repeat((_, signal) => semaphore.run(() => download(signal))),
  };
}

function readObjects(endpoint: string): MeasuredPair {
  const createClient = () =>
    new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    });
  const [bare, limited] = [createClient(), createClient()];
  limitClient(limited, S3_LIMITS);
  const read = async (client: S3Client) => {
    for (let count = 0; count < OBJECTS; count += 1) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'files', Key: 'original' }));
      await buffer(Body as Readable);
    }
  };
  return { measured: () => read(limited), baseline: () => read(bare) };
}
