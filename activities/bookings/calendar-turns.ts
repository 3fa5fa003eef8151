import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { FairShare } from '../../core/concurrency/fair-share.ts';
import { failureTypes } from '../../workflows/shared/failures.ts';

/** What a worker asks providers of calendars at the same time, which workspaces share. */
export const CALENDAR_CALLS_AT_ONCE = 40;
const LONGEST_PAUSE_SECONDS = 30;

/** Leaves places for other workspaces. */
export class CalendarTurns {
  readonly #places = new FairShare(CALENDAR_CALLS_AT_ONCE);

  /** @throws ApplicationFailure where the workspace has its share; another time it gets its turn */
  async take<T>(orgId: string, work: () => Promise<T>): Promise<T> {
    if (this.#places.roomOf(orgId) === 0) throw outOfTurn(activityInfo().attempt);
    this.#places.take(orgId);
    try {
      return await work();
    } finally {
      this.#places.giveBack(orgId);
    }
  }
}

function outOfTurn(attempt: number): ApplicationFailure {
  const seconds = Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS) * (0.5 + Math.random());
  return ApplicationFailure.create({
    message: 'Many other calls of this workspace are under way; waiting for some of them to end.',
    type: failureTypes.calendarUnavailable,
    category: 'BENIGN',
    nextRetryDelay: Math.round(1000 * seconds),
  });
}
