import assert from 'node:assert/strict';
import { Document } from '../../../entities/knowledge/document.entity.ts';
import { addDocument } from '../../support/knowledge.ts';
import type { TestOrg } from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { TestParleyWithWorker } from '../../support/worker.ts';
import { page, urlset, useCrawler } from '../../knowledge/site-support.ts';
import { buildLimitedPlans, setTier } from '../../usage/support.ts';

describe('crawlSite at the plan’s limit of documents', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;
  const servers = useCrawler(
    (started) => ({ parley, org, botId } = started),
    buildLimitedPlans({ documents: 3 }),
  );

  const names = ['bees', 'wasps', 'snails', 'ants'];

  it('reads pages up to the limit, lists other pages with the reason, and reads them once the limit allows it', async () => {
    await setTier(parley, org.orgId, 'free');
    const port = await servers.http((request, response) => {
      const self = `http://${request.headers.host}`;
      const path = request.url ?? '';
      response.setHeader('content-type', 'text/html');
      if (path === '/robots.txt') response.writeHead(404).end();
      else if (path === '/sitemap.xml') response.end(urlset(names.map((name) => `${self}/${name}`)));
      else response.end(page(path.slice(1)));
    });
    const scope = { orgId: org.orgId, db: parley.database };
    const { documentIntake } = parley.runtime.services.knowledge;
    const { id } = await addDocument(documentIntake, scope, botId, {
      source_type: 'sitemap',
      url: `http://127.0.0.1:${port}/sitemap.xml`,
    });
    const rows = parley.database.repository(Document);
    const waitUntilIndexed = async (revision: number) => {
      await waitUntil(
        async () => (await rows.countBy({ id, revision, status: 'indexed' })) === 1,
        `revision ${revision} of the site to be indexed`,
      );
      return rows.findOneByOrFail({ id });
    };
    const site = await waitUntilIndexed(1);
    assert.equal(await rows.countBy({ parentId: id }), 2);
    assert.deepEqual([site.crawl!.found, site.crawl!.fetched, site.crawl!.skipped], [4, 2, 2]);
    const reason = 'The plan’s limit of 3 documents is reached.';
    assert.deepEqual(
      site.crawl!.leftOut!.map((left) => left.reason),
      [reason, reason],
    );
    assert.match(site.errorMessage!, /2 of 4 pages were skipped/);
    const { body } = await org.client.get('/api/usage');
    assert.deepEqual([body.documents, body.exceeded], [3, []]);
    await setTier(parley, org.orgId, 'enterprise');
    await org.client.post(`/api/bots/${botId}/knowledge/${id}/reindex`, {});
    assert.equal((await waitUntilIndexed(2)).errorMessage, null);
    assert.equal(await rows.countBy({ parentId: id }), 4);
  });
});
