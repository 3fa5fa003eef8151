import type { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { OutboundError } from '../../../adapters/http/outbound-error.ts';
import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import { fetchPage } from '../../../adapters/web/fetch-page.ts';
import { normalizeHost } from '../../../adapters/web/link-address.ts';
import type { PageDigest } from '../../../adapters/web/page-digest.ts';
import { buildPageKey } from '../../../adapters/web/page-key.ts';
import { digestPageInThread } from '../../../adapters/web/page-tasks.ts';
import { RobotsPolicy } from '../../../adapters/web/robots-policy.ts';
import { WebSourceError } from '../../../adapters/web/web-source-error.ts';
import type { SiteDigest } from '../../../core/bots/generation/blueprint.ts';
import { SiteBrandingReader, type SiteBranding, type SiteVisit } from './site-branding.ts';

/** Result of reading the website for which a bot is drafted. */
export interface SiteResult {
  site: SiteDigest | null;
  icon: SiteBranding['icon'];
  /** True if the website's robots.txt forbids reading the home page. */
  isRefused: boolean;
  problem: string | null;
}

const PAGE_BYTES = 1024 * 1024;
/** Time limit of one page, as a share of the time for the whole website. */
const PAGE_SHARE = 0.5;
const TOO_SLOW = 'the website could not be read: it took too long';
const FURTHER_PAGES = 4;
/**
 * Maximum number of characters of a URL's path that are matched against the patterns for informative pages.
 */
const MATCHED_PATH_CHARS = 200;
const LIMITS = { names: 6, topics: 12, questions: 20, entries: 100, contacts: 20 };

/**
 * Patterns for informative pages of a business, such as prices or contact. The patterns match URL paths and
 * link texts in seven languages.
 */
const INFORMATIVE = [
  /faq|fragen|hilfe|help|preguntas|ayuda|aide|domande|vragen|perguntas/i,
  /pric|preis|kosten|tarif|precio|prezzi|prijz|prijs|preco|preço/i,
  /about|über|ueber|wer-wir|nosotros|quienes|quiénes|propos|chi-siamo|over-ons|sobre/i,
  /service|leistung|produkt|product|angebot|servicio|servizi|dienst|servi[cç]o/i,
  /contact|kontakt|contatt|contat/i,
];

/** Reads the most informative pages of a business's website, where the website's robots.txt allows this. */
export class SiteReader {
  readonly #outbound: OutboundClient;
  readonly #branding: SiteBrandingReader;

  constructor(outbound: OutboundClient) {
    this.#outbound = outbound;
    this.#branding = new SiteBrandingReader(outbound);
  }

  /**
   * Reads a website. If the website fails, returns the reason as `problem`.
   * @param totalMs milliseconds for the whole website
   * @throws the abort reason of `signal`
   */
  async read(
    address: string,
    { payerId, totalMs, signal }: { payerId: string; totalMs: number; signal: AbortSignal },
  ): Promise<SiteResult> {
    const robots = new RobotsPolicy(this.#outbound);
    const bounds = AbortSignal.any([signal, AbortSignal.timeout(Math.round(totalMs))]);
    const visit = { payerId, robots, signal: bounds, timeoutMs: Math.round(totalMs * PAGE_SHARE) };
    try {
      const rules = await robots.loadRules(address, bounds);
      if (!rules.isAllowed(address)) return toRefusedSite(address);
      const home = await this.#fetchDigest(address, visit);
      const further = await this.#readFurther(home, visit);
      const { colors, icon } = await this.#branding.read(home.style, visit);
      signal.throwIfAborted();
      return { site: toSiteDigest(home, further, colors), icon, isRefused: false, problem: null };
    } catch (error) {
      signal.throwIfAborted();
      const problem = bounds.aborted ? TOO_SLOW : describeProblem(error);
      return { site: null, icon: null, isRefused: false, problem };
    }
  }

  async #readFurther(home: PageDigest, visit: SiteVisit): Promise<PageDigest[]> {
    const pages: PageDigest[] = [];
    for (const url of findInformativeLinks(home)) {
      if (visit.signal.aborted) break;
      try {
        const page = await this.#fetchDigest(url, visit);
        // Skip the page if it redirects to another host, which may belong to another business.
        if (normalizeHost(page.url) === normalizeHost(home.url)) pages.push(page);
      } catch (error) {
        // Skip the page if the website failed; rethrow all other errors.
        if (!visit.signal.aborted) describeProblem(error);
      }
    }
    return pages;
  }

  async #fetchDigest(address: string, visit: SiteVisit): Promise<PageDigest> {
    const page = await fetchPage(this.#outbound, address, { ...visit, maxBytes: PAGE_BYTES });
    const type = page?.contentType ?? 'text/html';
    if (!page || !/\bx?html\b/i.test(type)) throw new WebSourceError(`${address} is not a web page.`, false);
    return digestPageInThread(page, visit);
  }
}

function toRefusedSite(address: string): SiteResult {
  const { host } = new URL(address);
  return {
    site: null,
    icon: null,
    isRefused: true,
    problem: `the robots.txt of ${host} does not allow the website to be read`,
  };
}

/**
 * Returns the message about a website that could not be read; rethrows errors that the website did not cause.
 * @throws any other error
 */
function describeProblem(error: unknown): string {
  const isSiteError =
    error instanceof OutboundError || error instanceof WebSourceError || isUnreadable(error);
  if (!isSiteError) throw error;
  return `the website could not be read: ${error.message}`;
}

/** Returns links to informative pages: first one link for each pattern, then all other links. */
function findInformativeLinks({ url, links }: PageDigest): string[] {
  const host = normalizeHost(url);
  const informative = links.flatMap((link) => {
    if (normalizeHost(link.url) !== host) return [];
    const path = new URL(link.url).pathname.slice(0, MATCHED_PATH_CHARS);
    const kinds = INFORMATIVE.filter((kind) => kind.test(path) || kind.test(link.label));
    return kinds.length === 0 ? [] : [{ url: link.url, kinds }];
  });
  const first = INFORMATIVE.flatMap((kind) => informative.find(({ kinds }) => kinds.includes(kind)) ?? []);
  const seenKeys = new Set([buildPageKey(url)]);
  const urls: string[] = [];
  for (const link of [...first, ...informative]) {
    if (urls.length === FURTHER_PAGES) break;
    const key = buildPageKey(link.url);
    if (!seenKeys.has(key)) urls.push(link.url);
    seenKeys.add(key);
  }
  return urls;
}

function toSiteDigest(
  home: PageDigest,
  further: readonly PageDigest[],
  colors: SiteDigest['colors'],
): SiteDigest {
  const pages = [home, ...further];
  const collectUnique = <T>(pick: (page: PageDigest) => readonly T[], max: number): T[] =>
    [...new Set(pages.flatMap(pick))].slice(0, max);
  return {
    host: new URL(home.url).host,
    pages: pages.map(({ url, title, text }) => ({ url, title, text })),
    names: [...collectUnique(({ names }) => names, LIMITS.names), home.siteName].filter(Boolean),
    language: home.language,
    description: home.description || null,
    topics: home.topics.slice(0, LIMITS.topics),
    questions: collectUnique(({ questions }) => questions, LIMITS.questions),
    entries: collectEntries(pages, home.url),
    mails: collectUnique(({ mails }) => mails, LIMITS.contacts),
    phones: collectUnique(({ phones }) => phones, LIMITS.contacts),
    colors,
  };
}

/**
 * Returns the directory entries found on a website, without duplicates. Skips entries that link to the home
 * page, since they name the business itself.
 */
function collectEntries(pages: readonly PageDigest[], home: string): SiteDigest['entries'] {
  const uniqueEntries = new Map<string, SiteDigest['entries'][number]>();
  const homeKey = buildPageKey(home);
  for (const entry of pages.flatMap(({ entries }) => entries)) {
    if (buildPageKey(entry.link) !== homeKey) uniqueEntries.set(`${entry.category}\n${entry.name}`, entry);
  }
  return [...uniqueEntries.values()].slice(0, LIMITS.entries);
}
