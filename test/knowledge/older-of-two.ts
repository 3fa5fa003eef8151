import assert from 'node:assert/strict';
import { waitUntil } from '../support/wait-until.ts';
import { page, type Site, type useSites } from './site-support.ts';

/**
 * Crawls a site again that has got a copy of a page since, and holds the page back until the copy is read.
 * @param change of the site before it is crawled again
 */
export async function assertOlderOfTwoIsKept(
  { servers, build, add, again, pagesOf, namesOf, chunksOf }: ReturnType<typeof useSites>,
  change: (site: Site) => void = () => {},
): Promise<void> {
  const site = await build(['/a', '/b', '/copy', '/other'], ['/a', '/b']);
  let isHeld = false;
  const isCopyRead = async () =>
    (await pagesOf(first)).some(
      ({ source_url: url, status }) => url.endsWith('/copy') && !/pending|processing/.test(status),
    );
  const port = await servers.http((request, response) => {
    const isFree = isHeld && request.url === '/a' ? waitUntil(isCopyRead, 'the copy to be read') : null;
    void Promise.resolve(isFree).then(() => site.answer(request, response));
  });
  const idOfA = async () => (await pagesOf(first))[0].id;
  site.base = `http://127.0.0.1:${port}`;
  site.pages.set('/copy', page(`a of ${site.base}`));
  site.pages.set('/a', page(`a of ${site.base}`));
  const first = await add(site);
  const original = await idOfA();
  const chunks = await chunksOf([original]);
  isHeld = true;
  site.listed = ['/copy', '/other', '/b', '/a'];
  change(site);
  const second = await again(first);
  assert.deepEqual(await namesOf(site, first), ['/a', '/b', '/other']);
  assert.equal(await idOfA(), original);
  assert.deepEqual(await chunksOf([original]), chunks);
  assert.deepEqual(second.crawl, {
    found: 4,
    fetched: 3,
    skipped: 1,
    failed: 0,
    unchanged: 2,
    removed: 0,
    leftOut: [{ url: `${site.base}/copy`, reason: `It says the same as ${site.base}/a.` }],
  });
  assert.equal(second.chunkCount, 3);
}
