import type { Worker } from 'node:worker_threads';
import { SlotUse } from './slot-use.ts';
import { startThread } from './start-thread.ts';
import { measureCpuTime } from './thread-cpu-time.ts';

export interface TaskThreadOptions {
  /** Maximum CPU time of one task in the thread, in milliseconds. */
  taskMs: number;
  heapMegabytes: number;
}

/** Thrown if a task in a thread exceeds its limit of CPU time or memory. */
export class TaskTooCostly extends Error {
  override name = 'TaskTooCostly';
}

interface WaitingTask<Task, Result> {
  task: Task;
  holder: string;
  resolve(result: Result): void;
  reject(error: Error): void;
}

interface RunningTask<Task, Result> extends WaitingTask<Task, Result> {
  endUse: () => void;
}

/**
 * First message of a thread, which says that the thread is ready for tasks. `statPath` is the path of the
 * thread's statistics in /proc.
 */
export type ThreadStarted = { statPath: string | null };

const CHECK_MS = 50;
/**
 * Milliseconds after which an idle thread ends. Starting a thread takes several tenths of a second, since it
 * loads all its modules.
 */
const IDLE_MS = 60_000;
const YOUNG_MEGABYTES = 8;

/**
 * Runs tasks one after the other in a thread. The next task is the oldest task of the holder, such as a payer,
 * that has lately used the thread for the shortest time. A holder with many costly tasks therefore delays
 * others by one task. A task that exceeds its limit of time or memory fails and ends the thread; the next task
 * starts a new thread. The module must post a `ThreadStarted` first, and then one message for each task.
 */
export class TaskThread<Task, Result> {
  readonly #module: string;
  readonly #base: string;
  readonly #options: TaskThreadOptions;
  readonly #queue: WaitingTask<Task, Result>[] = [];
  readonly #use = new SlotUse();
  #running: RunningTask<Task, Result> | undefined;
  #worker: Worker | undefined;
  #cpuTimeMs: (() => number) | undefined;
  #deadlineMs = Infinity;
  #watch: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  /**
   * @param module path of the module without extension, as for `startThread`
   * @param base `import.meta.url` to which the path is relative
   */
  constructor(module: string, base: string, options: TaskThreadOptions) {
    this.#module = module;
    this.#base = base;
    this.#options = options;
  }

  /**
   * Runs a task in the thread when it is the turn of the task's holder.
   * @throws TaskTooCostly if the task exceeds its limits; the signal's reason if it aborts before the task
   *   ends
   */
  async run(task: Task, holder: string, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    let onAbort = (): void => {};
    try {
      return await new Promise<Result>((resolve, reject) => {
        const waiting = { task, holder, resolve, reject };
        onAbort = () => {
          const position = this.#queue.indexOf(waiting);
          if (position >= 0) this.#queue.splice(position, 1);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        this.#queue.push(waiting);
        this.#startNext();
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #startNext(): void {
    if (this.#running) return;
    const next = this.#use.takeNext(this.#queue);
    if (!next) return this.#startIdleTimer();
    this.#running = { ...next, endUse: this.#use.start(next.holder) };
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#startWorker();
    this.#worker.ref();
    if (this.#cpuTimeMs) this.#startTask(this.#running);
  }

  #startTask({ task }: WaitingTask<Task, Result>): void {
    this.#deadlineMs = this.#cpuTimeMs!() + this.#options.taskMs;
    this.#watch ??= setInterval(() => {
      if ((this.#cpuTimeMs?.() ?? 0) > this.#deadlineMs) this.#stopWorker(buildTooCostly());
    }, CHECK_MS).unref();
    this.#worker!.postMessage(task);
  }

  #startWorker(): Worker {
    const worker = startThread(this.#module, this.#base, {
      resourceLimits: {
        maxOldGenerationSizeMb: this.#options.heapMegabytes,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
      },
    });
    worker.once('message', ({ statPath }: ThreadStarted) => {
      this.#cpuTimeMs = measureCpuTime(worker, statPath);
      worker.on('message', (result: Result) => this.#settleTask((waiting) => waiting.resolve(result)));
      if (this.#running) this.#startTask(this.#running);
    });
    const stopIfCurrent = (error: Error): void => {
      if (this.#worker === worker) this.#stopWorker(error);
    };
    worker.on('error', (error) => stopIfCurrent(isOutOfMemory(error) ? buildTooCostly() : error));
    worker.on('exit', () => stopIfCurrent(new Error('The thread ended early.')));
    return worker;
  }

  #settleTask(settle: (waiting: WaitingTask<Task, Result>) => void): void {
    const settled = this.#running;
    this.#running = undefined;
    this.#deadlineMs = Infinity;
    settled?.endUse();
    if (settled) settle(settled);
    this.#startNext();
  }

  #stopWorker(error: Error): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#cpuTimeMs = undefined;
    void worker?.terminate();
    this.#settleTask((waiting) => waiting.reject(error));
  }

  #startIdleTimer(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    const worker = this.#worker;
    worker?.unref();
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      this.#worker = undefined;
      this.#cpuTimeMs = undefined;
      void worker?.terminate();
    }, IDLE_MS).unref();
  }
}

function buildTooCostly(): TaskTooCostly {
  return new TaskTooCostly('The task exceeds its limit of time or memory.');
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
