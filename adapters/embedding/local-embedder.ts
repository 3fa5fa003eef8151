import type { Worker } from 'node:worker_threads';
import { startThread } from '../../core/concurrency/start-thread.ts';
import { EmbeddingError, toUnitLength, type Embedder, type PassageToEmbed, type Vector } from './embedder.ts';
import {
  THREAD_END,
  type ModelFile,
  type ThreadData,
  type ThreadReply,
  type ThreadRequest,
} from './local-model-protocol.ts';
import { stripFingerprint } from './embedding-config.ts';
import { NativeGate } from './native-gate.ts';

export interface LocalEmbedderOptions extends ModelFile {
  /** Name of the local model: file, folder and digest of the file (`create-embedder.ts`). */
  model: string;
  passagePrefix: string;
  questionPrefix: string;
  /** Vector to subtract from the model's vectors of questions (`e5-means.ts`). */
  questionMean: Float32Array | undefined;
  timeoutMs: number;
}

interface Waiting {
  request: ThreadRequest;
  resolve: (vectors: Vector[][]) => void;
  reject: (error: unknown) => void;
}

type EmbeddingTask = Pick<ThreadRequest, 'prefix'> &
  ({ passages: readonly PassageToEmbed[] } | { question: string });

/**
 * Maximum number of passages that the embedding thread gets at once. The number is small, since the thread
 * finishes a call before it embeds a waiting question.
 */
const MAX_BATCH_PASSAGES = 4;

/**
 * Embedder that runs a model in a thread of this process. The thread starts with the first text, and a new
 * thread replaces a failed one. The thread gets one request at a time, so a request that is aborted while it
 * waits costs no computation.
 */
export class LocalEmbedder implements Embedder {
  readonly model: string;
  readonly batchSize = MAX_BATCH_PASSAGES;
  readonly maxConcurrent = 1;
  readonly #options: LocalEmbedderOptions;
  /** Requests without a reply, by id, oldest first. Includes the request on which the thread works. */
  readonly #waiting = new Map<number, Waiting>();
  /** Id of the request on which the embedding thread works. */
  #sentId: number | undefined;
  readonly #gate = new NativeGate();
  #thread: Worker | undefined;
  #lastId = 0;

  constructor(options: LocalEmbedderOptions) {
    this.model = options.model;
    this.#options = options;
  }

  embedPassages(passages: readonly PassageToEmbed[], signal: AbortSignal): Promise<Vector[][]> {
    return this.#embedInThread({ passages, prefix: this.#options.passagePrefix }, signal);
  }

  async embedQuestion(question: string, signal: AbortSignal): Promise<Vector> {
    const { questionPrefix: prefix, questionMean } = this.#options;
    const [[vector] = []] = await this.#embedInThread({ question, prefix }, signal);
    if (!questionMean) return vector!;
    return toUnitLength(vector!.map((value, index) => value - questionMean[index]!));
  }

  forModel(model: string): Embedder | undefined {
    return stripFingerprint(model) === stripFingerprint(this.model) ? this : undefined;
  }

  warm(): void {
    this.embedQuestion('', new AbortController().signal).catch(() => {});
  }

  /** Fails all pending embedding requests immediately. The thread ends after its current text. */
  async close(): Promise<void> {
    this.#gate.close();
    this.#rejectWaiting(new Error('It was closed.'));
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.ref();
    thread.postMessage(THREAD_END);
    await ended;
  }

  async #embedInThread(task: EmbeddingTask, signal: AbortSignal): Promise<Vector[][]> {
    signal.throwIfAborted();
    if (this.#gate.isClosed) throw createThreadError(new Error('It was closed.'));
    const id = (this.#lastId += 1);
    const timer = setTimeout(() => this.#rejectExpired(id), this.#options.timeoutMs);
    const rejectAborted = (): void => this.#waiting.get(id)?.reject(signal.reason);
    signal.addEventListener('abort', rejectAborted, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { request: { ...task, id }, resolve, reject });
        this.#sendNext();
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', rejectAborted);
      this.#waiting.delete(id);
    }
  }

  /** Sends the oldest waiting request to the embedding thread, unless the thread still works on another. */
  #sendNext(): void {
    const [next] = this.#waiting.values();
    if (!next || this.#sentId !== undefined) return;
    this.#thread ??= this.#startThread();
    this.#sentId = next.request.id;
    this.#thread.postMessage(next.request);
  }

  #rejectExpired(id: number): void {
    const error = new EmbeddingError('unavailable', 'The local model took too long.');
    this.#waiting.get(id)?.reject(error);
  }

  #startThread(): Worker {
    const { path, windowTokens, niceness } = this.#options;
    const thread = startThread('./local-model-thread', import.meta.url, {
      workerData: { path, windowTokens, niceness, gate: this.#gate.state } satisfies ThreadData,
    });
    thread.unref();
    // Wait at the exit of the process until the embedding thread has left native code: terminating the thread
    // there would crash the process.
    const waitForNativeCode = (): void => this.#gate.closeAndWait();
    process.once('exit', waitForNativeCode);
    thread.on('message', (reply: ThreadReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('vectors' in reply) waiting?.resolve(reply.vectors);
      else waiting?.reject(new EmbeddingError(reply.failure, reply.message));
      this.#sentId = undefined;
      this.#sendNext();
    });
    thread.on('error', (error) => this.#rejectWaiting(error));
    thread.on('exit', () => {
      process.off('exit', waitForNativeCode);
      this.#thread = undefined;
      this.#sentId = undefined;
      this.#rejectWaiting(new Error('The local model’s thread has ended.'));
    });
    return thread;
  }

  #rejectWaiting(cause: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(createThreadError(cause));
  }
}

const createThreadError = (cause: unknown) =>
  new EmbeddingError('unavailable', 'The local model stopped unexpectedly.', { cause });
