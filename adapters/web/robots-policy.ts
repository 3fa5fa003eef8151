import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { OutboundClient } from '../http/outbound-client.ts';
import { parseOutboundUrl } from '../http/guarded-resolver.ts';
import { OutboundError } from '../http/outbound-error.ts';
import { EVERYTHING_ALLOWED, parseRobots, type RobotsRules } from './robots-rules.ts';
import { WebSourceError } from './web-source-error.ts';

export const WEB_USER_AGENT = 'ParleyBot/1.0';

const ROBOTS_TIMEOUT_MS = 10_000;
/**
 * Maximum number of robots.txt files that are cached for a crawl. Redirects can lead a crawl to any number of
 * sites.
 */
const MAX_SITES = 100;
const ROBOTS_MAX_BYTES = 128 * 1024;

/**
 * Obeys the robots.txt files of the sites that one crawl visits (RFC 9309), including their crawl delays.
 * Reads each file once.
 */
export class RobotsPolicy {
  readonly #client: OutboundClient;
  readonly #rules = new LRUCache<string, Promise<RobotsRules>>({ max: MAX_SITES });
  readonly #nextTurnAt = new LRUCache<string, number>({ max: MAX_SITES });

  constructor(client: OutboundClient) {
    this.#client = client;
  }

  /**
   * Returns the robots.txt rules of the site to which a URL belongs.
   * @throws WebSourceError if robots.txt exists but cannot be read now
   * @throws OutboundError in the same cases
   */
  loadRules(url: string, signal?: AbortSignal): Promise<RobotsRules> {
    const { origin } = parseOutboundUrl(url);
    const cached = this.#rules.get(origin);
    if (cached) return cached;
    const loading = this.#load(origin, signal);
    this.#rules.set(origin, loading);
    loading.catch(() => this.#rules.delete(origin));
    return loading;
  }

  /**
   * Returns the robots.txt rules of the site if they allow a page. Throws if not.
   * @throws WebSourceError if the rules disallow the page, and the errors of `loadRules`
   */
  async assertAllowed(url: string, signal?: AbortSignal): Promise<RobotsRules> {
    const rules = await this.loadRules(url, signal);
    if (!rules.isAllowed(url)) throw new WebSourceError(describeDisallowed(url), false);
    return rules;
  }

  /**
   * Waits until the crawl delay of the site's robots.txt after the previous request has passed.
   * @throws the same errors as `assertAllowed`
   */
  async waitForTurn(url: string, signal?: AbortSignal): Promise<void> {
    const { crawlDelayMs } = await this.assertAllowed(url, signal);
    const { origin } = parseOutboundUrl(url);
    const now = performance.now();
    const turnAt = Math.max(now, this.#nextTurnAt.get(origin) ?? now);
    this.#nextTurnAt.set(origin, turnAt + crawlDelayMs);
    if (turnAt === now) return;
    await sleep(turnAt - now, undefined, { signal }).catch((cause: unknown) => {
      throw new OutboundError('aborted', 'The request was canceled.', { cause });
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
        `${url} responded with status ${status}; the site cannot be read until its robots.txt can be read.`,
        true,
      );
    }
    return status < 300 ? parseRobots(url, body.toString('utf8')) : EVERYTHING_ALLOWED;
  }
}

export function describeDisallowed(url: string): string {
  return `The robots.txt of ${new URL(url).host} does not allow this page to be read.`;
}
