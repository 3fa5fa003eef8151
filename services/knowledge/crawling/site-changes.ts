import { counted } from '../../../core/workflows/format.ts';

/** A page that a site had before the crawl. */
export interface FormerPage {
  id: string;
  /** Whether answers could be drawn from it. */
  hasContent: boolean;
  /** Whether the crawl found its address. */
  isListed: boolean;
  /** Whether the site says that there is no such page, or that it is not to be indexed. */
  isGone: boolean;
  /** How many crawls in a row had not found it before this one. */
  missedCrawls: number;
}

export interface SiteChanges {
  removed: string[];
  /** Those that were not found, and stay for this time. */
  missed: string[];
  /** Why nothing was removed, where that is to be told. */
  note: string | null;
}

/** Of crawls in a row. */
const MISSES_UNTIL_REMOVED = 2;

/**
 * What is removed of a site. One that has lost most of its pages from one crawl to the next is rather broken than rebuilt.
 * @param isComplete whether everything could be read that lists pages
 */
export function changesOf(former: readonly FormerPage[], isComplete: boolean): SiteChanges {
  const counting = former.filter(({ hasContent }) => hasContent);
  const found = counting.filter(({ isListed, isGone }) => isListed && !isGone).length;
  if (found * 2 < counting.length) {
    const note =
      `Only ${found} of the ${counted(counting.length, 'former page')} ${found === 1 ? 'was' : 'were'} found, so nothing was removed. ` +
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

/** A page as it is compared with others of its site. */
export interface IndexedPage {
  id: string;
  /** Of what is in the index; null where nothing is. */
  textSha256: string | null;
}

/** Of pages that say the same, all but the oldest, each with that one: so it stays the same from crawl to crawl. */
export function twinsOf<P extends IndexedPage>(pages: readonly P[]): Map<P, P> {
  const originals = new Map<string, P>();
  const twins = new Map<P, P>();
  // Ids are in the order in which they were made.
  for (const page of pages.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (page.textSha256 === null) continue;
    const original = originals.get(page.textSha256);
    if (original) twins.set(page, original);
    else originals.set(page.textSha256, page);
  }
  return twins;
}

/** A page's tags when those of its site change: its own stay. */
export function passedOn(
  tags: readonly string[],
  former: readonly string[],
  present: readonly string[],
): string[] {
  const own = tags.filter((tag) => !former.includes(tag));
  return [...new Set([...present, ...own])].slice(0, MAX_TAGS);
}

const MAX_TAGS = 20;
