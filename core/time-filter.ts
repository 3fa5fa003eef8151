import { invalidField } from './errors/errors.ts';

export interface TimeFilter {
  /** Time in RFC 3339 format. */
  from?: string | undefined;
  /** Exclusive end, in RFC 3339 format. */
  to?: string | undefined;
}

/** Checks the order of the times in a query. @throws AppError `validation_error` if `to` is before `from` */
export function requireOrderedTimes({ from, to }: TimeFilter): void {
  if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from))
    throw invalidField('to', 'must not be before from', 'query');
}
