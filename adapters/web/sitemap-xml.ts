import { decodeHTMLStrict } from 'entities';
import { cutText } from '../../core/text/cut-text.ts';
import { parseLink } from './parse-link.ts';
import type { SitemapEntry, SitemapFlaw, SitemapSource } from './sitemap-entry.ts';
import { NotASitemap, WebSourceError } from './web-source-error.ts';
import { XmlTokens, type XmlTokenHandler } from './xml-tokens.ts';

type Format = 'sitemap' | 'index' | 'feed';

interface ElementName {
  /** Namespace prefix of the element's name; empty if it has no prefix. */
  prefix: string;
  name: string;
}

interface OpenElement {
  /**
   * Name of the element: without a prefix for elements of sitemaps and feeds, with a prefix for extensions,
   * such as `media:title`.
   */
  name: string;
  /** Base URL of relative URLs within the XML element (`xml:base`). */
  base: string;
}

/** Entry of a sitemap or feed that the parser is inside. */
interface OpenEntry {
  name: string;
  /** Number of open XML elements around the sitemap's entry. */
  depth: number;
  base: string;
  /** Best URL of a feed's entry so far; the lowest rank is the best. */
  link: { location: string; rank: number; base: string } | null;
  hasLocation: boolean;
  /** Text directly in the sitemap's entry, outside other elements. */
  text: string;
}

/** Maximum number of nested elements of a sitemap that are tracked; deeper elements are ignored. */
const MAX_DEPTH = 16;
/** Maximum number of characters of an entry's URL, and of each piece of text from which it is joined. */
const MAX_LOCATION_LENGTH = 4096;
/** Maximum number of characters of warnings and other text before a sitemap's root element. */
const MAX_PREAMBLE_CHARS = 64 * 1024;
const MAX_DECLARED_ENTITIES = 1000;

/** Formats by the name of the root element: sitemaps.org, RSS 0.9x and 2.0, RSS 1.0 (RDF), Atom. */
const roots = new Map<string, Format>([
  ['urlset', 'sitemap'],
  ['sitemapindex', 'index'],
  ['rss', 'feed'],
  ['rdf', 'feed'],
  ['feed', 'feed'],
]);
/** Formats by the name of the first element, for a sitemap file without a root element. */
const rootlessFormats = new Map<string, Format>([
  ['url', 'sitemap'],
  ['sitemap', 'index'],
]);
const entryNames: Record<Format, ReadonlySet<string>> = {
  sitemap: new Set(['url', 'sitemap']),
  index: new Set(['url', 'sitemap']),
  feed: new Set(['item', 'entry']),
};
/**
 * Names of elements in a sitemap or feed that cannot contain each other. An unclosed element ends where the
 * next element of the list begins.
 */
const fields = new Set(
  (
    'loc lastmod changefreq priority title link guid pubdate description id updated published summary ' +
    'content author category comments enclosure'
  ).split(' '),
);
/** Namespaces of sitemaps.org, Atom and RSS 1.0, which a root element may bind to any prefix. */
const OWN_NAMESPACE =
  /^https?:\/\/(?:www\.sitemaps\.org\/schemas\/sitemap\/0\.9|www\.w3\.org\/2005\/atom|purl\.org\/rss\/1\.0)\/?$/i;
const WEB_PAGE_ELEMENTS = new Set(['head', 'body']);
const ALTERNATE = /^(?:|alternate|http:\/\/www\.iana\.org\/assignments\/relation\/alternate)$/;
const WEB_PAGE_TYPE = /^(?:|text\/html|application\/xhtml\+xml)$/;
/** Matches an ampersand in a sitemap that XML does not allow, also in an entity of HTML. */
const UNESCAPED = /&(?!(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);)/i;
/** Matches the URL of a sitemap file, which some indexes list like pages. */
const SITEMAP_FILE = /\.xml(?:\.gz)?\s*$/i;
const ABSOLUTE = /^https?:\/\//i;

/**
 * Reads the entries of a sitemap, sitemap index or feed, well-formed or not. Expands no entities that the
 * file declares.
 */
export class SitemapXml implements XmlTokenHandler {
  readonly #tokens = new XmlTokens(this);
  readonly #source: SitemapSource;
  #entries: SitemapEntry[] = [];
  #format: Format | null = null;
  #open: OpenElement[] = [];
  #entry: OpenEntry | null = null;
  /** URL that the parser is reading: the name of its element, and its text so far. */
  #address: { name: string; text: string; rank: number } | null = null;
  #entities = new Set<string>();
  /**
   * Namespace prefixes of the elements of sitemaps and feeds. Other prefixes, such as `media`, name elements
   * of extensions.
   */
  readonly #ownPrefixes = new Set(['', 'atom']);
  #firstElement = '';
  /** True if the sitemap's root element is missing in the file. */
  #isRootless = false;
  #hasDoctype = false;
  #isHtml = false;
  #hasPreamble = false;
  #hasEntries = false;

  constructor(source: SitemapSource) {
    this.#source = source;
  }

  write(text: string): SitemapEntry[] {
    this.#tokens.write(text);
    this.#limitPreamble();
    return this.#takeEntries();
  }

  end(): SitemapEntry[] {
    this.#tokens.end();
    if (this.#format === null) throw this.#createRootError();
    if (this.#open.length > (this.#isRootless ? 1 : 0)) {
      this.#address = null;
      if (this.#entry !== null && this.#entry.link !== null) this.#endEntry();
      if (!this.#hasEntries) throw new WebSourceError('The sitemap ends before its first entry.', false);
      this.#onFlaw('truncated');
      this.#source.onPartial();
    }
    return this.#takeEntries();
  }

  open(fullName: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#open.length === 0) {
      const rootless = this.#format === null ? rootlessFormats.get(splitName(fullName).name) : undefined;
      if (rootless === undefined) return this.#openRoot(splitName(fullName), attributes);
      this.#openWithoutRoot(rootless, splitName(fullName).prefix);
    }
    const name = this.#removeOwnPrefix(fullName);
    if (this.#address !== null) this.#endAddress();
    this.#endOpenField(name);
    if (this.#isEntry(name)) this.#beginEntry(name, attributes);
    else this.#beginAddress(name, attributes);
    this.#push(name, attributes);
  }

  close(fullName: string): void {
    const name = this.#removeOwnPrefix(fullName);
    if (this.#address !== null) this.#endAddress(name);
    const index = this.#open.findLastIndex((element) => element.name === name);
    if (index === -1) return;
    if (this.#entry !== null && index <= this.#entry.depth) {
      if (index < this.#entry.depth) this.#onFlaw('not_closed');
      this.#endEntry();
    }
    this.#open.length = index;
  }

  text(text: string, isCdata: boolean): void {
    if (this.#open.length === 0) {
      // The declarations in a DOCTYPE end with `]>`, which is text for the tokenizer.
      const isBlank = (this.#hasDoctype ? /^[\s\]>]*$/ : /^\s*$/).test(text);
      if (!isBlank) this.#addOutsideText();
      return;
    }
    const start = text.slice(0, MAX_LOCATION_LENGTH);
    const escaped = isCdata ? start.replaceAll('&', '&amp;') : start;
    if (this.#address !== null) this.#address.text = append(this.#address.text, escaped);
    else if (this.#entry?.depth === this.#open.length - 1)
      this.#entry.text = append(this.#entry.text, escaped);
  }

  comment(): void {
    if (this.#format === null) this.#hasPreamble = true;
  }

  instruction(target: string): void {
    if (target === 'xml' && this.#hasPreamble) this.#onFlaw('text_before');
  }

  declaration(text: string): void {
    this.#hasDoctype = true;
    this.#hasPreamble = true;
    if (this.#format === null && /^doctype\s+html\b/i.test(text)) this.#isHtml = true;
    const entity = /(?:^|<!)ENTITY\s+([\w.:-]{1,100})\s/i.exec(text)?.[1];
    if (entity !== undefined && this.#entities.size < MAX_DECLARED_ENTITIES) this.#entities.add(entity);
  }

  #removeOwnPrefix(fullName: string): string {
    const { prefix, name } = splitName(fullName);
    return this.#ownPrefixes.has(prefix) ? name : fullName;
  }

  /** Returns whether an element is an entry of the sitemap, and not part of one. */
  #isEntry(name: string): boolean {
    const isPart = this.#entry !== null && this.#open.length > this.#entry.depth + 1;
    return entryNames[this.#format!].has(name) && !isPart;
  }

  #onFlaw(flaw: SitemapFlaw): void {
    this.#source.onFlaw(flaw);
  }

  #takeEntries(): SitemapEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  #push(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#open.length === MAX_DEPTH) return;
    const parent = this.#open.at(-1)?.base ?? this.#source.url;
    const baseAttribute = attributes.get('xml:base');
    const href =
      baseAttribute === undefined ? parent : (parseLink(this.#decode(baseAttribute), parent)?.href ?? parent);
    // Ignore a long base URL: nested base URLs join to a long URL, which each URL within them would parse
    // again.
    this.#open.push({ name, base: href.length > MAX_LOCATION_LENGTH ? parent : href });
  }

  #limitPreamble(): void {
    if (this.#format === null && this.#tokens.position > MAX_PREAMBLE_CHARS) throw this.#createRootError();
  }

  /** Begins a sitemap file of entries without a root element, and treats the missing element as open. */
  #openWithoutRoot(format: Format, prefix: string): void {
    this.#format = format;
    this.#isRootless = true;
    this.#ownPrefixes.add(prefix);
    this.#onFlaw('no_root');
    this.#push('', new Map());
  }

  #openRoot({ prefix, name }: ElementName, attributes: ReadonlyMap<string, string>): void {
    this.#limitPreamble();
    const format = roots.get(name);
    if (format !== undefined) {
      this.#format = format;
      this.#ownPrefixes.add(prefix);
      for (const [attribute, value] of attributes) {
        if (attribute.startsWith('xmlns:') && OWN_NAMESPACE.test(value))
          this.#ownPrefixes.add(splitName(attribute).name);
      }
      if (format === 'feed') this.#source.onPartial();
      return this.#push(name, attributes);
    }
    const isPage = name === 'html' || (this.#firstElement === '' && WEB_PAGE_ELEMENTS.has(name));
    if (this.#format === null && isPage) throw createWebPageError();
    this.#firstElement ||= name;
    this.#addOutsideText();
  }

  #addOutsideText(): void {
    this.#hasPreamble = true;
    this.#onFlaw(this.#format === null ? 'text_before' : 'text_after');
  }

  /** Closes the entry's open field if its end tag is missing and another element begins. */
  #endOpenField(next: string): void {
    const isField = fields.has(next) || entryNames[this.#format!].has(next);
    if (!isField || !fields.has(this.#open.at(-1)!.name)) return;
    this.#onFlaw('not_closed');
    this.#open.pop();
  }

  #beginEntry(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#entry !== null) {
      this.#onFlaw('not_closed');
      const { depth } = this.#entry;
      this.#endEntry();
      this.#open.length = depth;
    }
    const { base } = this.#open.at(-1)!;
    const depth = this.#open.length;
    this.#entry = { name, depth, base, link: null, hasLocation: false, text: '' };
    const about = attributes.get('rdf:about') ?? '';
    if (ABSOLUTE.test(about)) this.#addLink(about, 4);
  }

  #beginAddress(name: string, attributes: ReadonlyMap<string, string>): void {
    const isInEntry = this.#entry?.depth === this.#open.length - 1;
    if (this.#format !== 'feed') {
      if (name === 'loc' && (isInEntry || this.#open.length === 1))
        this.#address = { name, text: '', rank: 0 };
    } else if (isInEntry && name === 'link') this.#beginLink(attributes);
    else if (isInEntry && name === 'guid' && attributes.get('ispermalink')?.toLowerCase() !== 'false')
      this.#address = { name, text: '', rank: 2 };
    else if (isInEntry && name === 'id') this.#address = { name, text: '', rank: 3 };
  }

  /** Reads the link of a feed's entry: in RSS it is a text, in Atom an attribute. */
  #beginLink(attributes: ReadonlyMap<string, string>): void {
    if (!ALTERNATE.test((attributes.get('rel') ?? '').trim().toLowerCase())) return;
    const rank = WEB_PAGE_TYPE.test((attributes.get('type') ?? '').trim().toLowerCase()) ? 0 : 1;
    const href = attributes.get('href');
    if (href === undefined) this.#address = { name: 'link', text: '', rank };
    else this.#addLink(href, rank);
  }

  /** @param closed name of the element that is closed; undefined if another element begins instead */
  #endAddress(closed?: string): void {
    const { name, text, rank } = this.#address!;
    this.#address = null;
    if (closed !== name) this.#onFlaw('not_closed');
    if (this.#format === 'feed') {
      if (name === 'link' || ABSOLUTE.test(text.trim())) this.#addLink(text, rank);
      return;
    }
    if (this.#entry !== null) this.#entry.hasLocation = true;
    this.#addEntry(text, this.#entry?.name ?? null, this.#open.at(-1)!.base);
  }

  #addLink(location: string, rank: number): void {
    const entry = this.#entry!;
    if (location.trim() === '' || (entry.link !== null && entry.link.rank <= rank)) return;
    entry.link = { location, rank, base: this.#open.at(-1)!.base };
  }

  #endEntry(): void {
    const { name, base, link, text, hasLocation } = this.#entry!;
    const isLocation = text.trim() !== '' && (this.#format !== 'feed' || ABSOLUTE.test(text.trim()));
    if (link !== null) this.#addEntry(link.location, name, link.base);
    else if (!hasLocation) {
      if (isLocation) this.#onFlaw('no_loc');
      this.#addEntry(isLocation ? text : '', name, base);
    }
    this.#entry = null;
  }

  /** @param element name of the entry's element; null for a URL that is directly in the root element */
  #addEntry(raw: string, element: string | null, base: string): void {
    const isFile = this.#format === 'index' && (element === null || SITEMAP_FILE.test(raw));
    const isSitemap = element === 'sitemap' || isFile;
    if (UNESCAPED.test(raw)) this.#onFlaw('not_escaped');
    this.#hasEntries = true;
    const isUndecoded = this.#entities.size > 0 && this.#hasDeclaredEntity(raw);
    this.#entries.push({
      kind: isSitemap ? 'sitemap' : 'page',
      location: this.#decode(raw).trim(),
      base,
      ...(isUndecoded && { problem: 'This URL contains an entity that the sitemap declares.' }),
    });
  }

  #hasDeclaredEntity(raw: string): boolean {
    return [...raw.matchAll(/&([\w.:-]{1,100});/g)].some(([, name]) => this.#entities.has(name!));
  }

  /** Decodes the entities in a text of the sitemap, including those of HTML. Some programs escape twice. */
  #decode(raw: string): string {
    return decodeHTMLStrict(raw).replaceAll('&amp;', '&');
  }

  #createRootError(): WebSourceError {
    if (this.#isHtml) return createWebPageError();
    if (this.#firstElement === '')
      return new NotASitemap('The file is neither an XML sitemap nor a list of URLs.');
    return new NotASitemap(
      `The file is not a sitemap: its root element is <${cutText(this.#firstElement, 40)}>.`,
    );
  }
}

function splitName(fullName: string): ElementName {
  const colon = fullName.indexOf(':');
  return { prefix: fullName.slice(0, Math.max(0, colon)), name: fullName.slice(colon + 1) };
}

function append(text: string, more: string): string {
  return text.length < MAX_LOCATION_LENGTH ? text + more : text;
}

function createWebPageError(): NotASitemap {
  return new NotASitemap('The file is a web page, not a sitemap.');
}
