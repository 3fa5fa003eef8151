import assert from 'node:assert/strict';
import { ScheduleNotFoundError } from '@temporalio/client';
import { startWorker } from '../../worker/start-worker.ts';
import { createRefreshSchedules } from '../../worker/temporal/refresh-schedules.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  waitForTerminalState,
  loadTestBundle,
  type TestParleyWithWorker,
} from '../support/worker.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createEndpoint } from '../webhooks/support.ts';
import { page, useSites, type Source } from './site-support.ts';

describe('sources with refresh:', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  const { servers, path, build, add, refresh, read, listChunkIds } = useSites(
    (started) => ({ parley, org } = started),
  );

  const getSchedule = (id: string) => parley.temporal.schedule.getHandle(`refresh/${id}`);
  const isScheduled = (id: string) =>
    getSchedule(id)
      .describe()
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof ScheduleNotFoundError) return false;
        throw error;
      });
  const readScheduleState = async (id: string) => (await getSchedule(id).describe()).state;

  itInSoak(
    'a page that can be read again after a failure sends document.indexed, even if it has not changed',
    async () => {
      const receiver = await startReceiver();
      try {
        await createEndpoint(org, receiver.url, { events: ['document.indexed', 'document.failed'] });
        const site = await build(['/tea']);
        const { body } = await org.client.post(path(), { source_type: 'url', url: `${site.base}/tea` });
        await waitForTerminalState(parley, body.id);
        const content = site.pages.get('/tea')!;
        for (const answer of [{ status: 404 }, content, content]) {
          site.pages.set('/tea', answer);
          await refresh(body);
        }
        const listEvents = () =>
          receiver.requests
            .map((request) => JSON.parse(request.body) as { event: string; data: { document_id: string } })
            .filter(({ data }) => data.document_id === body.id)
            .map(({ event }) => event)
            .toSorted();
        await waitUntil(() => listEvents().length >= 3, 'the events of the page');
        assert.deepEqual(listEvents(), ['document.failed', 'document.indexed', 'document.indexed']);
      } finally {
        await receiver.close();
      }
    },
  );

  it('createDocument creates a schedule with search attributes, paused while the bot is not active', async () => {
    const site = await build(['/a']);
    const bot = await buildBot(org);
    const base = `/api/bots/${bot}/knowledge` as const;
    const { body } = await org.client.post(base, {
      source_type: 'sitemap',
      url: site.base,
      refresh: 'daily',
    });
    assert.equal(body.refresh, 'daily');
    await waitUntil(() => isScheduled(body.id), 'the schedule');
    const { spec, policies, state, typedSearchAttributes, action } = await getSchedule(body.id).describe();
    assert.equal(spec.intervals?.[0]?.every, 24 * 60 * 60_000);
    assert.equal(spec.jitter, 10 * 60_000);
    assert.equal(policies.overlap, 'SKIP');
    assert.deepEqual(
      [searchAttributes.orgId, searchAttributes.botId, searchAttributes.documentId].map((key) =>
        typedSearchAttributes.get(key),
      ),
      [org.orgId, bot, body.id],
    );
    assert.equal(action.workflowType, 'refreshDocument');
    assert.deepEqual([state.paused, state.note], [true, 'Paused by Parley while the bot is not active.']);
    await org.client.patch(`/api/bots/${bot}`, { status: 'active' });
    await waitUntil(async () => !(await readScheduleState(body.id)).paused, 'the schedule to go on');
    assert.equal((await readScheduleState(body.id)).note, 'Reads a source again, daily.');
    await org.client.patch(`/api/bots/${bot}`, { status: 'paused' });
    await waitUntil(async () => (await readScheduleState(body.id)).paused, 'the schedule to pause');
    const weekly = await org.client.patch(`${base}/${body.id}`, { refresh: 'weekly' });
    assert.equal(weekly.body.refresh, 'weekly');
    await waitUntil(
      async () => (await getSchedule(body.id).describe()).spec.intervals?.[0]?.every === 7 * 24 * 60 * 60_000,
      'the schedule to be weekly',
    );
    await org.client.patch(`${base}/${body.id}`, { refresh: 'none' });
    await waitUntil(async () => !(await isScheduled(body.id)), 'the schedule to go');
    await org.client.patch(`${base}/${body.id}`, { refresh: 'daily' });
    await waitUntil(() => isScheduled(body.id), 'the schedule to come back');
    await org.client.delete(`${base}/${body.id}`);
    await waitUntil(async () => !(await isScheduled(body.id)), 'the schedule to go with the document');
    const { body: second } = await org.client.post(base, {
      source_type: 'url',
      url: `${site.base}/a`,
      refresh: 'weekly',
    });
    await waitUntil(() => isScheduled(second.id), 'the schedule of a page');
    await org.client.delete(`/api/bots/${bot}`);
    await waitUntil(async () => !(await isScheduled(second.id)), 'the schedule to go with the bot');
    await parley.temporal.workflow.getHandle(`purge-bot/${bot}`).result();
  });

  itInSoak('deleteOrg deletes the schedules of the workspace’s documents', async () => {
    const site = await build(['/a']);
    const gone = await parley.buildOrg();
    const { body } = await gone.client.post(`/api/bots/${await buildBot(gone)}/knowledge`, {
      source_type: 'url',
      url: `${site.base}/a`,
      refresh: 'daily',
    });
    await waitUntil(() => isScheduled(body.id), 'the schedule');
    const { client: session } = await parley.signIn(gone);
    assert.equal((await session.delete(`/api/orgs/${gone.orgId}`)).status, 202);
    await waitUntil(async () => !(await isScheduled(body.id)), 'the schedule to go with the workspace');
  });

  itInSoak(
    'a starting worker recreates the schedules of createDocument if Temporal has lost them',
    async () => {
      const site = await build(['/a']);
      const { body } = await org.client.post(path(), {
        source_type: 'url',
        url: `${site.base}/a`,
        refresh: 'weekly',
      });
      await waitUntil(() => isScheduled(body.id), 'the schedule');
      await getSchedule(body.id).delete();
      const { list } = createRefreshSchedules(parley.temporal, parley.runtime.settings.temporalTaskQueue);
      await waitUntil(async () => !(await list()).has(body.id), 'the loss to be seen');
      const another = await parley.startAnother();
      const worker = await startWorker(another.runtime, loadTestBundle());
      await waitUntil(() => isScheduled(body.id), 'the schedule to come back');
      const { spec, state } = await getSchedule(body.id).describe();
      assert.deepEqual([spec.intervals?.[0]?.every, state.paused], [7 * 24 * 60 * 60_000, true]);
      await worker.stop();
    },
  );

  it('createDocument and updateDocument refuse refresh for a text', async () => {
    const text = { source_type: 'raw_text', raw_text: 'Bees make honey.' };
    const refused = await org.client.post(path(), { ...text, refresh: 'daily' });
    assert.equal(refused.status, 422);
    const { body } = await org.client.post(path(), { ...text, refresh: 'none' });
    assert.equal(body.refresh, 'none');
    const changed = await org.client.patch(`${path()}/${body.id}`, { refresh: 'weekly' });
    assert.equal(changed.status, 422);
    assert.equal((await org.client.patch(`${path()}/${body.id}`, { refresh: 'hourly' })).status, 422);
  });

  itInSoak(
    'refreshDocument crawls a site once at a time if it is triggered manually, and not during another crawl',
    async () => {
      const site = await build(['/a', '/b']);
      let isHeld = false;
      const waiting: (() => void)[] = [];
      const port = await servers.http((request, response) => {
        if (!isHeld || request.url !== '/a') return site.answer(request, response);
        waiting.push(() => site.answer(request, response));
      });
      site.base = `http://127.0.0.1:${port}`;
      const first = await add(site, { refresh: 'daily' });
      await waitUntil(() => isScheduled(first.id), 'the schedule');
      site.pages.set('/b', page('bears'));
      isHeld = true;
      await getSchedule(first.id).trigger();
      await waitUntil(() => waiting.length > 0, 'the refresh to begin');
      const again = await parley.temporal.workflow.execute('refreshDocument', {
        workflowId: `refresh/${first.id}-by-hand`,
        taskQueue: parley.runtime.settings.temporalTaskQueue,
        args: [{ orgId: org.orgId, botId: first.botId, documentId: first.id }],
      });
      assert.equal(again, 'joined');
      const asked = await org.client.post(`${path()}/${first.id}/reindex`);
      assert.equal(asked.status, 409);
      isHeld = false;
      for (const go of waiting) go();
      const { revision, status, crawl } = await waitForTerminalState(parley, first.id);
      assert.deepEqual([revision, status, crawl?.unchanged], [2, 'indexed', 1]);
      await waitUntil(
        async () => (await getSchedule(first.id).describe()).info.runningActions.length === 0,
        'its end',
      );
      assert.equal((await waitForTerminalState(parley, first.id)).revision, 2);
    },
  );

  itInSoak('refreshDocument keeps the chunks of a page that is unchanged or cannot be read', async () => {
    const site = await build(['/a']);
    const { body } = await org.client.post(path(), {
      source_type: 'url',
      url: `${site.base}/a`,
      refresh: 'weekly',
    });
    await waitForTerminalState(parley, body.id);
    await waitUntil(() => isScheduled(body.id), 'the schedule');
    const chunks = await listChunkIds([body.id]);
    const readRevision = async (id: string) =>
      (
        await parley.database.sql<{ revision: number }>('SELECT revision FROM documents WHERE id = $1', [id])
      )[0]?.revision;
    let triggeredAt = 0;
    const triggerRefresh = async (revision: number): Promise<Source> => {
      // A schedule’s workflow ids contain the second of their start, so the ids of two starts in one second
      // would be the same.
      await waitUntil(() => Date.now() > triggeredAt + 1000, 'another second');
      await getSchedule(body.id).trigger();
      triggeredAt = Date.now();
      await waitUntil(async () => (await readRevision(body.id)) === revision, 'the refresh to begin');
      await waitForTerminalState(parley, body.id);
      return read(body.id);
    };
    assert.equal((await triggerRefresh(2)).status, 'indexed');
    assert.deepEqual(await listChunkIds([body.id]), chunks);
    site.pages.set('/a', { status: 404 });
    const gone = await triggerRefresh(3);
    assert.deepEqual([gone.status, gone.chunk_count], ['failed', 1]);
    site.pages.set('/a', page(`a of ${site.base}`));
    assert.deepEqual([(await triggerRefresh(4)).status, await listChunkIds([body.id])], ['indexed', chunks]);
  });
});
