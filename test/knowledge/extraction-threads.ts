import { openSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import {
  extractAndChunk,
  type ExtractionOptions,
} from '../../services/knowledge/ingestion/extract-and-chunk.ts';

export const fixture = (filename: string) => ({
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

/** Whose `threadId` is -1 once they have ended. */
export async function threadsStartedBy(work: () => Promise<void>): Promise<Worker[]> {
  const started: Worker[] = [];
  const note = (worker: Worker) => void started.push(worker);
  process.on('worker', note);
  try {
    await work();
    return started;
  } finally {
    process.off('worker', note);
  }
}

export function read(
  source: Parameters<typeof extractAndChunk>[0],
  onChunks: Parameters<typeof extractAndChunk>[1],
  options: Partial<ExtractionOptions> = {},
) {
  return extractAndChunk(source, onChunks, { timeoutMs: 60_000, ...options });
}
