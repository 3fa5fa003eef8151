import { normalizeHost, isFileWithoutText, buildAddressShape } from '../../../adapters/web/link-address.ts';
import { buildPageKey } from '../../../adapters/web/page-key.ts';
import type { PageLink } from '../../../adapters/web/page-metadata.ts';
import { pauseIfDue } from '../../../core/concurrency/loop-slices.ts';
import type { SkippedPage } from '../../../entities/knowledge/document.entity.ts';

export interface LinkFrontier {
  /** URL of the page at which the crawl began. */
  root: string;
  /** Links on each page that the crawl has read. */
  links: readonly (readonly PageLink[])[];
  /** Normalized URLs of the pages that the crawl has already found. */
  visitedKeys: ReadonlySet<string>;
  /** Number of pages that the crawl may still add. */
  maxUrls: number;
  /** Returns the reason why robots.txt forbids the URL; null if it is allowed. */
  findRefusal(url: string): string | null;
}

export interface NextPages {
  urls: string[];
  overLimit: number;
  skipped: SkippedPage[];
}

/**
 * Maximum number of links that a crawl examines at each distance from the first page. Two hundred pages may
 * have a million links, of which only two hundred are followed.
 */
const MAX_LINKS = 100_000;

/**
 * Selects the pages that the crawl reads next. Alternates between the pages on which links were found, and
 * between URLs that differ in more than numbers. Without alternation, a page with a thousand links or an
 * endless calendar could use up the limit. Yields to the event loop.
 */
export async function selectNextPages({
  root,
  links,
  visitedKeys,
  maxUrls,
  findRefusal,
}: LinkFrontier): Promise<NextPages> {
  const candidates = new Map<string, string>();
  const skipped = new Map<string, SkippedPage>();
  const host = normalizeHost(root);
  let remaining = MAX_LINKS;
  for (const { url, isNofollow } of interleave(links)) {
    if ((remaining -= 1) < 0) break;
    await pauseIfDue();
    const key = buildPageKey(url);
    if (visitedKeys.has(key) || candidates.has(key) || normalizeHost(url) !== host) continue;
    const reason = findSkipReason(url, isNofollow, findRefusal);
    if (reason !== null) skipped.set(key, skipped.get(key) ?? { url, reason });
    else candidates.set(key, url);
  }
  for (const key of candidates.keys()) skipped.delete(key);
  const ordered = await sortByShapeRank([...candidates.values()]);
  return {
    urls: ordered.slice(0, maxUrls),
    overLimit: Math.max(0, ordered.length - maxUrls),
    skipped: [...skipped.values()],
  };
}

function findSkipReason(
  url: string,
  isNofollow: boolean,
  findRefusal: LinkFrontier['findRefusal'],
): string | null {
  if (isFileWithoutText(url)) return 'This is a file without text.';
  if (isNofollow) return 'The links to this page are marked nofollow.';
  return findRefusal(url);
}

function* interleave(lists: LinkFrontier['links']): Generator<PageLink> {
  const maxLength = lists.reduce((length, list) => Math.max(length, list.length), 0);
  for (let index = 0; index < maxLength; index += 1) {
    for (const list of lists) if (index < list.length) yield list[index]!;
  }
}

/**
 * Sorts URLs so that one URL of each pattern comes first, then a second URL of each pattern, and so on. URLs
 * of one pattern differ only in numbers and parameter values.
 */
async function sortByShapeRank(urls: string[]): Promise<string[]> {
  const counts = new Map<string, number>();
  const ranked: { url: string; rank: number }[] = [];
  for (const url of urls) {
    await pauseIfDue();
    const shape = buildAddressShape(url);
    const rank = counts.get(shape) ?? 0;
    counts.set(shape, rank + 1);
    ranked.push({ url, rank });
  }
  return ranked.sort((a, b) => a.rank - b.rank).map(({ url }) => url);
}
