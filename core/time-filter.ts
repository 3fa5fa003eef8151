import { invalidField, type ErrorDetail } from './errors/errors.ts';

export interface TimeFilter {
  /** Time in RFC 3339 format. */
  from?: string | null | undefined;
  /** Exclusive end, in RFC 3339 format. */
  to?: string | null | undefined;
}

/**
 * Checks that a filter by time can match anything.
 * @throws AppError `validation_error` if `to` is not later than `from`
 */
export function requireLaterEnd({ from, to }: TimeFilter, where: ErrorDetail['in'] = 'query'): void {
  if (from && to && Date.parse(from) >= Date.parse(to))
    throw invalidField('to', 'must be later than from', where);
}
