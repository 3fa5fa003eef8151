import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CalendarActivities } from '../../activities/bookings/calendar.activities.ts';
import type { SyncCalendarInput } from '../../core/workflows/commands.ts';
import { describeCalendarFailure } from '../../core/workflows/failures.ts';
import { pluralize, formatDetails, formatTimeAfter } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';
import { backoffMs, limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';

/** Signal to read all calendars of the connection again, including those that were just read. */
const againSignal = defineSignal('again');
const retryNowSignal = defineSignal('retryNow');
const giveUpSignal = defineSignal('giveUp');

export type SyncEnd = 'synced' | 'degraded' | 'reconnect_needed' | 'gone' | 'given_up';

const WAITS = { firstMs: 2000, maxMs: 5 * 60_000 };
/**
 * Maximum number of attempts to read a calendar in one run. After the last attempt, the next sweep starts
 * another run.
 */
const MAX_ATTEMPTS = 12;

/**
 * Reads the busy times from the calendars of a connected account. If people have changed events of Parley's
 * bookings in the calendar, updates the bookings.
 */
export async function syncCalendar(input: SyncCalendarInput): Promise<SyncEnd> {
  const signals = handleSignals();
  const { readBusyTimes, followOwnEvents } = calendarActivities();
  for (let attempt = 1; ; attempt += 1) {
    signals.mustRepeat = false;
    try {
      showSyncDetails('reading', [`Reading busy times, attempt ${attempt}.`]);
      const busy = await readBusyTimes(input);
      if (busy === null) return showEnd('gone', ['The calendar is disconnected.']);
      const events = await followOwnEvents(input);
      const lines = [
        `${pluralize(busy.calendars, 'calendar')} read, ${busy.failed} failed`,
        `${pluralize(events.seen, 'event')} of bookings checked: ${events.moved} moved, ${events.removed} removed by their owner`,
      ];
      if (!signals.mustRepeat) return showEnd(busy.failed > 0 ? 'degraded' : 'synced', lines);
    } catch (error) {
      const { needsReconnect, message, waitMs } = describeCalendarFailure(error);
      if (needsReconnect) return showEnd('reconnect_needed', [message]);
      if (attempt >= MAX_ATTEMPTS) return showEnd('degraded', [message, 'sweepCalendars retries.']);
      const pauseMs = Math.max(limitWaitMs(waitMs, MAX_REQUESTED_WAIT_MS), backoffMs(attempt - 1, WAITS));
      showSyncDetails('retrying', [
        message,
        `Attempt ${attempt} failed; the next one is at ${formatTimeAfter(pauseMs)}. Signals: retryNow, giveUp.`,
      ]);
      await condition(() => signals.mustRepeat || signals.mustGiveUp, pauseMs);
    }
    if (signals.mustGiveUp)
      return showEnd('given_up', ['An operator canceled the sync; sweepCalendars retries.']);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof syncCalendar>(input);
  }
}

function handleSignals() {
  const signals = { mustRepeat: false, mustGiveUp: false };
  setHandler(againSignal, () => void (signals.mustRepeat = true));
  setHandler(retryNowSignal, () => void (signals.mustRepeat = true), { description: 'Retry now.' });
  setHandler(giveUpSignal, () => void (signals.mustGiveUp = true), {
    description: 'Cancel the sync; sweepCalendars starts the next one when it is due.',
  });
  return signals;
}

function calendarActivities() {
  return proxyActivities<CalendarActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).calendar,
    startToCloseTimeout: '60s',
    retry: { maximumAttempts: 1 },
    summary: 'Read busy times and events from the provider',
  });
}

function showEnd(state: SyncEnd, lines: string[]): SyncEnd {
  showSyncDetails(state, lines);
  return state;
}

function showSyncDetails(state: SyncEnd | 'reading' | 'retrying', lines: string[]): void {
  setCurrentDetails(formatDetails(`Calendar: ${state.replace('_', ' ')}`, lines));
  upsertSearchAttributes([{ key: searchAttributes.calendarState, value: state }]);
}
