import { FairShare } from '../../core/concurrency/fair-share.ts';
import { failureTypes } from '../../core/workflows/failures.ts';
import { withFairSlot } from '../with-fair-slot.ts';

/** How many requests a worker has under way at providers of calendars; workspaces share them. */
export const CALENDAR_CALLS_AT_ONCE = 40;
const TOO_MANY = { what: 'calls', type: failureTypes.calendarUnavailable };

/** Leaves slots for other workspaces. */
export class CalendarTurns {
  readonly #slots = new FairShare(CALENDAR_CALLS_AT_ONCE);

  /** @throws ApplicationFailure where the workspace has its share: Temporal makes another attempt later */
  take<T>(orgId: string, work: () => Promise<T>): Promise<T> {
    return withFairSlot(this.#slots, orgId, TOO_MANY, work);
  }
}
