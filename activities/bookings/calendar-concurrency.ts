import { FairShare } from '../../core/concurrency/fair-share.ts';
import { failureTypes } from '../../core/workflows/failures.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { withFairSlot } from '../with-fair-slot.ts';

/**
 * Maximum number of requests that one worker sends to calendar providers at once, for all payers together.
 */
export const CALENDAR_CALLS_AT_ONCE = 40;
const TOO_MANY = { noun: 'calls', type: failureTypes.calendarUnavailable };

/** Limits the concurrent calendar requests of each payer, so that other payers still get slots. */
export class CalendarConcurrency {
  readonly #slots = new FairShare(CALENDAR_CALLS_AT_ONCE);

  /**
   * Runs `work`, a request to a calendar provider, in a slot of the workspace's payer.
   * @throws ApplicationFailure if the payer has no free slot; Temporal retries later
   */
  run<T>(scope: OrgScope, work: () => Promise<T>): Promise<T> {
    return withFairSlot(this.#slots, scope, TOO_MANY, work);
  }
}
