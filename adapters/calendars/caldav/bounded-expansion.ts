import { setImmediate } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import type { Stretch } from '../../../core/bookings/busy-minutes.ts';
import { CalendarUnavailable } from '../calendar-provider.ts';
import { stretchesOf, UnreadableEvent, type Expansion } from './expand-events.ts';

/** Of one event: some rules can be looked through for ever and have no occurrence. */
const EVENT_MS = 500;
/** Of an account. */
const ACCOUNT_MS = 10_000;
/** How long others wait for their turn. */
const STEP_MS = 15;
const MOST_STRETCHES = 50_000;

const context = createContext({ work: () => {} });
const script = new Script('work()');

/** What the calendars of an account may cost together, while somebody waits for them. */
export class ReadingBudget {
  readonly #signal: AbortSignal | undefined;
  #spentMs = 0;
  #stretches = 0;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** @throws UnreadableEvent, CalendarUnavailable */
  spend(ms: number, stretches: number): void {
    this.#spentMs += ms;
    this.#stretches += stretches;
    if (this.#stretches > MOST_STRETCHES || this.#spentMs > ACCOUNT_MS)
      throw new UnreadableEvent('There is more in the calendars of the account than can be read.');
    if (this.#signal?.aborted) throw new CalendarUnavailable('The calendar could not be read in time.');
  }
}

/**
 * When the events of a calendar take time. Lets others have their turn meanwhile.
 * @throws UnreadableEvent, CalendarUnavailable
 */
export async function expandAll(
  texts: readonly string[],
  expansion: Expansion,
  budget = new ReadingBudget(),
): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  let stepAt = performance.now();
  for (const text of texts) {
    const startedAt = performance.now();
    const some = bounded(() => stretchesOf(text, expansion));
    for (const stretch of some) stretches.push(stretch);
    budget.spend(performance.now() - startedAt, some.length);
    if (performance.now() - stepAt < STEP_MS) continue;
    await setImmediate();
    stepAt = performance.now();
  }
  return stretches;
}

/** Ends what takes too long, whatever it does. @throws UnreadableEvent */
export function bounded<T>(work: () => T): T {
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
