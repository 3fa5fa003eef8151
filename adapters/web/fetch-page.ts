import { buffer } from 'node:stream/consumers';
import type { OutboundClient } from '../http/outbound-client.ts';
import { WEB_USER_AGENT, type RobotsPolicy } from './robots-policy.ts';
import { createStatusError } from './web-source-error.ts';

export interface FetchPageOptions {
  timeoutMs: number;
  maxBytes: number;
  /** Policy for obeying the site's robots.txt, including its crawl delay. */
  robots?: RobotsPolicy;
  signal?: AbortSignal | undefined;
  /**
   * ETag and date of an earlier response. If they are given, the page is only returned if it has changed
   * since that response.
   */
  ifChangedSince?: PageValidators | null;
}

export interface PageValidators {
  etag: string | null;
  lastModified: string | null;
}

export interface FetchedPage extends PageValidators {
  /** Content-Type header of the web page's response, unparsed; null if the response has none. */
  contentType: string | null;
  /** URL of the downloaded web page, after redirects. */
  url: string;
  /** X-Robots-Tag header of the web page's response, unparsed; null if the response has none. */
  robots: string | null;
  body: Buffer;
}

/**
 * Downloads a web page or file. Returns null if the page has not changed. Both kinds of errors have
 * `isTransient`, and a message for people.
 * @throws OutboundError
 * @throws WebSourceError
 */
export async function fetchPage(
  client: OutboundClient,
  url: string,
  { timeoutMs, maxBytes, robots, signal, ifChangedSince }: FetchPageOptions,
): Promise<FetchedPage | null> {
  await robots?.waitForTurn(url, signal);
  const conditions = buildConditionalHeaders(ifChangedSince);
  return client.stream(
    {
      url,
      headers: {
        'user-agent': WEB_USER_AGENT,
        accept: 'text/html, application/xhtml+xml, */*;q=0.8',
        ...conditions,
      },
      timeoutMs,
      maxBytes,
      signal,
    },
    async ({ status, headers, url: finalUrl, body }) => {
      if (status === 304 && Object.keys(conditions).length > 0) return null;
      if (status < 200 || status > 299) throw createStatusError(finalUrl, status);
      if (finalUrl !== url) await robots?.assertAllowed(finalUrl, signal);
      return {
        contentType: headers['content-type'] ?? null,
        url: finalUrl,
        etag: headers['etag'] ?? null,
        lastModified: headers['last-modified'] ?? null,
        robots: headers['x-robots-tag'] ?? null,
        body: await buffer(body),
      };
    },
  );
}

function buildConditionalHeaders(validators: PageValidators | null | undefined): Record<string, string> {
  const { etag = null, lastModified = null } = validators ?? {};
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}
