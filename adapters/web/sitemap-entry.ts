export interface SitemapEntry {
  kind: 'page' | 'sitemap';
  /** URL of the entry in the sitemap file, decoded; empty if the entry has none. */
  location: string;
  /** URL that completes the entry's URL if it is relative; null in plain text, where only full URLs count. */
  base: string | null;
  /** Reason why the entry's URL cannot be used: a sentence for people. */
  problem?: string;
}

/** Errors in a sitemap file that could still be read. Each is a noun phrase for messages. */
export const sitemapFlaws = {
  text_before: 'text before its first element',
  text_after: 'text after its end',
  truncated: 'no end, so pages may be missing',
  not_closed: 'elements that are not closed',
  not_escaped: 'characters that are not escaped',
  no_loc: 'URLs outside <loc>',
  no_root: 'no element around its entries',
  relative: 'URLs without a host',
} as const;
export type SitemapFlaw = keyof typeof sitemapFlaws;

export interface SitemapSource {
  /** URL of the sitemap file, after redirects. */
  url: string;
  /** Charset in the Content-Type header of the sitemap file; null if the header has none. */
  charset: string | null;
  /** Callback for each flaw of the sitemap file, possibly several times for the same flaw. */
  onFlaw(flaw: SitemapFlaw): void;
  /** Callback if the sitemap file does not list all pages: a feed has only the newest pages. */
  onPartial(): void;
}
