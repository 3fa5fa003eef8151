import { createContext, Script } from 'node:vm';
import type { MsInterval } from '../../../core/bookings/busy-minutes.ts';
import { SlotUse } from '../../../core/concurrency/slot-use.ts';
import { CalendarUnavailable, type EventProblem } from '../calendar-provider.ts';
import { createTooManyEvents } from '../limit-busy-periods.ts';
import { expandEvents, listFirstTimes, UnreadableEvent, type Expansion } from './events/expand-events.ts';
import { PayerTurns } from './payer-turns.ts';

/**
 * Time limit in milliseconds for expanding the recurrences of one event, since some recurrence rules can be
 * searched forever without a result. Readers of other accounts may wait this long for each of their steps. On
 * a busy machine, ordinary events of some tens of milliseconds take several times as long, and must not reach
 * the limit.
 */
const EVENT_MS = 500;
/**
 * Time limit in milliseconds for expanding a calendar event of a payer whose other events have lately reached
 * their limit.
 */
const MIN_EVENT_MS = 50;
/** Time limit in milliseconds for expanding all events of a calendar account. */
const ACCOUNT_MS = 10_000;
/** Time in milliseconds after which the reader of a calendar account waits for its next turn. */
const STEP_MS = 15;
const MAX_INTERVALS = 50_000;

/** Turns in which this thread reads all calendar accounts. */
const turns = new PayerTurns();
/** Time in which each payer's calendar events have lately run until they were interrupted. */
const interrupted = new SlotUse();

const context = createContext({ work: () => {} });
const script = new Script('work()');

/**
 * Limits the time for reading the calendars of one account, and the number of busy periods. Stops when the
 * caller aborts.
 */
export class ReadingBudget {
  readonly #payerId: string;
  readonly #signal: AbortSignal | undefined;
  #spentMs = 0;
  #intervals = 0;
  #stepEndsAt = 0;

  /** @param payerId id of the payer of the account's workspace; payers get equal turns */
  constructor(payerId: string, signal?: AbortSignal) {
    this.#payerId = payerId;
    this.#signal = signal;
  }

  /**
   * Adds used time and found busy periods to the totals of the calendar account.
   * @throws CalendarRefused if the account exceeds its limits
   * @throws CalendarUnavailable if the caller has aborted
   */
  spend(ms: number, intervals = 0): void {
    this.#spentMs += ms;
    this.#intervals += intervals;
    if (this.#intervals > MAX_INTERVALS || this.#spentMs > ACCOUNT_MS) throw createTooManyEvents();
    this.#throwIfAborted();
  }

  /**
   * Runs work on a calendar event when it is this account's turn. The event is untrusted, so the work might
   * never end: interrupts it at the time limit.
   * @throws UnreadableEvent if the work takes too long; the errors of `spend`
   */
  async run<T>(work: () => T): Promise<T> {
    await this.waitForTurn();
    const startedAt = performance.now();
    try {
      return this.#runWithTimeLimit(work);
    } finally {
      this.spend(performance.now() - startedAt);
    }
  }

  /**
   * Waits for a turn to read this calendar account, unless its current turn has just begun.
   * @throws CalendarUnavailable if the caller has aborted
   */
  async waitForTurn(): Promise<void> {
    if (turns.hasTurn(this) && performance.now() < this.#stepEndsAt) return;
    await turns.take(this, this.#payerId);
    this.#stepEndsAt = performance.now() + STEP_MS;
    this.#throwIfAborted();
  }

  /**
   * Runs `work` on a calendar event, and interrupts it at the payer's time limit even in an endless loop.
   * Interrupted events shorten the limit of the payer's next events. Endless events therefore delay the
   * readers of other payers only once.
   * @throws UnreadableEvent if the work was interrupted or failed
   */
  #runWithTimeLimit<T>(work: () => T): T {
    let result: { value: T } | undefined;
    context['work'] = () => {
      result = { value: work() };
    };
    const timeout = Math.ceil(Math.max(MIN_EVENT_MS, EVENT_MS - interrupted.measure(this.#payerId)));
    try {
      script.runInContext(context, { timeout });
    } catch (error) {
      if (error instanceof UnreadableEvent) throw error;
      if (isTimeout(error)) interrupted.add(this.#payerId, timeout);
      throw new UnreadableEvent('An event cannot be read.', { cause: error });
    }
    return result!.value;
  }

  #throwIfAborted(): void {
    if (this.#signal?.aborted) throw new CalendarUnavailable('The calendar could not be read in time.');
  }
}

/**
 * Returns the busy periods of a calendar's events. Yields to the event loop between events. Reports events
 * that cannot be read, and reads all other events.
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function listBusyIntervals(
  texts: Iterable<string> | AsyncIterable<string>,
  expansion: Expansion,
  budget: ReadingBudget,
): Promise<MsInterval[]> {
  const intervals: MsInterval[] = [];
  for await (const text of texts) {
    const eventIntervals = await expandWithinLimit(text, expansion, budget);
    budget.spend(0, eventIntervals.length);
    for (const interval of eventIntervals) intervals.push(interval);
  }
  return intervals;
}

/**
 * Returns the busy periods of one calendar object. If expanding the recurrences takes too long, returns only
 * the first occurrence of each event.
 */
async function expandWithinLimit(
  text: string,
  expansion: Expansion,
  budget: ReadingBudget,
): Promise<MsInterval[]> {
  for (const expand of [expandEvents, listFirstTimes])
    try {
      const problems: EventProblem[] = [];
      const onProblem = (problem: EventProblem) => void problems.push(problem);
      const intervals = await budget.run(() => expand(text, { ...expansion, onProblem }));
      for (const problem of problems) expansion.onProblem?.(problem);
      return intervals;
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
    }
  expansion.onProblem?.({ title: null, start: null, isAllDay: false, fault: 'start' });
  return [];
}

/**
 * Returns true for the error of a script that was interrupted at its time limit. The error belongs to the
 * script's context, so it is no `Error` here.
 */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
