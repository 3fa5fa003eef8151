import { isUtf8 } from 'node:buffer';
import { TaskThread, TaskTooCostly } from '../../core/concurrency/task-thread.ts';
import { UnreadableDocument, type UnreadableReason } from '../extraction/unreadable-document.ts';
import type { PageDigest } from './page-digest.ts';
import type { PageMetadata, PageSource } from './page-metadata.ts';
import type { findColors } from './page-style.ts';

interface ThreadSource extends Omit<PageSource, 'body'> {
  body: Uint8Array<ArrayBuffer>;
}

export type PageTask =
  | { kind: 'digest' | 'metadata'; source: ThreadSource }
  | { kind: 'colors'; css: string };

/** Payer of a task that reads a web page, and the signal that ends it. */
export interface PageTaskOptions {
  /** Id of the workspace that pays for the task; the thread's time is shared fairly among payers. */
  payerId: string;
  signal?: AbortSignal | undefined;
}

export type PageReply = { value: unknown } | { unreadable: UnreadableReason; message: string };

type Colors = ReturnType<typeof findColors>;

/**
 * Time limit of a task in milliseconds. A page of 1 MB takes some tenths of a second, but a hostile page more
 * than a minute.
 */
const TASK_MS = 1500;
const HEAP_MEGABYTES = 256;
/**
 * Maximum size in bytes of a web page that is read without a thread. Reading takes a few milliseconds if its
 * URL is short as well.
 */
const SMALL_BYTES = 16 * 1024;
const SHORT_ADDRESS = 300;

const thread = new TaskThread<PageTask, PageReply>('./page-thread', import.meta.url, {
  taskMs: TASK_MS,
  heapMegabytes: HEAP_MEGABYTES,
});

/**
 * Runs `digestPage` in a thread, so that a hostile page does not block the process.
 * @throws UnreadableDocument, also if the page takes too long
 */
export async function digestPageInThread(source: PageSource, options: PageTaskOptions): Promise<PageDigest> {
  return (await runTask({ kind: 'digest', source: toThreadSource(source) }, options)) as PageDigest;
}

/**
 * Runs `readPageMetadata`, in a thread unless the web page is small.
 * @throws UnreadableDocument if the page takes too long
 */
export async function readPageMetadataInThread(
  source: PageSource,
  options: PageTaskOptions,
): Promise<PageMetadata> {
  // Import on demand, so that the API does not load the tables for detecting encodings.
  const { READ_BYTES, readPageMetadata } = await import('./page-metadata.ts');
  if (isSmall(source)) return readPageMetadata(source);
  return (await runTask(
    { kind: 'metadata', source: toThreadSource(source, READ_BYTES) },
    options,
  )) as PageMetadata;
}

/**
 * Runs `findColors` in a thread, so that hostile CSS does not block the process.
 * @throws UnreadableDocument if the style sheet takes too long
 */
export async function findColorsInThread(css: string, options: PageTaskOptions): Promise<Colors> {
  return (await runTask({ kind: 'colors', css }, options)) as Colors;
}

function isSmall({ body, url }: PageSource): boolean {
  // Pages in other encodings than UTF-8 do not count as small, since detecting the encoding takes longer than
  // parsing.
  return (
    isUtf8(body) &&
    body.length <= SMALL_BYTES &&
    url.length <= SHORT_ADDRESS &&
    !/<base\b/i.test(body.toString('latin1'))
  );
}

async function runTask(task: PageTask, options: PageTaskOptions): Promise<unknown> {
  const reply = await runOrRefuse(task, options);
  if ('unreadable' in reply) throw new UnreadableDocument(reply.unreadable, reply.message, { advice: null });
  return reply.value;
}

async function runOrRefuse(task: PageTask, { payerId, signal }: PageTaskOptions): Promise<PageReply> {
  try {
    return await thread.run(task, payerId, signal);
  } catch (error) {
    if (!(error instanceof TaskTooCostly)) throw error;
    return {
      unreadable: 'timeout',
      message: 'The page takes longer to read than Parley allows for its size.',
    };
  }
}

/** Copy the bytes of the page, since a message would send the whole memory block that small buffers share. */
function toThreadSource(source: PageSource, maxBytes = Infinity): ThreadSource {
  return { ...source, body: new Uint8Array(source.body.subarray(0, maxBytes)) };
}
