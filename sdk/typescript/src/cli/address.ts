import { parseBaseUrl } from '../base-url.ts';
import { UsageError } from './command.ts';

/**
 * Normalizes the URL of a Parley server.
 * @param source origin of the text, for the error message
 * @throws UsageError if the text cannot be an address of Parley
 */
export function normalizeUrl(text: string, source: string): string {
  const parsed = parseBaseUrl(text, source);
  if ('fault' in parsed) throw new UsageError(parsed.fault);
  return parsed.url;
}
