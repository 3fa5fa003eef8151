import { buffer } from 'node:stream/consumers';
import type { OutboundClient } from '../http/outbound-client.ts';
import { WEB_USER_AGENT, type RobotsPolicy } from './robots-policy.ts';
import { statusError } from './web-source-error.ts';

export interface FetchPageOptions {
  timeoutMs: number;
  maxBytes: number;
  /** Where given, robots.txt decides, and its crawl delay is kept. */
  robots?: RobotsPolicy;
  signal?: AbortSignal | undefined;
}

export interface FetchedPage {
  /** The Content-Type header as sent, or null. */
  contentType: string | null;
  body: Buffer;
}

/**
 * Fetches one page or file. Both errors carry `isTransient` and a message for people.
 * @throws OutboundError, WebSourceError
 */
export async function fetchPage(
  client: OutboundClient,
  url: string,
  { timeoutMs, maxBytes, robots, signal }: FetchPageOptions,
): Promise<FetchedPage> {
  await robots?.takeTurn(url, signal);
  return client.stream(
    {
      url,
      headers: { 'user-agent': WEB_USER_AGENT, accept: 'text/html, application/xhtml+xml, */*;q=0.8' },
      timeoutMs,
      maxBytes,
      signal,
    },
    async ({ status, headers, url: finalUrl, body }) => {
      if (status < 200 || status > 299) throw statusError(finalUrl, status);
      if (finalUrl !== url) await robots?.assertAllowed(finalUrl, signal);
      return {
        contentType: headers['content-type'] ?? null,
        body: await buffer(body),
      };
    },
  );
}
