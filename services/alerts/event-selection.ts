import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { eventsByIntensity } from './alert-events.ts';

type EventSelection = Pick<AlertPolicy, 'intensity' | 'events'>;

/** Lists the events that a policy reports immediately. */
export function immediateEvents({ intensity, events }: EventSelection): readonly string[] {
  return intensity === 'off' || intensity === 'digest' ? [] : (events ?? eventsByIntensity[intensity]);
}

/** Lists the events that the policy's digests report: all events, unless the policy names its own. */
export function digestEvents({ intensity, events }: EventSelection): readonly string[] {
  return intensity === 'off' ? [] : (events ?? eventsByIntensity.all);
}
