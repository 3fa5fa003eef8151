import { Readable } from 'node:stream';
import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { parseCharset } from '../extraction/encoding/declared-encodings.ts';
import { decodeBody, failBeyond } from '../http/decode-body.ts';
import { GZIP_MAGIC } from '../http/gunzip.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import { parseOutboundUrl } from '../http/guarded-resolver.ts';
import { OutboundError } from '../http/outbound-error.ts';
import { describeDisallowed, WEB_USER_AGENT, type RobotsPolicy } from './robots-policy.ts';
import type { RobotsRules } from './robots-rules.ts';
import { sitemapFlaws, type SitemapEntry, type SitemapFlaw } from './sitemap-entry.ts';
import { parseSitemap } from './sitemap-parser.ts';
import { buildUrlKey } from './page-key.ts';
import { parseLink } from './parse-link.ts';
import { NoSitemapFound, NotASitemap, createStatusError, WebSourceError } from './web-source-error.ts';

export interface ReadSitemapOptions {
  /** Maximum number of the sitemap's pages to return; further pages are only counted. */
  maxPages: number;
  /** Time limit in milliseconds for all files of the sitemap together. */
  timeoutMs: number;
  /** Policy for obeying robots.txt. Pages that it disallows on the sitemap's own host are skipped. */
  robots?: RobotsPolicy;
  signal?: AbortSignal | undefined;
}

interface SkippedUrl {
  url: string;
  /** Reason why the URL was skipped: a sentence for people. */
  reason: string;
}

export interface SitemapPages {
  /** URLs of the distinct pages on the sitemap's own site, in the order of the sitemap. */
  urls: string[];
  /** Number of pages in all sitemap files that were read, including skipped pages. */
  found: number;
  /** Number of the sitemap's valid pages that exceed `maxPages`. */
  overLimit: number;
  /**
   * First skipped pages and sitemaps; `skippedCount` is the number of all skipped URLs in the files that were
   * read.
   */
  skipped: SkippedUrl[];
  skippedCount: number;
  /** Notes for users about malformed sitemap files that could still be read. */
  notes: string[];
  /**
   * True if pages of the site may be missing: a file was temporarily unavailable, ends early, or is a feed.
   */
  isPartial: boolean;
}

const MAX_SITEMAPS = 50;
/** Maximum number of skipped sitemaps, after which sitemap indexes are not read to their end. */
const MAX_SKIPPED_SITEMAPS = 1000;
const MAX_INDEX_DEPTH = 3;
/** Maximum size in bytes of a sitemap file according to the protocol, compressed or not. */
const SITEMAP_MAX_BYTES = 50 * 1024 * 1024;
const MAX_URL_LENGTH = 2000;
const MAX_SKIPPED_LISTED = 100;
const MAX_NOTES = 10;
/** Matches a sitemap's URL with a scheme. A host with a port is not a scheme: `example.com:8080/a`. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
/** Matches a sitemap's URL that lacks its scheme, if its host is that of the site: `example.com/a`. */
const BARE_ADDRESS = /^[\w.-]+(?::\d+)?(?:[/?]|$)/;
/** Matches a relative URL in a sitemap: with slashes, dots or a query first, or a single word. */
const RELATIVE = /^(?:\/|\.\.?\/|\?|[^\s:]+$)/;

/**
 * Lists the pages of a sitemap: XML, plain text, RSS, Atom, gzip, or an index of sitemaps. For the URL of an
 * ordinary page, reads the sitemaps of its site instead: the sitemaps in robots.txt, or `/sitemap.xml` if
 * robots.txt names none. A file that fails after pages were found counts as skipped.
 * @throws OutboundError `aborted` with the signal, or if nothing could be read
 * @throws WebSourceError if nothing could be read
 */
export async function readSitemap(
  client: OutboundClient,
  url: string,
  options: ReadSitemapOptions,
): Promise<SitemapPages> {
  const rules = await options.robots?.loadRules(url, options.signal);
  const reader = new SitemapReader(client, url, options, rules);
  return reader.read();
}

interface QueuedSitemap {
  url: string;
  depth: number;
  /** True for a sitemap that is read only if no other sitemap could be read. */
  isLastResort?: boolean;
}

class SitemapReader {
  readonly #client: OutboundClient;
  readonly #options: ReadSitemapOptions;
  #rules: RobotsRules | undefined;
  #origin: string;
  /** URL of the first sitemap file after redirects. */
  #arrivedAt: URL;
  readonly #sites: Set<string>;
  readonly #deadline: number;
  readonly #queue: QueuedSitemap[];
  readonly #knownSitemaps: Set<string>;
  /** URLs of the pages that were found, by a key that is equal for all URLs of a page. */
  readonly #pages = new Map<string, string>();
  #isAnyRead = false;
  /** Number of sitemaps that were skipped because they exceed the maximum. */
  #skippedSitemaps = 0;
  #failure: OutboundError | WebSourceError | undefined;
  readonly #result: SitemapPages = {
    urls: [],
    found: 0,
    overLimit: 0,
    skipped: [],
    skippedCount: 0,
    notes: [],
    isPartial: false,
  };

  constructor(
    client: OutboundClient,
    url: string,
    options: ReadSitemapOptions,
    rules: RobotsRules | undefined,
  ) {
    const root = parseOutboundUrl(url);
    this.#client = client;
    this.#options = options;
    this.#rules = rules;
    this.#origin = root.origin;
    this.#arrivedAt = root;
    this.#sites = new Set([normalizeSite(root)]);
    this.#deadline = performance.now() + options.timeoutMs;
    this.#queue = [{ url: root.href, depth: 0 }];
    this.#knownSitemaps = new Set([root.href]);
  }

  async read(): Promise<SitemapPages> {
    for (const sitemap of this.#queue) {
      if (sitemap.isLastResort && this.#isAnyRead) continue;
      if (this.#pages.size >= this.#options.maxPages) {
        this.#skip(sitemap.url, 'This sitemap was not read, because the page limit was already reached.');
      } else {
        await this.#readOrSkip(sitemap);
      }
    }
    if (!this.#isAnyRead && this.#pages.size === 0) throw this.#createNoSitemapError();
    return { ...this.#result, urls: [...this.#pages.values()] };
  }

  async #readOrSkip(sitemap: QueuedSitemap): Promise<void> {
    try {
      await this.#readOne(sitemap);
    } catch (error) {
      if (!(error instanceof OutboundError || error instanceof WebSourceError)) throw error;
      const isAborted = error instanceof OutboundError && error.kind === 'aborted';
      const isNeeded = sitemap.depth === 0 && this.#pages.size === 0;
      if (isAborted || (isNeeded && error.isTransient)) throw error;
      if (isNeeded && sitemap === this.#queue[0]) return this.#searchSite(error);
      const isNone = error instanceof NotASitemap || (error instanceof WebSourceError && error.isGone);
      if (!isNone) this.#result.isPartial = true;
      this.#skip(sitemap.url, error.message);
    }
  }

  /** Continues with the sitemaps of the site, after the given URL turned out not to be a sitemap. */
  async #searchSite(failure: OutboundError | WebSourceError): Promise<void> {
    this.#failure = failure;
    this.#origin = this.#arrivedAt.origin;
    this.#rules = await this.#options.robots?.loadRules(this.#origin, this.#options.signal);
    for (const url of this.#rules?.sitemaps ?? []) this.#enqueue({ url, depth: 0 });
    this.#enqueue({ url: `${this.#origin}/sitemap.xml`, depth: 0, isLastResort: true });
  }

  #createNoSitemapError(): Error {
    const isPage = this.#failure instanceof NotASitemap && this.#queue.length > 1;
    if (this.#failure && !isPage) return this.#failure;
    const { host } = new URL(this.#origin);
    return new NoSitemapFound(
      `No sitemap was found for ${host}: its robots.txt lists no readable sitemap, and ${this.#origin}/sitemap.xml does not exist. ` +
        'Enter the URL of its sitemap, or add its pages one by one.',
      this.#arrivedAt.href,
    );
  }

  async #readOne({ url, depth }: QueuedSitemap): Promise<void> {
    const request = {
      url,
      headers: { 'user-agent': WEB_USER_AGENT },
      timeoutMs: Math.max(1, this.#deadline - performance.now()),
      maxBytes: SITEMAP_MAX_BYTES,
      signal: this.#options.signal,
    };
    await this.#client.stream(request, async ({ status, headers, url: finalUrl, body }) => {
      if (status < 200 || status > 299) throw createStatusError(finalUrl, status);
      const base = new URL(finalUrl);
      // Accept pages of the site to which the given URL redirects. The sitemaps that robots.txt names may be
      // on another site, whose pages do not count.
      if (url === this.#queue[0]!.url) this.#setArrival(base);
      const flaws = new Set<SitemapFlaw>();
      const source = {
        url: finalUrl,
        charset: parseCharset(headers['content-type']),
        onFlaw: (flaw: SitemapFlaw) => void flaws.add(flaw),
        onPartial: () => (this.#result.isPartial = true),
      };
      reading: for await (const entries of parseSitemap(gunzipIfGzip(body, base.host), source)) {
        for (const entry of entries) {
          this.#addEntry(entry, depth, base, source.onFlaw);
          // Limit the list, because an index could list millions of sitemaps that would all be skipped.
          if (entry.kind === 'sitemap' && this.#skippedSitemaps >= MAX_SKIPPED_SITEMAPS) break reading;
          await pauseIfDue();
        }
      }
      this.#addNote(finalUrl, flaws);
      this.#isAnyRead = true;
    });
  }

  #addNote(url: string, flaws: ReadonlySet<SitemapFlaw>): void {
    if (flaws.size === 0 || this.#result.notes.length === MAX_NOTES) return;
    const list = [...flaws].map((flaw) => sitemapFlaws[flaw]).join(', ');
    this.#result.notes.push(`${url} is not well-formed, but its entries were read. It has ${list}.`);
  }

  #setArrival(address: URL): void {
    this.#sites.add(normalizeSite(address));
    this.#arrivedAt = address;
  }

  /**
   * Adds an entry of a sitemap to the result or the queue.
   * @param file URL of the sitemap that contains the entry
   */
  #addEntry(
    { kind, location, base, problem }: SitemapEntry,
    depth: number,
    file: URL,
    onFlaw: (flaw: SitemapFlaw) => void,
  ): void {
    if (kind === 'page') this.#result.found += 1;
    if (location === '') return this.#skip(file.href, 'This sitemap has an entry without a URL.');
    const { url, isRelative } = resolveLocation(location, base, [...this.#sites, normalizeSite(file)]);
    if (url === null || problem !== undefined || url.href.length > MAX_URL_LENGTH) {
      const reason = problem ?? 'This is not a URL of a web page.';
      return this.#skip(cutText(location, MAX_URL_LENGTH), reason);
    }
    if (isRelative) onFlaw('relative');
    url.hash = '';
    const sites = kind === 'page' ? this.#sites : [...this.#sites, normalizeSite(file)];
    if (![...sites].some((site) => isWithinSite(url, site))) {
      return this.#skip(url.href, 'This URL is on another site.');
    }
    return kind === 'page' ? this.#takePage(url) : this.#takeSitemap(url.href, depth + 1);
  }

  #takePage(url: URL): void {
    const key = buildUrlKey(url);
    if (this.#pages.has(key)) this.#result.found -= 1;
    else if (this.#pages.size >= this.#options.maxPages) this.#result.overLimit += 1;
    else if (url.origin === this.#origin && this.#rules?.isAllowed(url.href) === false) {
      this.#skip(url.href, describeDisallowed(url.href));
    } else this.#pages.set(key, url.href);
  }

  #takeSitemap(url: string, depth: number): void {
    if (depth > MAX_INDEX_DEPTH && !this.#knownSitemaps.has(url)) {
      return this.#skip(url, `Sitemaps nested more than ${MAX_INDEX_DEPTH} levels deep are not read.`);
    }
    this.#enqueue({ url, depth });
  }

  #enqueue(sitemap: QueuedSitemap): void {
    const { url } = sitemap;
    if (this.#knownSitemaps.has(url)) return;
    if (this.#knownSitemaps.size >= MAX_SITEMAPS) {
      this.#skippedSitemaps += 1;
      return this.#skip(url, `More than ${MAX_SITEMAPS} sitemaps are not read.`);
    }
    this.#knownSitemaps.add(url);
    this.#queue.push(sitemap);
  }

  #skip(url: string, reason: string): void {
    this.#result.skippedCount += 1;
    if (this.#result.skipped.length < MAX_SKIPPED_LISTED) this.#result.skipped.push({ url, reason });
  }
}

/** Returns the site to which a URL belongs: the host name without `www.`. */
function normalizeSite({ hostname }: URL): string {
  return hostname.replace(/^www\./, '');
}

/**
 * Resolves the URL of a sitemap's entry. Accepts relative URLs, and URLs that lack only the scheme.
 * @param base URL to which relative URLs refer; null if relative URLs are not accepted
 */
function resolveLocation(
  location: string,
  base: string | null,
  sites: string[],
): { url: URL | null; isRelative: boolean } {
  if (HAS_SCHEME.test(location)) {
    const url = parseLink(location);
    return { url: url && /^https?:$/.test(url.protocol) ? url : null, isRelative: false };
  }
  if (base === null) return { url: null, isRelative: false };
  const urlWithProtocol = BARE_ADDRESS.test(location)
    ? parseLink(`${new URL(base).protocol}//${location}`)
    : null;
  if (urlWithProtocol && sites.some((site) => isWithinSite(urlWithProtocol, site)))
    return { url: urlWithProtocol, isRelative: true };
  const isRelative = RELATIVE.test(location);
  return { url: isRelative ? parseLink(location, base) : null, isRelative };
}

function isWithinSite({ hostname }: URL, site: string): boolean {
  return hostname === site || hostname.endsWith(`.${site}`);
}

/**
 * Unpacks a sitemap in gzip format, recognized by its first bytes, since servers often send `.xml.gz` without
 * a Content-Encoding.
 */
async function* gunzipIfGzip(chunks: AsyncIterable<Buffer>, host: string): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const all = (async function* () {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  })();
  if (!head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) yield* all;
  else yield* failBeyond(decodeBody(Readable.from(all), 'gzip', host), SITEMAP_MAX_BYTES, host);
}
