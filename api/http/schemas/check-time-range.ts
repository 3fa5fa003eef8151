import type { TSchema } from '@sinclair/typebox';
import type { ErrorDetail } from '../../../core/errors/errors.ts';

const RANGE = ['from', 'to'] as const;

/**
 * Checks that a range of times in a query is not empty. Ignores ranges of days, whose last day is included.
 * @param schema schema of the query
 */
export function checkTimeRange(schema: TSchema | undefined, query: Record<string, unknown>): ErrorDetail[] {
  const properties = (schema?.['properties'] ?? {}) as Record<string, TSchema | undefined>;
  if (RANGE.some((name) => properties[name]?.['format'] !== 'date-time')) return [];
  const [start, end] = RANGE.map((name) => Date.parse(String(query[name])));
  // Comparisons with NaN are false, so that absent and invalid times are no error here.
  return end! <= start!
    ? [{ field: 'to', in: 'query', code: 'invalid', message: 'must be later than from' }]
    : [];
}
