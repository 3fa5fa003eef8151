import assert from 'node:assert/strict';
import { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { SiteReader } from '../../services/bots/generation/site-reader.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { BusinessSite } from './generation-support.ts';

/** Longest time in milliseconds that reading a website may block the event loop. */
const MAX_HELD_MS = 50;
const READ_MS = 20_000;
const LONG = 'p'.repeat(1900);

const repeatPart = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join('');
const buildLinkedData = (count: number, part: (at: number) => object) =>
  `<script type="application/ld+json">${JSON.stringify(Array.from({ length: count }, (_, at) => part(at)))}</script>`;

const homes: Readonly<Record<string, string>> = {
  'long links': repeatPart(500, (at) => `<a href="/faq/${LONG}${at}">prices and contact ${at}</a>`),
  'links of slashes': repeatPart(500, (at) => `<a href="/faq${'/'.repeat(1900)}${at}">prices ${at}</a>`),
  people: buildLinkedData(1990, (at) => ({
    '@type': 'Person',
    name: `n${at}`,
    jobTitle: `j${at}`,
    url: `?${at}`,
  })),
  'nested elements': repeatPart(1400, () => `${'<b>'.repeat(100)}x${'</b>'.repeat(100)}`),
  'nested elements that never end': '<b>'.repeat(200_000),
  'style sheets': repeatPart(30_000, () => '<link rel=stylesheet href=a>'),
};

describe('SiteReader', () => {
  const site = new BusinessSite();
  const client = new OutboundClient({ allow: ['127.0.0.0/8'], userAgent: 'Parley-Test/1.0' });
  const reader = new SiteReader(client);
  const readSite = (path = '/') =>
    reader.read(site.base + path, {
      payerId: 'payer',
      totalMs: READ_MS,
      signal: new AbortController().signal,
    });
  before(() => site.start());
  after(async () => {
    await client.close();
    await site.servers.close();
  });

  it('reads a page of each kind before a second page of any kind', async () => {
    const links = ['/prices', '/price-list', '/faq', '/about-us', '/jobs', '/contact'];
    const pages = links.map((path) => [path, `<title>${path}</title>`]);
    const home = `<title>Home</title>${links.map((path) => `<a href="${path}">x</a>`).join('')}`;
    site.show({ '/': home, ...Object.fromEntries(pages) });
    const { site: found } = await readSite();
    assert.deepEqual(
      found?.pages.map(({ title }) => title),
      ['Home', '/faq', '/prices', '/about-us', '/contact'],
    );
  });

  for (const [name, body] of Object.entries(homes))
    for (const [path, what] of [
      ['/', 'at its root'],
      ['/far', 'at a long address'],
    ] as const)
      itInSoak(
        `blocks the event loop for less than ${MAX_HELD_MS} ms with many ${name} ${what}`,
        async () => {
          const long = `/${'/'.repeat(1900)}x`;
          site.show({ '/': body, '/far': { status: 302, headers: { location: long } }, [long]: body });
          // Start the worker thread that reads websites, so that the measurement does not include its start.
          await readSite();
          await assertLoopBlockedBelow(MAX_HELD_MS, () => readSite(path));
        },
      );
});
