import type { Query } from '../../client/paths.ts';
import { parseStartOfDay } from '../parse-start-of-day.ts';

/**
 * Builds the query parameters with which the API lists the audit log.
 * @param filters filters in the URL of the page; `since` is a day in the browser's time zone
 */
export function buildAuditQuery({ since, ...others }: Record<string, string>): Query {
  return { ...others, since: since && parseStartOfDay(since) };
}
