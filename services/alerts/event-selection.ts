import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { eventsByIntensity } from './alert-events.ts';

type EventSelection = Pick<AlertPolicy, 'intensity' | 'events'>;

/** Returns the names of the events that an alert policy reports immediately. */
export function listImmediateEvents({ intensity, events }: EventSelection): readonly string[] {
  return intensity === 'off' || intensity === 'digest' ? [] : (events ?? eventsByIntensity[intensity]);
}

/**
 * Returns the names of the events that an alert policy's digests report: those that the policy selects, or
 * all.
 */
export function listDigestEvents({ intensity, events }: EventSelection): readonly string[] {
  return intensity === 'off' ? [] : (events ?? eventsByIntensity.all);
}
