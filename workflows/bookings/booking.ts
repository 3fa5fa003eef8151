import { continueAsNew, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { BookingActivities } from '../../activities/bookings/booking.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { BookingView, type BookingEnd } from '../shared/booking-view.ts';
import type { BookingInput } from '../../core/workflows/commands.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';
import { BookingSignals } from './booking-signals.ts';
import { CalendarAttempts, type AttemptsState } from './calendar-attempts.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';
import { formatTimeAfter } from '../../core/workflows/format.ts';

type Progress = NonNullable<Awaited<ReturnType<BookingActivities['tellOfBooking']>>>;

/** State of the booking's workflow that its next run gets (continue-as-new). */
interface ContinuedState {
  attempts: AttemptsState;
  history: string[];
}

/** Number of events in the booking workflow's history after which it continues in a new run. */
const MAX_HISTORY_EVENTS = 2000;
const RECHECK_PAUSES = { firstMs: 500, maxMs: 60_000 };
const GIVEN_UP = 'An operator canceled the calendar update.';
const EXHAUSTED = 'The calendar could not be reached for three days.';

const { tellOfBooking } = proxyActivities<BookingActivities>({
  ...databaseActivity,
  summary: 'Queue the emails that are due to the attendee and the team',
});
const { retryCalendar, giveUpCalendar } = proxyActivities<BookingActivities>(databaseActivity);

/**
 * Tracks a booking until the meeting is over or canceled. Updates the calendar, emails changes, and emails a
 * reminder a day before the meeting.
 */
export async function booking(input: BookingInput, carried?: ContinuedState): Promise<BookingEnd> {
  const signals = new BookingSignals();
  const view = new BookingView(carried?.history ?? []);
  const attempts = new CalendarAttempts(carried?.attempts);
  let checks = 0;
  for (;;) {
    if (signals.take('retry')) {
      attempts.reset();
      await retryCalendar(input);
    }
    if (signals.take('changed')) attempts.reset();
    if (signals.take('giveUp')) await giveUp(input, attempts, GIVEN_UP);
    if (attempts.waitMs === 0) await attemptCalendar(input, attempts, view);
    const progress = await tellOfBooking({ ...input, isBlocked: attempts.areBlocked });
    if (progress === null) return view.end('deleted', 'The booking is deleted.');
    if (progress.calendar === 'pending' && attempts.areDone) attempts.postpone();
    const end = findEnd(progress);
    // Continue if a signal has arrived in the meantime: the booking may have changed again.
    if (end !== null && signals.isEmpty) return view.end(end, endWords[end]);
    checks = progress.isSettling ? checks + 1 : 0;
    showBookingDetails(progress, attempts, view);
    if (signals.isEmpty && isHistoryLong())
      await continueAsNew<typeof booking>(input, { attempts: attempts.state, history: view.history });
    await signals.waitForSignal(computeWait(progress, attempts, backoffMs(checks, RECHECK_PAUSES)));
  }
}

/**
 * Attempts once to update the booking's event in the calendar. Pauses between attempts are timers of the
 * workflow, so that operators see each attempt and can start it early.
 */
async function attemptCalendar(
  input: BookingInput,
  attempts: CalendarAttempts,
  view: BookingView,
): Promise<void> {
  const { followCalendar } = proxyActivities<BookingActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).calendar,
    startToCloseTimeout: '20s',
    retry: { maximumAttempts: 1 },
    summary: 'Update the calendar',
  });
  try {
    await followCalendar(input);
    attempts.recordSuccess();
  } catch (error) {
    if (isCancellation(error)) throw error;
    view.remark(`attempt ${attempts.count + 1}: ${attempts.recordFailure(error)}`);
    if (attempts.areExhausted) await giveUp(input, attempts, EXHAUSTED);
  }
}

async function giveUp(input: BookingInput, attempts: CalendarAttempts, reason: string): Promise<void> {
  await giveUpCalendar({ ...input, reason });
  attempts.recordSuccess();
}

function findEnd({ status, calendar, isOver, isSettling }: Progress): 'cancelled' | 'over' | null {
  if (isSettling || calendar === 'pending') return null;
  if (status === 'cancelled') return 'cancelled';
  return isOver ? 'over' : null;
}

const endWords = {
  cancelled: 'The booking is canceled, and the emails are sent.',
  over: 'The meeting is over.',
};

function computeWait(
  { calendar, isSettling, waitMs }: Progress,
  attempts: CalendarAttempts,
  settlingMs: number,
) {
  return Math.max(
    1,
    Math.min(waitMs, calendar === 'pending' ? attempts.waitMs : Infinity, isSettling ? settlingMs : Infinity),
  );
}

function showBookingDetails(progress: Progress, attempts: CalendarAttempts, view: BookingView): void {
  const { calendar, isSettling, waitMs } = progress;
  if (calendar === 'failed')
    return view.enter('failed', 'The calendar has no event for the booking. Signals: retryNow.');
  if (calendar === 'pending' && attempts.waitMs === Infinity)
    return view.enter('reconnect_needed', 'A person must reconnect the calendar. Signals: retryNow, giveUp.');
  if (calendar === 'pending')
    return view.enter(
      'retrying',
      `Next calendar update at ${formatTimeAfter(attempts.waitMs)}. Signals: retryNow, giveUp.`,
    );
  if (isSettling)
    return view.enter('confirmed', 'Waiting until emails about the previous state are sent or canceled.');
  return view.enter('confirmed', `Calendar: ${calendar}. Next check at ${formatTimeAfter(waitMs)}.`);
}

function isHistoryLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > MAX_HISTORY_EVENTS;
}
