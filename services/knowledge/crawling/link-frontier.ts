import { normalizeHost, isFileWithoutText, buildAddressShape } from '../../../adapters/web/link-address.ts';
import { buildPageKey } from '../../../adapters/web/page-key.ts';
import type { PageLink } from '../../../adapters/web/page-signs.ts';
import { LoopSlices } from '../../../core/concurrency/loop-slices.ts';
import type { LeftOutPage } from '../../../entities/knowledge/document.entity.ts';

export interface Frontier {
  /** URL of the page where the crawl began. */
  root: string;
  /** Links of each page that was read. */
  links: readonly (readonly PageLink[])[];
  /** Keys of the pages that were found before. */
  known: ReadonlySet<string>;
  /** Number of further pages that the site may have. */
  room: number;
  /** Returns the reason why robots.txt forbids the URL, or null. */
  findRefusal(url: string): string | null;
}

export interface NextPages {
  urls: string[];
  overLimit: number;
  skipped: LeftOutPage[];
}

/**
 * Links that are examined per level. Two hundred pages may have a million links, of which two hundred are followed.
 */
const MAX_LINKS = 100_000;

/**
 * Selects the next pages to read. Alternates between pages and between URL shapes, so that neither a page with a
 * thousand links
 * nor an endless calendar crowds out the others. Yields to the event loop meanwhile.
 */
export async function selectNextPages({
  root,
  links,
  known,
  room,
  findRefusal,
}: Frontier): Promise<NextPages> {
  const candidates = new Map<string, string>();
  const skipped = new Map<string, LeftOutPage>();
  const host = normalizeHost(root);
  const slices = new LoopSlices();
  let left = MAX_LINKS;
  for (const { url, isNofollow } of interleave(links)) {
    if ((left -= 1) < 0) break;
    await slices.pauseIfDue();
    const key = buildPageKey(url);
    if (known.has(key) || candidates.has(key) || normalizeHost(url) !== host) continue;
    const reason = findSkipReason(url, isNofollow, findRefusal);
    if (reason !== null) skipped.set(key, skipped.get(key) ?? { url, reason });
    else candidates.set(key, url);
  }
  for (const key of candidates.keys()) skipped.delete(key);
  const ordered = await sortByShapeRank([...candidates.values()]);
  return {
    urls: ordered.slice(0, room),
    overLimit: Math.max(0, ordered.length - room),
    skipped: [...skipped.values()],
  };
}

function findSkipReason(
  url: string,
  isNofollow: boolean,
  findRefusal: Frontier['findRefusal'],
): string | null {
  if (isFileWithoutText(url)) return 'This is a file without text.';
  if (isNofollow) return 'The links to it say nofollow.';
  return findRefusal(url);
}

function* interleave(lists: Frontier['links']): Generator<PageLink> {
  const maxLength = lists.reduce((length, list) => Math.max(length, list.length), 0);
  for (let turn = 0; turn < maxLength; turn += 1) {
    for (const list of lists) if (turn < list.length) yield list[turn]!;
  }
}

/** Sorts the first URL of each shape before the second ones, and so on. */
async function sortByShapeRank(urls: string[]): Promise<string[]> {
  const counts = new Map<string, number>();
  const ranked: { url: string; rank: number }[] = [];
  const slices = new LoopSlices();
  for (const url of urls) {
    await slices.pauseIfDue();
    const shape = buildAddressShape(url);
    const rank = counts.get(shape) ?? 0;
    counts.set(shape, rank + 1);
    ranked.push({ url, rank });
  }
  return ranked.sort((a, b) => a.rank - b.rank).map(({ url }) => url);
}
