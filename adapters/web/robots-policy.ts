import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutboundClient } from '../http/outbound-client.ts';
import { parseOutboundUrl } from '../http/guarded-resolver.ts';
import { OutboundError } from '../http/outbound-error.ts';
import { WebSourceError } from './web-source-error.ts';

// A CommonJS package whose types describe an ES module, so that a plain import would have the wrong type.
const robotsParser = createRequire(import.meta.url)(
  'robots-parser',
) as typeof import('robots-parser').default;

export const WEB_USER_AGENT = 'ParleyBot/1.0';

const ROBOTS_TIMEOUT_MS = 10_000;
const ROBOTS_MAX_BYTES = 128 * 1024;
const MAX_CRAWL_DELAY_MS = 5_000;
const MAX_WILDCARD_LENGTH = 16 * 1024;

/** What one site's robots.txt says to Parley. */
export interface RobotsRules {
  /** Between two requests; at most five seconds, whatever the site asks for. */
  crawlDelayMs: number;
  isAllowed(url: string): boolean;
  /** The sitemaps that it names. */
  sitemaps: string[];
}

const everythingAllowed: RobotsRules = { crawlDelayMs: 0, isAllowed: () => true, sitemaps: [] };

/** The robots.txt files of one crawl (RFC 9309), each read once, and the pace they ask for. */
export class RobotsPolicy {
  readonly #client: OutboundClient;
  readonly #rules = new Map<string, Promise<RobotsRules>>();
  readonly #nextTurnAt = new Map<string, number>();

  constructor(client: OutboundClient) {
    this.#client = client;
  }

  /** @throws WebSourceError, OutboundError where robots.txt exists but cannot be read now */
  rulesOf(url: string, signal?: AbortSignal): Promise<RobotsRules> {
    const { origin } = parseOutboundUrl(url);
    const known = this.#rules.get(origin);
    if (known) return known;
    const loading = this.#load(origin, signal);
    this.#rules.set(origin, loading);
    loading.catch(() => this.#rules.delete(origin));
    return loading;
  }

  /** @throws WebSourceError where the site does not want this page to be read */
  async assertAllowed(url: string, signal?: AbortSignal): Promise<RobotsRules> {
    const rules = await this.rulesOf(url, signal);
    if (!rules.isAllowed(url)) throw new WebSourceError(disallowed(url), false);
    return rules;
  }

  /** Waits until the site's crawl delay since the turn before has passed. @throws as `assertAllowed` */
  async takeTurn(url: string, signal?: AbortSignal): Promise<void> {
    const { crawlDelayMs } = await this.assertAllowed(url, signal);
    const { origin } = parseOutboundUrl(url);
    const now = performance.now();
    const turnAt = Math.max(now, this.#nextTurnAt.get(origin) ?? now);
    this.#nextTurnAt.set(origin, turnAt + crawlDelayMs);
    if (turnAt === now) return;
    await sleep(turnAt - now, undefined, { signal }).catch((cause: unknown) => {
      throw new OutboundError('aborted', 'The request was cancelled.', { cause });
    });
  }

  async #load(origin: string, signal?: AbortSignal): Promise<RobotsRules> {
    const url = `${origin}/robots.txt`;
    const { status, body } = await this.#client.request({
      url,
      headers: { 'user-agent': WEB_USER_AGENT },
      timeoutMs: ROBOTS_TIMEOUT_MS,
      maxBytes: ROBOTS_MAX_BYTES,
      onOverflow: 'truncate',
      signal,
    });
    if (status === 429 || status >= 500) {
      throw new WebSourceError(
        `${url} answered with status ${status}; until it can be read, nothing of the site may be.`,
        true,
      );
    }
    return status < 300 ? parseRules(url, body.toString('utf8')) : everythingAllowed;
  }
}

function parseRules(url: string, text: string): RobotsRules {
  const robots = robotsParser(url, boundWildcards(text));
  const delayMs = (robots.getCrawlDelay(WEB_USER_AGENT) ?? 0) * 1000;
  return {
    crawlDelayMs: Math.min(Math.max(delayMs, 0) || 0, MAX_CRAWL_DELAY_MS),
    isAllowed: (target) => robots.isAllowed(target, WEB_USER_AGENT) !== false,
    sitemaps: robots
      .getSitemaps()
      .flatMap((named) => (URL.canParse(named, url) ? [new URL(named, url).href] : [])),
  };
}

/** Matching a wildcard rule takes its length times that of the address, so their total length is bounded. */
function boundWildcards(text: string): string {
  let left = MAX_WILDCARD_LENGTH;
  const isKept = (line: string) => {
    if (!/^\s*(dis)?allow\s*:.*\*/i.test(line)) return true;
    left -= line.length;
    return left >= 0;
  };
  return text
    .split(/\r\n?|\n/)
    .filter(isKept)
    .join('\n');
}

export function disallowed(url: string): string {
  return `The robots.txt of ${new URL(url).host} does not allow this page to be read.`;
}
