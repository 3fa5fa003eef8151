import { setImmediate } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import type { Stretch } from '../../../core/bookings/busy-minutes.ts';
import { stretchesOf, UnreadableEvent, type Expansion } from './expand-events.ts';

/** Of one event: some rules can be looked through for ever and have no occurrence. */
const EVENT_MS = 250;
/** Of a calendar. */
const CALENDAR_MS = 10_000;
/** How long others wait for their turn. */
const STEP_MS = 15;
const MOST_STRETCHES = 50_000;

const context = createContext({ work: () => {} });
const script = new Script('work()');

/** When the events of a calendar take time. Lets others have their turn meanwhile. @throws UnreadableEvent */
export async function expandAll(texts: readonly string[], expansion: Expansion): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  const startedAt = performance.now();
  let stepAt = startedAt;
  for (const text of texts) {
    stretches.push(...bounded(() => stretchesOf(text, expansion)));
    if (stretches.length > MOST_STRETCHES || performance.now() - startedAt > CALENDAR_MS)
      throw new UnreadableEvent('There is more in the calendar than can be read.');
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
