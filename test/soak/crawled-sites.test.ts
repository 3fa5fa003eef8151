import assert from 'node:assert/strict';
import { crawlWorkflowId } from '../../core/workflows/commands.ts';
import { type TestOrg } from '../support/parley.ts';
import { waitForTerminalState, type TestParleyWithWorker } from '../support/worker.ts';
import { assertOlderDuplicateIsKept } from '../knowledge/assert-older-kept.ts';
import { page, useSites } from '../knowledge/site-support.ts';

describe('crawlSite of a changed site', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  const sites = useSites((started) => ({ parley, org } = started));
  const { path, build, add, crawlAgain, read, listPages, listPageNames, listChunkIds } = sites;

  it('keeps the older of two equal pages if the older page is read last and only its bytes changed', async () => {
    await assertOlderDuplicateIsKept(sites, (site) =>
      site.pages.set('/a', page(`a of ${site.base}`, '<meta name="nonce" content="2">')),
    );
  });

  it('keeps both pages if two pages have swapped contents', async () => {
    const site = await build(['/a', '/b', '/c']);
    const first = await add(site);
    const said = ['/a', '/b'].map((name) => site.pages.get(name) ?? '');
    site.pages.set('/a', said[1]!).set('/b', said[0]!);
    await crawlAgain(first);
    assert.deepEqual(await listPageNames(site, first), ['/a', '/b', '/c']);
    const rows = await parley.database.sql<{ title: string; text: string }>(
      'SELECT text FROM chunks JOIN documents d ON d.id = document_id WHERE d.parent_id = $1 ORDER BY d.source_url',
      [first.id],
    );
    assert.deepEqual(
      rows.map(({ text }) => text),
      ['b', 'a', 'c'].map((name) => `All about ${name} of ${site.base}.`),
    );
  });

  it('deletes nothing if it finds less than half of the previous pages, and reports that pages are missing', async () => {
    const site = await build(['/a', '/b', '/c', '/d', '/e']);
    const first = await add(site);
    site.listed = ['/a', '/b', '/c', '/d'];
    for (const name of ['/b', '/c']) site.pages.delete(name);
    site.pages.delete('/d');
    const note =
      'Only 1 of the 5 known pages was found, so nothing was removed. Delete the pages that no longer exist, or delete the site.';
    for (const revision of [2, 3]) {
      const crawled = await crawlAgain(first);
      assert.equal(crawled.errorMessage?.split('\n').at(-1), note);
      assert.deepEqual(await listPageNames(site, first), ['/a', '/b', '/c', '/d', '/e']);
      const handle = parley.temporal.workflow.getHandle(crawlWorkflowId(first.id, revision));
      await handle.result();
      const { currentDetails } = await handle.query<{ currentDetails: string }>(
        '__temporal_workflow_metadata',
      );
      assert.ok(currentDetails.includes(note), currentDetails);
    }
    assert.equal((await listChunkIds((await listPages(first)).map(({ id }) => id))).length, 5);
  });

  it('deletes nothing while a site cuts connections, and catches up afterwards', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site);
    const ids = (await listPages(first)).map(({ id }) => id);
    const chunks = await listChunkIds(ids);
    site.failure = 'cut';
    const second = await crawlAgain(first);
    assert.equal(second.status, 'failed');
    assert.match(second.errorMessage ?? '', / The previous content stays searchable\.$/);
    assert.deepEqual(
      (await listPages(first)).map(({ status }) => status),
      ['indexed', 'indexed'],
    );
    assert.deepEqual(await listChunkIds(ids), chunks);
    site.failure = null;
    assert.equal((await crawlAgain(first)).status, 'indexed');
    assert.deepEqual(await listChunkIds(ids), chunks);
  });

  it('does not change a page that was added separately', async () => {
    const site = await build(['/a', '/b', '/c']);
    const { body: own } = await org.client.post(path(), {
      source_type: 'url',
      url: `${site.base}/a`,
      tags: ['mine'],
    });
    await waitForTerminalState(parley, own.id);
    const first = await add(site, { tags: ['site'] });
    site.listed = ['/b', '/c'];
    site.pages.delete('/a');
    await crawlAgain(first);
    await crawlAgain(first);
    const { parent_id: parent, tags, status } = await read(own.id);
    assert.deepEqual([parent, tags, status], [null, ['mine'], 'indexed']);
  });

  it('follows canonical links, and stops an endless calendar at max_pages', async () => {
    const site = await build([], null);
    const months = Array.from({ length: 12 }, (_, month) => `<a href="/calendar?month=${month}">m</a>`).join(
      '',
    );
    site.pages.set('/', `${page('home')}<a href="/calendar?month=0">c</a><a href="/a?print=1">a</a>`);
    site.pages.set('/a?print=1', page('article', '<link rel="canonical" href="/a">'));
    site.pages.set('/a', page('article').replace('</main>', '<a href="/about">about</a></main>'));
    site.pages.set('/about', page('about us'));
    for (let month = 0; month < 12; month += 1) {
      site.pages.set(
        `/calendar?month=${month}`,
        page(`month ${month}`).replace('</main>', `${months}</main>`),
      );
    }
    const crawled = await add(site, { max_pages: 8 });
    const names = await listPageNames(site, crawled);
    assert.ok(names.includes('/a'), names.join(' '));
    assert.ok(!names.includes('/a?print=1'));
    assert.ok(names.length <= 8);
    const { crawl } = await read(crawled.id);
    assert.ok(
      crawl.left_out.some(
        ({ reason }) => reason === `The page names a different canonical page: ${site.base}/a`,
      ),
    );
    assert.match(crawled.errorMessage ?? '', /pages are beyond max_pages and were not read\.$/m);
  });
});
