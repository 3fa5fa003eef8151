import type { ServerResponse } from 'node:http';
import { FairQueue } from '../../../core/concurrency/fair-queue.ts';
import { createRateLimitedError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { AuthKind } from '../access/principal.ts';
import { createCloseSignal } from '../request-basics.ts';

/**
 * Maximum number of requests that wait for a slot. Each takes about 20 KB of memory. After a restart, fewer
 * widgets than this reconnect at once.
 */
const MAX_WAITING = 1000;
const RETRY_AFTER_SECONDS = 2;

type Limits = Pick<Settings, 'longReadSlots' | 'longReadWaitMs'>;

/**
 * Limits how many reads with long responses run at the same time, and so the memory that their rows take.
 * Further requests wait, fairly by caller. Visitors cannot delay the team, which has its own slots.
 */
export class LongReads {
  readonly #team: FairQueue;
  readonly #visitors: FairQueue;

  constructor(limits: Limits) {
    this.#team = createQueue(limits);
    this.#visitors = createQueue(limits);
  }

  /** Number of reads with long responses that wait for a slot. */
  get waiting(): number {
    return this.#team.waiting + this.#visitors.waiting;
  }

  /**
   * Runs a read with a long response when its caller gets a slot. Does not run the read once the connection
   * has closed.
   * @param caller key of the caller's rate limit
   * @throws AppError `rate_limited` if too many reads wait, or no slot became free in time
   */
  async run<T>(auth: AuthKind, caller: string, response: ServerResponse, read: () => Promise<T>): Promise<T> {
    const queue = auth === 'visitor' ? this.#visitors : this.#team;
    const signal = createCloseSignal(response);
    try {
      const result = await queue.run(caller, read, signal);
      if (result !== 'out_of_turn') return result;
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
    }
    throw createRateLimitedError(
      'You are receiving too many long responses at once',
      RETRY_AFTER_SECONDS,
      'long responses at once',
    );
  }
}

function createQueue({ longReadSlots, longReadWaitMs }: Limits): FairQueue {
  return new FairQueue({ slots: longReadSlots, maxWaiting: MAX_WAITING, maxWaitMs: longReadWaitMs });
}
