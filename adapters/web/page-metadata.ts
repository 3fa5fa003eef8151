import { Parser } from 'htmlparser2';
import { splitText } from '../../core/concurrency/cooperative.ts';
import { decodeMarkup } from '../extraction/encoding/decode-text.ts';
import { normalizeLink } from './link-address.ts';
import { parseLink } from './parse-link.ts';

export interface PageSource {
  body: Buffer;
  contentType: string | null;
  /** URL of the web page, after redirects. */
  url: string;
  /** Value of the X-Robots-Tag header with the page; null if the response has none. */
  robots: string | null;
}

export interface PageLink {
  url: string;
  isNofollow: boolean;
}

/** Metadata that a web page has for crawlers: links, canonical URL, noindex and nofollow. */
export interface PageMetadata {
  isNoindex: boolean;
  isNofollow: boolean;
  /** Canonical URL that the web page declares; null if it declares none. */
  canonical: string | null;
  links: PageLink[];
}

/** Maximum number of bytes of a page that are parsed; links after these bytes are ignored. */
export const READ_BYTES = 1024 * 1024;
const MAX_LINKS = 5000;
/**
 * Maximum number of characters of all resolved links of a page together. Each short relative link can become
 * as long as the page's base URL.
 */
const MAX_LINK_CHARS = 256 * 1024;
/**
 * Maximum nesting of a page's elements: the parser takes quadratic time for elements that are never closed.
 */
const MAX_NESTED = 1000;
const OUR_NAME = 'parleybot';
/**
 * Matches rules in the header X-Robots-Tag that have a value, such as `max-snippet: 20`. Such a rule has the
 * same syntax as an agent's name followed by rules.
 */
const RULES_WITH_VALUES = /^(unavailable_after|max-(snippet|image-preview|video-preview))$/i;

/**
 * Reads a web page's metadata for crawlers. If the page is not HTML, only the header X-Robots-Tag counts. A
 * hostile page can take long: see `readPageMetadataInThread`.
 */
export function readPageMetadata(source: PageSource): PageMetadata {
  const rules = parseRobotsHeader(source.robots ?? '');
  const found: Pick<PageMetadata, 'canonical' | 'links'> = { canonical: null, links: [] };
  if (isHtml(source)) readHtml(source, rules, found);
  const has = (rule: string) => rules.has(rule) || rules.has('none');
  return { ...found, isNoindex: has('noindex'), isNofollow: has('nofollow') };
}

function isHtml({ contentType, body }: PageSource): boolean {
  const head = body.subarray(0, 1024);
  if (head.includes(0)) return false;
  return contentType === null ? /^\s*</.test(head.toString('latin1')) : /\bx?html\b/i.test(contentType);
}

function readHtml(
  { body, contentType, url }: PageSource,
  rules: Set<string>,
  found: Pick<PageMetadata, 'canonical' | 'links'>,
): void {
  let base: string | undefined;
  let depth = 0;
  let linkChars = 0;
  let isOver = false;
  const resolvePageAddress = (href: string | undefined) =>
    href === undefined || href.trim() === '' ? null : normalizeLink(href, base ?? url);
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      isOver ||= depth > MAX_NESTED;
      if (name === 'base' && base === undefined && attributes['href'] !== undefined) {
        base = parseLink(attributes['href'], url)?.href;
      } else if (name === 'meta' && /^(robots|parleybot)$/i.test(attributes['name'] ?? '')) {
        for (const rule of splitRules(attributes['content'] ?? '')) rules.add(rule);
      } else if (name === 'link' && /(^|\s)canonical(\s|$)/i.test(attributes['rel'] ?? '')) {
        found.canonical ??= resolvePageAddress(attributes['href']);
      } else if (
        (name === 'a' || name === 'area') &&
        linkChars < MAX_LINK_CHARS &&
        found.links.length < MAX_LINKS
      ) {
        const address = resolvePageAddress(attributes['href']);
        const isNofollow = /(^|\s)nofollow(\s|$)/i.test(attributes['rel'] ?? '');
        linkChars += address?.length ?? 0;
        if (address !== null) found.links.push({ url: address, isNofollow });
      }
    },
    onclosetag() {
      depth -= 1;
    },
  });
  const { text } = decodeMarkup(body.subarray(0, READ_BYTES), { mimeType: contentType });
  for (const piece of splitText(text)) {
    parser.write(piece);
    if (isOver) return;
  }
  parser.end();
}

const splitRules = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/**
 * Parses rules in the header X-Robots-Tag such as `noindex`. Skips rules for other agents, such as `otherbot:
 * noindex`.
 */
function parseRobotsHeader(text: string): Set<string> {
  const rules = new Set<string>();
  let agent: string | undefined;
  for (const part of text.toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? [];
    if (name !== undefined && RULES_WITH_VALUES.test(name)) continue;
    if (name !== undefined) agent = name;
    if (agent === undefined || agent === OUR_NAME)
      for (const rule of splitRules(rest ?? part)) rules.add(rule);
  }
  return rules;
}
