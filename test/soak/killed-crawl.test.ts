import assert from 'node:assert/strict';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import {
  buildBot,
  createTemporalClient,
  buildTemporalEnv,
  waitForTerminalState,
  WorkerProcess,
} from '../support/worker.ts';
import { page, Site } from '../knowledge/site-support.ts';

describe('crawlSite of a changed site after its worker was killed', () => {
  let parley: TestParley;
  let worker: WorkerProcess | undefined;
  const servers = new LocalServers();

  after(async () => {
    await worker?.end('SIGKILL');
    await parley.stop();
    await servers.close();
  });

  it('completes as without the kill, and creates the schedule of a source that was added while no worker ran', async () => {
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8' });
    const org = await parley.buildOrg();
    const path = `/api/bots/${await buildBot(org)}/knowledge` as const;
    const site = new Site();
    let onAsked: (() => void) | undefined;
    const port = await servers.http((request, response) => {
      if (request.url === '/e') onAsked?.();
      site.answer(request, response);
    });
    site.base = `http://127.0.0.1:${port}`;
    site.listed = ['/a', '/b', '/c', '/d', '/e', '/f'];
    for (const name of site.listed) site.pages.set(name, page(`${name} before`));
    const { body } = await org.client.post(path, {
      source_type: 'sitemap',
      url: site.base,
      refresh: 'daily',
    });
    worker = new WorkerProcess(parley.runtime.settings);
    const first = await waitForTerminalState(parley, body.id);
    assert.equal(first.crawl?.fetched, 6);
    const { client: temporal, close } = createTemporalClient(parley.runtime.settings);
    const { state } = await temporal.schedule.getHandle(`refresh/${body.id}`).describe();
    assert.equal(state.paused, true);
    await close();
    const before = await org.client.get(`${path}?parent_id=${body.id}`);
    const ids = Object.fromEntries(before.body.items.map(({ id, source_url: url }) => [url?.slice(-2), id]));
    site.pages.set('/b', page('/b after'));
    site.pages.delete('/c');
    const killed = new Promise<void>((resolve) => {
      onAsked = () => {
        onAsked = undefined;
        void worker?.end('SIGKILL').then(() => resolve());
      };
    });
    await org.client.post(`${path}/${body.id}/reindex`);
    await killed;
    worker = new WorkerProcess(parley.runtime.settings);
    const second = await waitForTerminalState(parley, body.id);
    assert.deepEqual([second.status, second.crawl?.fetched, second.crawl?.removed], ['indexed', 5, 1]);
    const after = await org.client.get(`${path}?parent_id=${body.id}`);
    assert.deepEqual(
      after.body.items.map(({ id, status }) => [id, status]).sort(),
      ['/a', '/b', '/d', '/e', '/f'].map((name) => [ids[name], 'indexed']).sort(),
    );
    const chunks = await parley.database.sql<{ text: string }>(
      'SELECT text FROM chunks WHERE document_id = $1',
      [ids['/b']],
    );
    assert.deepEqual(
      chunks.map(({ text }) => text),
      ['All about /b after.'],
    );
  });
});
