import { breakMarks } from '../../core/text/normalize-text.ts';

/**
 * Maximum number of characters of a link on a page: twice that of a stored URL, since normalizing shortens
 * some links.
 */
const MAX_LENGTH = 4000;

/**
 * Parses a URL from a page or sitemap. Null if it is invalid, or has long runs of combining marks: real URLs
 * have no such runs, and parsing these takes quadratic time.
 */
export function parseLink(text: string, base?: string): URL | null {
  if (text.length > MAX_LENGTH || breakMarks(text) !== text) return null;
  return URL.canParse(text, base) ? new URL(text, base) : null;
}
