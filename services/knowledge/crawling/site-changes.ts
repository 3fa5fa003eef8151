import { pluralize } from '../../../core/workflows/format.ts';

/** A page that the site had before the crawl. */
export interface FormerPage {
  id: string;
  /** True if the page has indexed content. */
  hasContent: boolean;
  /** True if the crawl found the page's URL. */
  isListed: boolean;
  /** True if the site reports the page as missing or excludes it from indexing. */
  isGone: boolean;
  /** Number of consecutive earlier crawls that did not find the page. */
  missedCrawls: number;
}

export interface SiteChanges {
  removed: string[];
  /** Ids of pages that were not found but are kept for now. */
  missed: string[];
  /** Reason why no pages were removed, if it is worth a message; otherwise null. */
  note: string | null;
}

/** Number of consecutive crawls. */
const MISSES_UNTIL_REMOVED = 2;

/**
 * Decides which pages to remove. Removes none if most of a site's pages disappear at once: the site is then more
 * likely broken than rebuilt.
 * @param isComplete true if every source of page URLs could be read
 */
export function planSiteChanges(former: readonly FormerPage[], isComplete: boolean): SiteChanges {
  const counting = former.filter(({ hasContent }) => hasContent);
  const found = counting.filter(({ isListed, isGone }) => isListed && !isGone).length;
  if (found * 2 < counting.length) {
    const note =
      `Only ${found} of the ${pluralize(counting.length, 'former page')} ${found === 1 ? 'was' : 'were'} found, so nothing was removed. ` +
      'Delete those that are gone, or the site.';
    return { removed: [], missed: [], note };
  }
  const gone = former.filter(({ isListed, isGone }) => isListed && isGone);
  const unlisted = isComplete ? former.filter(({ isListed }) => !isListed) : [];
  const isTooOften = ({ missedCrawls }: FormerPage) => missedCrawls + 1 >= MISSES_UNTIL_REMOVED;
  return {
    removed: [...gone, ...unlisted.filter(isTooOften)].map(({ id }) => id),
    missed: unlisted.filter((page) => !isTooOften(page)).map(({ id }) => id),
    note: null,
  };
}

/** A page, for the comparison with others of its site. */
export interface IndexedPage {
  id: string;
  /** Digest of the indexed text; null if nothing is indexed. */
  textSha256: string | null;
}

/**
 * Maps each duplicate page to the oldest page with the same text. The oldest one stays the same from crawl to crawl.
 */
export function findDuplicates<P extends IndexedPage>(pages: readonly P[]): Map<P, P> {
  const originals = new Map<string, P>();
  const duplicates = new Map<P, P>();
  // Ids sort by creation time.
  for (const page of pages.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (page.textSha256 === null) continue;
    const original = originals.get(page.textSha256);
    if (original) duplicates.set(page, original);
    else originals.set(page.textSha256, page);
  }
  return duplicates;
}

/** Replaces the site's former tags among the page's tags by its new ones. The page's own tags stay. */
export function mergeSiteTags(
  tags: readonly string[],
  former: readonly string[],
  present: readonly string[],
): string[] {
  const own = tags.filter((tag) => !former.includes(tag));
  return [...new Set([...present, ...own])].slice(0, MAX_TAGS);
}

const MAX_TAGS = 20;
