import { hostOf, isFileWithoutText, shapeOf } from '../../../adapters/web/link-address.ts';
import { pageKey } from '../../../adapters/web/page-key.ts';
import type { PageLink } from '../../../adapters/web/page-signs.ts';
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

/**
 * Which pages come next. Those of every page, and of every shape, take turns: neither a page of a thousand links nor a calendar without
 * an end crowds out the others.
 */
export function nextPages({ root, links, known, room, refusalOf }: Frontier): NextPages {
  const candidates = new Map<string, string>();
  const skipped = new Map<string, LeftOutPage>();
  for (const { url, isNofollow } of inTurns(links)) {
    const key = pageKey(url);
    if (known.has(key) || candidates.has(key) || hostOf(url) !== hostOf(root)) continue;
    const reason = whySkipped(url, isNofollow, refusalOf);
    if (reason !== null) skipped.set(key, skipped.get(key) ?? { url, reason });
    else candidates.set(key, url);
  }
  for (const key of candidates.keys()) skipped.delete(key);
  const ordered = byRarity([...candidates.values()]);
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
function byRarity(urls: string[]): string[] {
  const counts = new Map<string, number>();
  const ranked = urls.map((url) => {
    const shape = shapeOf(url);
    const rank = counts.get(shape) ?? 0;
    counts.set(shape, rank + 1);
    return { url, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ url }) => url);
}
