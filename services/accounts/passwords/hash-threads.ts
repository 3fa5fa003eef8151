import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { createRateLimitedError, type AppError } from '../../../core/errors/errors.ts';
import { startThread } from '../../../core/concurrency/start-thread.ts';

/**
 * Request to a thread that hashes passwords. Verifying takes equally long if `passwordHash` is null, so that
 * the time does not reveal missing accounts.
 */
export type HashRequest =
  | { kind: 'hash'; password: string }
  | { kind: 'verify'; password: string; passwordHash: string | null };
type HashResult<R extends HashRequest> = R['kind'] extends 'hash' ? string : boolean;

export type HashReply = { result: string | boolean } | { error: unknown };

interface PendingHash {
  resolve(result: string | boolean): void;
  reject(error: unknown): void;
}

/**
 * Maximum number of threads that hash passwords. One core is left for the event loop and PostgreSQL, which
 * serve all other requests.
 */
export const MAX_HASH_THREADS = Math.max(1, availableParallelism() - 1);

/**
 * Maximum number of requests that wait for each password-hashing thread. A thread serves this many requests
 * in a few seconds; further callers would time out anyway.
 */
export const MAX_WAITING = 500;
const RETRY_SECONDS = 5;

const threads = new Set<HashThread>();

/**
 * Computes or verifies a password hash in a separate thread.
 * @throws AppError `rate_limited` if too many requests are waiting
 */
export function runInHashThread<R extends HashRequest>(request: R): Promise<HashResult<R>> {
  return pickLeastBusy().request(request) as Promise<HashResult<R>>;
}

function pickLeastBusy(): HashThread {
  const [leastBusy] = [...threads].toSorted((one, other) => one.waiting - other.waiting);
  return leastBusy && (leastBusy.waiting === 0 || threads.size === MAX_HASH_THREADS)
    ? leastBusy
    : new HashThread();
}

/**
 * A thread that computes password hashes one after another, from its own queue, so that it stays on one core.
 * With Node's thread pool, the event loop would have to wake a thread for each hash; that thread would then
 * use the event loop's core.
 */
class HashThread {
  readonly #worker: Worker;
  readonly #waiting: PendingHash[] = [];

  constructor() {
    threads.add(this);
    this.#worker = startThread('./hash-thread', import.meta.url);
    this.#worker.unref();
    this.#worker.on('message', (reply: HashReply) => this.#settleNext(reply));
    this.#worker.on('error', (error) => this.#rejectWaiting(error));
    this.#worker.on('exit', () => this.#rejectWaiting(new Error('The hash thread ended early.')));
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async request(request: HashRequest): Promise<string | boolean> {
    if (this.waiting >= MAX_WAITING) throw tooManyHashes();
    // Keeps the Node.js process running while hash requests are pending.
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  #settleNext(reply: HashReply): void {
    const pending = this.#waiting.shift();
    if (this.waiting === 0) this.#worker.unref();
    if ('error' in reply) pending?.reject(reply.error);
    else pending?.resolve(reply.result);
  }

  #rejectWaiting(error: unknown): void {
    threads.delete(this);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function tooManyHashes(): AppError {
  return createRateLimitedError('Too many people are signing in right now', RETRY_SECONDS);
}
