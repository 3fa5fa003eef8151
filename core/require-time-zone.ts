import { invalidField } from './errors/errors.ts';
import { timeZoneNamed } from './time-zone.ts';

export const TIME_ZONE_RULE = 'must be a time zone such as Europe/Lisbon';

/**
 * Returns the IANA spelling of the name.
 * @throws AppError `validation_error`
 */
export function requireTimeZone(name: string, field: string, where: 'body' | 'query' = 'body'): string {
  const named = timeZoneNamed(name);
  if (named === null) throw invalidField(field, TIME_ZONE_RULE, where);
  return named;
}
