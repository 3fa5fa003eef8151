import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Document } from '../../../entities/knowledge/document.entity.ts';
import type { TestOrg } from '../../support/parley.ts';
import { waitForTerminalState, type TestParleyWithWorker } from '../../support/worker.ts';
import { page, useSites } from '../../knowledge/site-support.ts';

describe('an original of a web page', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  const { path, build, add, crawlAgain, refresh, listPageNames } = useSites(
    (started) => ({ parley, org } = started),
  );

  const documents = () => parley.database.repository(Document);
  const findPage = (sourceUrl: string) => documents().findOneByOrFail({ sourceUrl });

  /**
   * Stores a digest for a document that differs from the digest of its original, as refreshes in earlier
   * versions did.
   */
  async function changeDigest({ id, fetched }: Document): Promise<void> {
    const sha256 = 'a'.repeat(64);
    await documents().update(id, { fetched: { ...fetched!, sha256 }, indexedSha256: sha256 });
  }

  const removeFile = ({ storageKey }: Document) =>
    rm(join(parley.runtime.settings.home, 'files', storageKey!));

  async function download({ id }: Document): Promise<string> {
    const { body } = await org.client.get(`${path()}/${id}/download`);
    const response = await fetch(parley.baseUrl + new URL(body.url).pathname);
    return response.ok ? response.text() : String(response.status);
  }

  for (const [state, spoil, isRefused] of [
    ['another digest', changeDigest, (read: Promise<string>) => assert.rejects(read)],
    ['no file', removeFile, async (read: Promise<string>) => assert.equal(await read, '404')],
  ] as const) {
    it(`with ${state} is stored again by the refresh after a download of an unchanged page`, async () => {
      const site = await build([]);
      const body = page('bees');
      site.pages.set('/bees', { body, headers: { etag: '"1"' } });
      const url = `${site.base}/bees`;
      const created = await org.client.post(path(), { source_type: 'url', url });
      await waitForTerminalState(parley, created.body.id);
      await spoil(await findPage(url));
      await isRefused(download(await findPage(url)));
      await refresh(await findPage(url));
      assert.equal(await download(await findPage(url)), body);
      await refresh(await findPage(url));
      assert.deepEqual(site.listStatuses('/bees'), [200, 200, 304]);
    });

    it(`with ${state} is treated as a page without links, and the next crawl stores it again`, async () => {
      const site = await build([], null);
      const link = (href: string) => `<a href="${href}">${href}</a></main>`;
      const etag = (body: string, value: string) => ({ body, headers: { etag: value } });
      site.pages.set('/', etag(page('home').replace('</main>', link('/one')), '"home"'));
      site.pages.set('/one', etag(page('one').replace('</main>', link('/two')), '"one"'));
      site.pages.set('/two', page('two'));
      const names = ['/', '/one', '/two'];
      const first = await add(site);
      assert.deepEqual(await listPageNames(site, first), names);
      await spoil(await findPage(`${site.base}/one`));

      for (const statuses of [
        [200, 304],
        [200, 304, 200],
        [200, 304, 200, 304],
      ]) {
        const { status, errorMessage } = await crawlAgain(first);
        assert.equal(status, 'indexed', errorMessage ?? '');
        assert.deepEqual(await listPageNames(site, first), names);
        assert.deepEqual(site.listStatuses('/one'), statuses);
        assert.equal((await findPage(`${site.base}/two`)).missedCrawls, 0);
      }
      assert.match(await download(await findPage(`${site.base}/one`)), /All about one/);
    });
  }
});
