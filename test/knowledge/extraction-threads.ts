import { openSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import {
  extractAndChunk,
  type ExtractionOptions,
} from '../../services/knowledge/ingestion/extract-and-chunk.ts';

export const openFixture = (filename: string) => ({
  file: openSync(new URL(`../fixtures/documents/${filename}`, import.meta.url), 'r'),
  filename,
  mimeType: null,
});
export const textFile = (content: string) => ({
  bytes: Buffer.from(content),
  filename: 'a.txt',
  mimeType: null,
});
export const prose = 'A day ticket costs twelve pounds and ends at midnight. '.repeat(36_000);

/**
 * Runs `work`. Returns the threads that were started during it; their `threadId` is -1 once they have ended.
 */
export async function collectStartedThreads(work: () => Promise<void>): Promise<Worker[]> {
  const started: Worker[] = [];
  const addThread = (worker: Worker) => void started.push(worker);
  process.on('worker', addThread);
  try {
    await work();
    return started;
  } finally {
    process.off('worker', addThread);
  }
}

export function extractFile(
  source: Parameters<typeof extractAndChunk>[0],
  onChunks: Parameters<typeof extractAndChunk>[1],
  options: Partial<ExtractionOptions> = {},
) {
  return extractAndChunk(source, onChunks, { timeoutMs: 60_000, payerId: 'payer', ...options });
}
