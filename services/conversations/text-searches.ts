import { AppError } from '../../core/errors.ts';
import { FairQueue } from '../../core/fair-queue.ts';
import type { Settings } from '../../core/settings.ts';

const WAITING_FOR_EACH_PLACE = 8;
const LONGEST_WAIT_MS = 10_000;
const RETRY_SECONDS = 2;

/**
 * Places for searches through all that was said in a workspace. What stands in most conversations, or is shorter than the
 * index can look for, takes seconds in a large one; however many ask for that, they leave the database's connections, and
 * places, to the others.
 */
export class TextSearches {
  readonly #queue: FairQueue;

  constructor({ searchPlaces }: Pick<Settings, 'searchPlaces'>) {
    this.#queue = new FairQueue({
      places: searchPlaces,
      waitingPlaces: searchPlaces * WAITING_FOR_EACH_PLACE,
      longestWaitMs: LONGEST_WAIT_MS,
    });
  }

  /** @throws AppError `rate_limited` where the workspace has more under way than can be done soon */
  async run<T extends object>(orgId: string, search: () => Promise<T>): Promise<T> {
    const found = await this.#queue.run(orgId, search, new AbortController().signal);
    if (found !== 'out_of_turn') return found;
    const message = `The workspace has too many searches under way; wait ${RETRY_SECONDS} s.`;
    throw new AppError('rate_limited', message, { headers: { 'Retry-After': String(RETRY_SECONDS) } });
  }
}
