import { setImmediate } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import type { Stretch } from '../../../core/bookings/busy-minutes.ts';
import { CalendarRefused, CalendarUnavailable } from '../calendar-provider.ts';
import { stretchesOf, UnreadableEvent, type Expansion } from './expand-events.ts';

/** Of one event: some rules can be looked through for ever and have no occurrence. */
const EVENT_MS = 500;
/** Of an account. */
const ACCOUNT_MS = 10_000;
/** How long the other accounts of the thread wait for their turn. */
const STEP_MS = 15;
const MOST_STRETCHES = 50_000;

const context = createContext({ work: () => {} });
const script = new Script('work()');

/** What the calendars of an account may cost together, while somebody waits for them. */
export class ReadingBudget {
  readonly #signal: AbortSignal | undefined;
  #spentMs = 0;
  #stretches = 0;
  #stepAt = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** @throws CalendarRefused, CalendarUnavailable */
  spend(ms: number, stretches = 0): void {
    this.#spentMs += ms;
    this.#stretches += stretches;
    if (this.#stretches > MOST_STRETCHES || this.#spentMs > ACCOUNT_MS)
      throw new CalendarRefused('There is more in the calendars of the account than can be read.');
    if (this.#signal?.aborted) throw new CalendarUnavailable('The calendar could not be read in time.');
  }

  /** Runs what a stranger's event decides the length of, and yields to the event loop. @throws UnreadableEvent, like `spend` */
  async run<T>(work: () => T): Promise<T> {
    const startedAt = performance.now();
    const result = bounded(work);
    this.spend(performance.now() - startedAt);
    await this.yieldAfterStep();
    return result;
  }

  /** Yields to the event loop once a step has taken its time. */
  async yieldAfterStep(): Promise<void> {
    if (performance.now() - this.#stepAt < STEP_MS) return;
    await setImmediate();
    this.#stepAt = performance.now();
  }
}

/**
 * When the events of a calendar take time. Yields to the event loop meanwhile.
 * @throws UnreadableEvent, CalendarRefused, CalendarUnavailable
 */
export async function expandAll(
  texts: Iterable<string> | AsyncIterable<string>,
  expansion: Expansion,
  budget = new ReadingBudget(),
): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  for await (const text of texts) {
    const some = await budget.run(() => stretchesOf(text, expansion));
    budget.spend(0, some.length);
    for (const stretch of some) stretches.push(stretch);
  }
  return stretches;
}

/** Ends what takes too long, whatever it does. @throws UnreadableEvent */
function bounded<T>(work: () => T): T {
  let result: { value: T } | undefined;
  context['work'] = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: EVENT_MS });
  } catch (error) {
    if (error instanceof UnreadableEvent) throw error;
    throw new UnreadableEvent('An event cannot be read.', { cause: error });
  }
  return result!.value;
}
