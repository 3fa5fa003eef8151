import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../core/workflows/failures.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

const WAITS = { firstMs: 2000, maxMs: 5 * 60_000 };
const PATIENCE_MS = 72 * 60 * 60_000;

/** State of the attempts to update a calendar, kept when the workflow continues in a new run. */
export interface AttemptsState {
  count: number;
  firstFailedAt: number | null;
  nextAt: number;
  isBlocked: boolean;
  /** True if the calendar contains the booking's current state. */
  isDone: boolean;
}

const FIRST: AttemptsState = { count: 0, firstFailedAt: null, nextAt: 0, isBlocked: false, isDone: false };

/** Schedule of the attempts to update a calendar after a booking has changed. */
export class CalendarAttempts {
  #state: AttemptsState;

  constructor(state?: AttemptsState) {
    this.#state = state ?? FIRST;
  }

  get state(): AttemptsState {
    return this.#state;
  }

  get count(): number {
    return this.#state.count;
  }

  /**
   * Milliseconds until the next attempt to update the calendar. Infinity if no attempt is due, because the
   * calendar is up to date or a person must reconnect it.
   */
  get waitMs(): number {
    const { isBlocked, isDone } = this.#state;
    return isBlocked || isDone ? Infinity : Math.max(0, this.#state.nextAt - Date.now());
  }

  /** True while the calendar's access is invalid and a person must connect it again. */
  get areBlocked(): boolean {
    return this.#state.isBlocked;
  }

  /**
   * True if attempts to update the calendar have failed for 72 hours; the workflow then makes no more
   * attempts.
   */
  get areExhausted(): boolean {
    const { firstFailedAt } = this.#state;
    return firstFailedAt !== null && Date.now() - firstFailedAt >= PATIENCE_MS;
  }

  /** Resets the schedule, so that an attempt to update the calendar is due at once. */
  reset(): void {
    this.#state = FIRST;
  }

  get areDone(): boolean {
    return this.#state.isDone;
  }

  recordSuccess(): void {
    this.#state = { ...FIRST, isDone: true };
  }

  /**
   * Schedules another attempt to update the calendar, because the booking has changed during the last
   * attempt.
   */
  postpone(): void {
    this.recordFailure(undefined);
  }

  /**
   * Schedules the next attempt to update the calendar after a failure.
   * @returns reason of the failure, in words for operators
   */
  recordFailure(error: unknown): string {
    const { count, firstFailedAt } = this.#state;
    const cause = error instanceof ActivityFailure ? error.cause : error;
    const type = cause instanceof ApplicationFailure ? cause.type : undefined;
    const pauseMs = backoffMs(count, WAITS);
    this.#state = {
      count: count + 1,
      firstFailedAt: firstFailedAt ?? Date.now(),
      nextAt: Date.now() + Math.max(pauseMs, retryAfterMs(cause)),
      isBlocked: type === failureTypes.calendarReconnect || type === failureTypes.calendarRefused,
      isDone: false,
    };
    const isCalendarFailure = type?.startsWith('Calendar') === true;
    return isCalendarFailure && cause instanceof ApplicationFailure
      ? cause.message
      : 'The calendar did not respond in time.';
  }
}

/** Returns the pause that the calendar's provider requested, in milliseconds. */
function retryAfterMs(cause: unknown): number {
  const requestedDelay = cause instanceof ApplicationFailure ? cause.nextRetryDelay : undefined;
  return typeof requestedDelay === 'number' ? Math.min(requestedDelay, WAITS.maxMs) : 0;
}
