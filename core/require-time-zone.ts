import { invalidField } from './errors/errors.ts';
import { findTimeZone } from './time-zone.ts';

export const TIME_ZONE_RULE = 'must be a time zone such as Europe/Lisbon';

/**
 * Returns the IANA spelling of a time zone that a caller named.
 * @throws AppError `validation_error` if the name is not a time zone
 */
export function requireTimeZone(name: string, field: string, where: 'body' | 'query' = 'body'): string {
  const zone = findTimeZone(name);
  if (zone === null) throw invalidField(field, TIME_ZONE_RULE, where);
  return zone;
}
