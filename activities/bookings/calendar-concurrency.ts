import { FairShare } from '../../core/concurrency/fair-share.ts';
import { failureTypes } from '../../core/workflows/failures.ts';
import { withFairSlot } from '../with-fair-slot.ts';

/** Number of concurrent requests of a worker to calendar providers; workspaces share them. */
export const CALENDAR_CALLS_AT_ONCE = 40;
const TOO_MANY = { what: 'calls', type: failureTypes.calendarUnavailable };

/** Leaves slots for other workspaces. */
export class CalendarConcurrency {
  readonly #slots = new FairShare(CALENDAR_CALLS_AT_ONCE);

  /** @throws ApplicationFailure if the workspace has used its share; Temporal retries later */
  run<T>(orgId: string, work: () => Promise<T>): Promise<T> {
    return withFairSlot(this.#slots, orgId, TOO_MANY, work);
  }
}
