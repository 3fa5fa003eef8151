import assert from 'node:assert/strict';
import { waitUntil } from '../support/wait-until.ts';
import { page, type Site, type useSites } from './site-support.ts';

/**
 * Asserts that a crawl of a website keeps the older of two equal pages. The site delays its older page until
 * the crawler has read the copy.
 * @param change change of the site before it is crawled again
 */
export async function assertOlderDuplicateIsKept(
  { servers, build, add, crawlAgain, listPages, listPageNames, listChunkIds }: ReturnType<typeof useSites>,
  change: (site: Site) => void = () => {},
): Promise<void> {
  const site = await build(['/a', '/b', '/copy', '/other'], ['/a', '/b']);
  let isHeld = false;
  const isCopyRead = async () =>
    (await listPages(first)).some(
      ({ source_url: url, status }) => url.endsWith('/copy') && !/pending|processing/.test(status),
    );
  const port = await servers.http((request, response) => {
    const isFree = isHeld && request.url === '/a' ? waitUntil(isCopyRead, 'the copy to be read') : null;
    void Promise.resolve(isFree).then(() => site.answer(request, response));
  });
  const readIdOfA = async () => (await listPages(first))[0].id;
  site.base = `http://127.0.0.1:${port}`;
  site.pages.set('/copy', page(`a of ${site.base}`));
  site.pages.set('/a', page(`a of ${site.base}`));
  const first = await add(site);
  const original = await readIdOfA();
  const chunks = await listChunkIds([original]);
  isHeld = true;
  site.listed = ['/copy', '/other', '/b', '/a'];
  change(site);
  const second = await crawlAgain(first);
  assert.deepEqual(await listPageNames(site, first), ['/a', '/b', '/other']);
  assert.equal(await readIdOfA(), original);
  assert.deepEqual(await listChunkIds([original]), chunks);
  assert.deepEqual(second.crawl, {
    found: 4,
    fetched: 3,
    skipped: 1,
    failed: 0,
    unchanged: 2,
    removed: 0,
    leftOut: [{ url: `${site.base}/copy`, reason: `The page has the same content as ${site.base}/a.` }],
  });
  assert.equal(second.chunkCount, 3);
}
