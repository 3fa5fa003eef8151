import { breakMarks } from '../../core/text/normalize-text.ts';

/** Twice the longest address that is kept: some get shorter as they are read. */
const MAX_LENGTH = 4000;

/**
 * The address that a page or a sitemap writes; null for none. No host has a long run of combining marks, and parsing one
 * takes the square of its length.
 */
export function parseLink(text: string, base?: string): URL | null {
  if (text.length > MAX_LENGTH || breakMarks(text) !== text) return null;
  return URL.canParse(text, base) ? new URL(text, base) : null;
}
