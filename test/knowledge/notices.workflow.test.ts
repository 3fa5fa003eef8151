import assert from 'node:assert/strict';
import iconv from 'iconv-lite';
import { decodeText } from '../../adapters/extraction/encoding/decode-text.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitForTerminalState, type TestParleyWithWorker } from '../support/worker.ts';
import { page, useSites } from './site-support.ts';

describe('the notice that a page’s encoding is uncertain', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  const { path, build, add, crawlAgain, refresh, read, listPages } = useSites(
    (started) => ({ parley, org } = started),
  );

  /** A document's text in an encoding that Parley cannot recognize with certainty. */
  const content = iconv.encode('Чай;5\n', 'koi8-r');
  const { notice } = decodeText(content);
  const type = 'text/plain';

  itInSoak('stays after refreshes without a change, and returns after a failed refresh', async () => {
    const site = await build([]);
    const url = `${site.base}/prices`;
    const answers = [
      { type, body: content },
      { type, body: content },
      { type, body: Buffer.concat([content, Buffer.from('\n')]) },
      { type, body: content, headers: { etag: '"1"' } },
      { type, body: content, headers: { etag: '"1"' } },
    ];
    site.pages.set('/prices', answers[0]!);
    const { body } = await org.client.post(path(), { source_type: 'url', url });
    await waitForTerminalState(parley, body.id);
    const readState = async () => {
      const { status, error_message: message } = await read(body.id);
      const { body: progress } = await org.client.get(`${path()}/${body.id}/status`);
      assert.equal(progress.error_message, message);
      return [status, message];
    };
    for (const answer of answers) {
      site.pages.set('/prices', answer);
      await refresh(body);
      assert.deepEqual(await readState(), ['indexed', notice]);
    }
    assert.deepEqual(site.listStatuses('/prices'), [200, 200, 200, 200, 200, 304]);
    site.pages.set('/prices', { status: 404 });
    await refresh(body);
    const failure = `${url} responded with status 404. The previous content stays searchable.`;
    assert.deepEqual(await readState(), ['failed', failure]);
    site.pages.set('/prices', answers[0]!);
    await refresh(body);
    assert.deepEqual(await readState(), ['indexed', notice]);
    site.pages.set('/prices', page('tea'));
    await refresh(body);
    assert.deepEqual(await readState(), ['indexed', null]);
  });

  itInSoak('does not count as a failure of the page’s site', async () => {
    const site = await build(['/a'], ['/a', '/prices']);
    site.pages.set('/prices', { type, body: content });
    const first = await add(site);
    for (const [crawled, unchanged] of [
      [first, 0],
      [await crawlAgain(first), 2],
    ] as const) {
      assert.deepEqual(
        [crawled.crawl?.fetched, crawled.crawl?.failed, crawled.crawl?.unchanged ?? 0, crawled.errorMessage],
        [2, 0, unchanged, null],
      );
    }
    assert.deepEqual(
      (await listPages(first)).map(({ error_message: message }) => message),
      [null, notice],
    );
  });
});
