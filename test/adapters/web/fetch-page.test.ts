import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { fetchPage, type FetchPageOptions } from '../../../adapters/web/fetch-page.ts';
import { RobotsPolicy } from '../../../adapters/web/robots-policy.ts';
import { LocalServers, matchesKind } from '../http/local-servers.ts';
import { assertCpuBelow } from '../../support/cost.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

describe('fetchPage', () => {
  const servers = new LocalServers();
  let client: OutboundClient;
  let site: string;
  let routes: Record<string, RequestListener>;
  let requested: string[];

  beforeEach(async () => {
    requested = [];
    routes = {};
    client = new OutboundClient({ allow: ['127.0.0.0/8'], userAgent: 'Parley-Test/1.0' });
    const port = await servers.http((req, res) => {
      requested.push(req.url ?? '');
      const route = routes[req.url ?? ''];
      if (route) route(req, res);
      else res.writeHead(404).end();
    });
    site = `http://127.0.0.1:${port}`;
  });
  afterEach(async () => {
    await client.close();
    await servers.close();
  });

  const robotsTxt = (text: string) => {
    routes['/robots.txt'] = (_req, res) => res.end(text);
  };
  const fetch = (path: string, options: Partial<FetchPageOptions> = {}) =>
    fetchPage(client, site + path, { timeoutMs: 2000, maxBytes: 10_000, ...options });

  it('returns bytes and the declared type, after redirects', async () => {
    routes['/old'] = (_req, res) => res.writeHead(302, { location: '/new' }).end();
    routes['/new'] = (req, res) => {
      assert.equal(req.headers['user-agent'], 'ParleyBot/1.0');
      res.writeHead(200, { 'content-type': 'text/html; charset=windows-1251' });
      res.end(Buffer.from([0xcf, 0xf0]));
    };
    assert.deepEqual(await fetch('/old'), {
      contentType: 'text/html; charset=windows-1251',
      url: `${site}/new`,
      etag: null,
      lastModified: null,
      robots: null,
      body: Buffer.from([0xcf, 0xf0]),
    });
  });

  it('requests the page conditionally, and returns null if it has not changed', async () => {
    const validators = { etag: '"1"', lastModified: 'Mon, 01 Jun 2026 08:00:00 GMT' };
    routes['/a'] = (req, res) => {
      const isSame =
        req.headers['if-none-match'] === '"1"' &&
        req.headers['if-modified-since'] === validators.lastModified;
      res.writeHead(isSame ? 304 : 200, { etag: '"1"', 'x-robots-tag': 'noindex' }).end(isSame ? '' : 'x');
    };
    assert.equal(await fetch('/a', { ifChangedSince: validators }), null);
    const { etag, lastModified, robots } = (await fetch('/a')) ?? {};
    assert.deepEqual([etag, lastModified, robots], ['"1"', null, 'noindex']);
    routes['/b'] = (_req, res) => res.writeHead(304).end();
    await assert.rejects(fetch('/b'), /responded with status 304/);
  });

  it('returns null as the type if none is declared', async () => {
    routes['/a'] = (_req, res) => res.end('x');
    assert.equal((await fetch('/a'))?.contentType, null);
  });

  it('reports the status of a failed page, and whether it may work later', async () => {
    for (const [status, isTransient] of [
      [404, false],
      [403, false],
      [408, true],
      [429, true],
      [503, true],
    ] as const) {
      routes['/a'] = (_req, res) => res.writeHead(status).end('x'.repeat(50_000));
      await assert.rejects(fetch('/a'), {
        message: `${site}/a responded with status ${status}.`,
        isTransient,
      });
    }
  });

  it('refuses a page that is too large or too slow', async () => {
    routes['/large'] = (_req, res) => res.end('x'.repeat(10_001));
    await assert.rejects(fetch('/large'), matchesKind('too_large'));
    routes['/slow'] = () => {};
    await assert.rejects(fetch('/slow', { timeoutMs: 100 }), matchesKind('timeout'));
  });

  describe('with a robots.txt', () => {
    beforeEach(() => {
      for (const path of ['/open', '/closed']) routes[path] = (_req, res) => res.end('x');
      routes['/sly'] = (_req, res) => res.writeHead(302, { location: '/closed' }).end();
    });

    it('obeys it, reads it once, and prefers its rules for ParleyBot', async () => {
      robotsTxt('User-agent: *\nDisallow: /\n\nUser-agent: parleybot\nDisallow: /closed');
      const robots = new RobotsPolicy(client);
      await fetch('/open', { robots });
      await assert.rejects(fetch('/closed', { robots }), {
        name: 'WebSourceError',
        isTransient: false,
        message: `The robots.txt of ${new URL(site).host} does not allow this page to be read.`,
      });
      assert.deepEqual(requested, ['/robots.txt', '/open']);
    });

    it('obeys it for the target of a redirect too', async () => {
      robotsTxt('User-agent: *\nDisallow: /closed');
      await assert.rejects(fetch('/sly', { robots: new RobotsPolicy(client) }), { name: 'WebSourceError' });
    });

    it('fetches any page if robots.txt returns 401, 403, 404 or 410', async () => {
      for (const status of [404, 401, 403, 410]) {
        routes['/robots.txt'] = (_req, res) => res.writeHead(status).end('User-agent: *\nDisallow: /');
        await fetch('/closed', { robots: new RobotsPolicy(client) });
      }
    });

    it('fails with a transient error if robots.txt returns 429, 500 or 503', async () => {
      for (const status of [429, 500, 503]) {
        routes['/robots.txt'] = (_req, res) => res.writeHead(status).end();
        await assert.rejects(fetch('/open', { robots: new RobotsPolicy(client) }), {
          isTransient: true,
          message: `${site}/robots.txt responded with status ${status}; the site cannot be read until its robots.txt can be read.`,
        });
      }
    });

    it('fetches the page if robots.txt is markup, binary or endless', async () => {
      for (const body of ['<!doctype html><p>Hi', Buffer.alloc(1000, 0xff), '*\n'.repeat(1e6)]) {
        routes['/robots.txt'] = (_req, res) => res.end(body);
        await fetch('/open', { robots: new RobotsPolicy(client) });
      }
    });

    itInSoak('compares a URL in less than 1 s, however many wildcards it has', async () => {
      const rule = `Disallow: /${'*a'.repeat(900)}b\n`;
      robotsTxt(`User-agent: *\n${rule.repeat(70)}Disallow: /closed`);
      const robots = new RobotsPolicy(client);
      const rules = await robots.loadRules(site);
      const path = 'a'.repeat(1900);
      assertCpuBelow(1000, () => assert.equal(rules.isAllowed(`${site}/${path}`), true));
      await assert.rejects(fetch('/closed', { robots }), { name: 'WebSourceError' });
    });

    it('waits for its Crawl-delay between requests, five seconds at most', async () => {
      robotsTxt('User-agent: *\nCrawl-delay: 0.2');
      const robots = new RobotsPolicy(client);
      const startedAt = performance.now();
      await Promise.all([fetch('/open', { robots }), fetch('/open', { robots }), fetch('/open', { robots })]);
      const tookMs = performance.now() - startedAt;
      assert.ok(tookMs >= 390, `took ${tookMs} ms`);

      for (const [delay, crawlDelayMs] of [
        ['3600', 5000],
        ['-1', 0],
        ['soon', 0],
      ] as const) {
        robotsTxt(`User-agent: *\nCrawl-delay: ${delay}`);
        assert.equal((await new RobotsPolicy(client).loadRules(site)).crawlDelayMs, crawlDelayMs);
      }
    });

    it('rejects as aborted if the signal aborts during its Crawl-delay', async () => {
      robotsTxt('User-agent: *\nCrawl-delay: 5');
      const robots = new RobotsPolicy(client);
      await fetch('/open', { robots });
      await assert.rejects(
        fetch('/open', { robots, signal: AbortSignal.timeout(50) }),
        matchesKind('aborted'),
      );
    });
  });
});
