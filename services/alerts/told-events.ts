import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { eventsOf } from './alert-events.ts';

type Chosen = Pick<AlertPolicy, 'intensity' | 'events'>;

/** What a policy tells of as it happens. */
export function toldAtOnce({ intensity, events }: Chosen): readonly string[] {
  return intensity === 'off' || intensity === 'digest' ? [] : (events ?? eventsOf[intensity]);
}

/** What its digests sum up: more than it tells of at once, unless it names the events itself. */
export function summedUp({ intensity, events }: Chosen): readonly string[] {
  return intensity === 'off' ? [] : (events ?? eventsOf.all);
}
