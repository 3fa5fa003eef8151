import { breakMarks } from '../../core/text/normalize-text.ts';

/** Twice the maximum length of a stored URL: some get shorter when normalized. */
const MAX_LENGTH = 4000;

/**
 * Parses a URL in a page or sitemap; null if it is invalid. Refuses long runs of combining marks, which no host has,
 * because parsing them takes quadratic time.
 */
export function parseLink(text: string, base?: string): URL | null {
  if (text.length > MAX_LENGTH || breakMarks(text) !== text) return null;
  return URL.canParse(text, base) ? new URL(text, base) : null;
}
