import { findExcess, type JsonWeight } from '../../core/text/json-weight.ts';
import type { OutboundResponse } from '../http/outbound-client.ts';

/**
 * Returns whether the messaging provider has performed a request, but its response exceeds `max` or was
 * truncated. A short response that is not JSON does not count: such a response comes from another server,
 * such as a proxy or a server at a wrong address.
 */
export function isTruncatedSuccess(
  { status, truncated }: Pick<OutboundResponse, 'status' | 'truncated'>,
  json: string,
  max: JsonWeight,
): boolean {
  const isObject = /^\s*\{/.test(json);
  return status >= 200 && status < 300 && isObject && (truncated || findExcess(json, max) !== null);
}
