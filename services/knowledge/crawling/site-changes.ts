import { pluralize } from '../../../core/workflows/format.ts';

/** A website's page that was known before the crawl. */
export interface PreviousPage {
  id: string;
  /** True if the page is indexed already. */
  hasContent: boolean;
  /** True if the crawl has found the page's URL. */
  isListed: boolean;
  /** True if the website responds that the page does not exist, or excludes the page from indexing. */
  isGone: boolean;
  /** Number of consecutive earlier crawls of the website that did not find the page. */
  missedCrawls: number;
}

export interface SiteChanges {
  removed: string[];
  /** Ids of pages that this crawl did not find, but that are not removed yet. */
  missed: string[];
  /** Message that explains why the crawl removed no pages; null if it could remove pages as usual. */
  note: string | null;
}

/** Number of consecutive crawls that must not find a page before it is removed. */
const MISSES_UNTIL_REMOVED = 2;

/**
 * Decides which pages of a website to remove after a crawl. Removes no page if most pages disappear at once,
 * since the website is then probably broken.
 * @param isComplete true if every sitemap and page with links could be read
 */
export function planSiteChanges(previous: readonly PreviousPage[], isComplete: boolean): SiteChanges {
  const indexedPages = previous.filter(({ hasContent }) => hasContent);
  const found = indexedPages.filter(({ isListed, isGone }) => isListed && !isGone).length;
  if (found * 2 < indexedPages.length) {
    const note =
      `Only ${found} of the ${pluralize(indexedPages.length, 'known page')} ${found === 1 ? 'was' : 'were'} found, so nothing was removed. ` +
      'Delete the pages that no longer exist, or delete the site.';
    return { removed: [], missed: [], note };
  }
  const gonePages = previous.filter(({ isListed, isGone }) => isListed && isGone);
  const unlisted = isComplete ? previous.filter(({ isListed }) => !isListed) : [];
  const isMissedTooOften = ({ missedCrawls }: PreviousPage) => missedCrawls + 1 >= MISSES_UNTIL_REMOVED;
  return {
    removed: [...gonePages, ...unlisted.filter(isMissedTooOften)].map(({ id }) => id),
    missed: unlisted.filter((page) => !isMissedTooOften(page)).map(({ id }) => id),
    note: null,
  };
}

/** An indexed page that is compared with other pages of its website. */
export interface IndexedPage {
  id: string;
  /** SHA-256 digest of the indexed text; null if the page is not indexed. */
  textSha256: string | null;
}

/**
 * Maps each duplicate page to the oldest page with the same text. The oldest page is stable, so that later
 * crawls give the same result.
 */
export function findDuplicates<P extends IndexedPage>(pages: readonly P[]): Map<P, P> {
  const originals = new Map<string, P>();
  const duplicates = new Map<P, P>();
  // Sorts the pages by age, since ids sort by creation time.
  for (const page of pages.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (page.textSha256 === null) continue;
    const original = originals.get(page.textSha256);
    if (original) duplicates.set(page, original);
    else originals.set(page.textSha256, page);
  }
  return duplicates;
}

/** Replaces the website's previous tags with its new tags among a page's tags. The page's own tags stay. */
export function mergeSiteTags(
  tags: readonly string[],
  previous: readonly string[],
  currentSiteTags: readonly string[],
): string[] {
  const ownTags = tags.filter((tag) => !previous.includes(tag));
  return [...new Set([...currentSiteTags, ...ownTags])].slice(0, MAX_TAGS);
}

const MAX_TAGS = 20;
