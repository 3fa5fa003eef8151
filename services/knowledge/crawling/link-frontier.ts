import { hostOf, isFileWithoutText, shapeOf } from '../../../adapters/web/link-address.ts';
import { pageKey } from '../../../adapters/web/page-key.ts';
import type { PageLink } from '../../../adapters/web/page-signs.ts';
import { LoopSlices } from '../../../core/concurrency/loop-slices.ts';
import type { LeftOutPage } from '../../../entities/knowledge/document.entity.ts';

export interface Frontier {
  /** Of the page that the crawl began with. */
  root: string;
  /** Of the pages that were read, each page's. */
  links: readonly (readonly PageLink[])[];
  /** Keys of what was found before. */
  known: ReadonlySet<string>;
  /** How many more pages there may be. */
  room: number;
  /** Null, or why robots.txt is against it. */
  refusalOf(url: string): string | null;
}

export interface NextPages {
  urls: string[];
  overLimit: number;
  skipped: LeftOutPage[];
}

/** Links of one level that are looked at: two hundred pages may have a million, of which two hundred are followed. */
const MAX_LINKS = 100_000;

/**
 * Which pages come next. Those of every page, and of every shape, take turns: neither a page of a thousand links nor a calendar without
 * an end crowds out the others. Yields to the event loop meanwhile.
 */
export async function nextPages({ root, links, known, room, refusalOf }: Frontier): Promise<NextPages> {
  const candidates = new Map<string, string>();
  const skipped = new Map<string, LeftOutPage>();
  const host = hostOf(root);
  const slices = new LoopSlices();
  let left = MAX_LINKS;
  for (const { url, isNofollow } of inTurns(links)) {
    if ((left -= 1) < 0) break;
    await slices.pauseIfDue();
    const key = pageKey(url);
    if (known.has(key) || candidates.has(key) || hostOf(url) !== host) continue;
    const reason = whySkipped(url, isNofollow, refusalOf);
    if (reason !== null) skipped.set(key, skipped.get(key) ?? { url, reason });
    else candidates.set(key, url);
  }
  for (const key of candidates.keys()) skipped.delete(key);
  const ordered = await byRarity([...candidates.values()]);
  return {
    urls: ordered.slice(0, room),
    overLimit: Math.max(0, ordered.length - room),
    skipped: [...skipped.values()],
  };
}

function whySkipped(url: string, isNofollow: boolean, refusalOf: Frontier['refusalOf']): string | null {
  if (isFileWithoutText(url)) return 'This is a file without text.';
  if (isNofollow) return 'The links to it say nofollow.';
  return refusalOf(url);
}

function* inTurns(lists: Frontier['links']): Generator<PageLink> {
  const longest = lists.reduce((length, list) => Math.max(length, list.length), 0);
  for (let turn = 0; turn < longest; turn += 1) {
    for (const list of lists) if (turn < list.length) yield list[turn]!;
  }
}

/** First one of each shape, then the second ones. */
async function byRarity(urls: string[]): Promise<string[]> {
  const counts = new Map<string, number>();
  const ranked: { url: string; rank: number }[] = [];
  const slices = new LoopSlices();
  for (const url of urls) {
    await slices.pauseIfDue();
    const shape = shapeOf(url);
    const rank = counts.get(shape) ?? 0;
    counts.set(shape, rank + 1);
    ranked.push({ url, rank });
  }
  return ranked.sort((a, b) => a.rank - b.rank).map(({ url }) => url);
}
