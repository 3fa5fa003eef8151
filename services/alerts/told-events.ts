import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { eventsOf } from './alert-events.ts';

type EventSelection = Pick<AlertPolicy, 'intensity' | 'events'>;

/** Lists the events that a policy reports immediately. */
export function toldAtOnce({ intensity, events }: EventSelection): readonly string[] {
  return intensity === 'off' || intensity === 'digest' ? [] : (events ?? eventsOf[intensity]);
}

/** Lists the events that the policy's digests report: all events, unless the policy names its own. */
export function summedUp({ intensity, events }: EventSelection): readonly string[] {
  return intensity === 'off' ? [] : (events ?? eventsOf.all);
}
