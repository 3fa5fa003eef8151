import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { indexingCommand } from '../../services/knowledge/document-commands.ts';
import { type IsWorkflowOpen, type StalledSweepResult } from '../../services/knowledge/stalled-documents.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import { createIsWorkflowOpen } from '../../worker/temporal/is-workflow-open.ts';
import { crawlWorkflowId, ingestWorkflowId } from '../../core/workflows/commands.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { buildDocument, findCommands } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildBot, createTemporalClient, buildTemporalEnv } from '../support/worker.ts';

const NOTHING: StalledSweepResult = { checked: 0, restarted: [], next: null };

describe('documents unchanged for a quarter of an hour', () => {
  let parley: TestParley;
  let temporal: ReturnType<typeof createTemporalClient>;
  let orgId: string;
  let botId: string;

  beforeEach(async () => {
    parley = await startParley(buildTemporalEnv());
    temporal = createTemporalClient(parley.runtime.settings);
    const org = await parley.buildOrg();
    orgId = org.orgId;
    botId = await buildBot(org);
  });

  afterEach(async () => {
    await temporal.close();
    await parley.stop();
  });

  function buildStalled(overrides: Partial<Document> = {}): Promise<string> {
    const updatedAt = new Date(Date.now() - 15 * 60_000 - 1000);
    return buildDocument(parley.database, { orgId, botId, status: 'processing', updatedAt, ...overrides });
  }

  function sweep(
    isWorkflowOpen: IsWorkflowOpen = createIsWorkflowOpen(temporal.client),
  ): Promise<StalledSweepResult> {
    return sweepAfter(null, isWorkflowOpen);
  }

  function sweepAfter(after: string | null, isWorkflowOpen: IsWorkflowOpen): Promise<StalledSweepResult> {
    return parley.runtime.services.knowledge.stalledDocuments.restart(parley.database, isWorkflowOpen, {
      after,
    });
  }

  async function readRevision(id: string): Promise<string> {
    const { status, revision } = await parley.database.repository(Document).findOneByOrFail({ id });
    return `${status} ${revision}`;
  }

  it('are indexed again if Temporal has no workflow for them', async () => {
    const id = await buildStalled({ revision: 3 });
    assert.deepEqual(await sweep(), { checked: 1, restarted: [id], next: null });
    assert.equal(await readRevision(id), 'pending 4');
    assert.deepEqual(await findCommands(parley.database, orgId), [
      {
        name: 'ingestDocument',
        payload: {
          action: 'start',
          workflowId: ingestWorkflowId(id, 4),
          args: [{ orgId, botId, documentId: id, revision: 4 }],
          summary: 'Index a text, again: the previous workflow ended early',
        },
      },
    ]);
    assert.deepEqual(await sweep(), NOTHING);
  });

  it('are skipped while their workflow runs, and indexed again once it was terminated', async () => {
    const id = await buildStalled();
    const { temporalTaskQueue: taskQueue } = parley.runtime.settings;
    const workflowId = ingestWorkflowId(id, 1);
    const handle = await temporal.client.workflow.start('ingestDocument', { workflowId, taskQueue });
    assert.deepEqual(await sweep(), { checked: 1, restarted: [], next: null });
    assert.equal(await readRevision(id), 'processing 1');
    await handle.terminate();
    assert.deepEqual((await sweep()).restarted, [id]);
  });

  it('start with the crawl if they are sites', async () => {
    const id = await buildStalled({ sourceType: 'sitemap', sourceUrl: 'https://example.com/sitemap.xml' });
    assert.deepEqual((await sweep()).restarted, [id]);
    const [command] = await findCommands(parley.database, orgId);
    assert.equal(command?.payload['workflowId'], crawlWorkflowId(id, 2));
  });

  itInSoak('are indexed again only after the crawl of their site if they are its pages', async () => {
    const siteId = await buildStalled({ sourceType: 'sitemap', updatedAt: new Date() });
    const pageId = await buildStalled({ sourceType: 'url', parentId: siteId, status: 'pending' });
    assert.deepEqual(await sweep(), NOTHING);
    await parley.database.repository(Document).update(siteId, { status: 'indexed' });
    assert.deepEqual((await sweep()).restarted, [pageId]);
  });

  it('are skipped while the outbox has their command', async () => {
    const id = await buildStalled({ status: 'pending' });
    const document = await parley.database.repository(Document).findOneByOrFail({ id });
    await new OutboxService().command({ orgId, db: parley.database }, indexingCommand(document));
    assert.deepEqual(await sweep(), NOTHING);
  });

  it('do not include recently changed, completed and failed documents, and those of a deleted bot', async () => {
    await buildStalled({ updatedAt: new Date(Date.now() - 14 * 60_000) });
    await buildStalled({ status: 'indexed' });
    await buildStalled({ status: 'failed' });
    assert.deepEqual(await sweep(), NOTHING);
    await buildStalled();
    await parley.database.repository(Bot).update(botId, { deletedAt: new Date() });
    assert.deepEqual(await sweep(), NOTHING);
  });

  itInSoak('are indexed again once if two sweeps coincide', async () => {
    const id = await buildStalled();
    const asked: string[] = [];
    const whenBothHaveFound: IsWorkflowOpen = async (workflowId) => {
      asked.push(workflowId);
      await waitUntil(() => asked.length === 2, 'both to have found it');
      return false;
    };
    const swept = await Promise.all([sweep(whenBothHaveFound), sweep(whenBothHaveFound)]);
    assert.deepEqual(
      swept.flatMap(({ restarted }) => restarted),
      [id],
    );
    assert.equal(await readRevision(id), 'pending 2');
    assert.equal((await findCommands(parley.database, orgId)).length, 1);
  });

  itInSoak('are skipped if they change while Temporal is queried', async () => {
    const id = await buildStalled();
    const swept = await sweep(async () => {
      await parley.database.repository(Document).update(id, { status: 'indexed' });
      return false;
    });
    assert.deepEqual(swept, { checked: 1, restarted: [], next: null });
    assert.equal(await readRevision(id), 'indexed 1');
    assert.deepEqual(await findCommands(parley.database, orgId), []);
  });

  it('remain unchanged if Temporal is unavailable', async () => {
    const id = await buildStalled();
    await assert.rejects(
      sweep(() => Promise.reject(new Error('Temporal is away.'))),
      /away/,
    );
    assert.equal(await readRevision(id), 'processing 1');
  });

  itInSoak('are swept in batches', async () => {
    const ids = Array.from({ length: 101 }, () => newId()).toSorted();
    await parley.database.sql(
      `INSERT INTO documents (id, org_id, bot_id, source_type, status, updated_at)
       SELECT id, $1, $2, 'raw_text', 'pending', now() - interval '1 hour' FROM unnest($3::uuid[]) AS id`,
      [orgId, botId, ids],
    );
    const isOpen: IsWorkflowOpen = async (workflowId) => workflowId !== ingestWorkflowId(ids[100]!, 1);
    const first = await sweepAfter(null, isOpen);
    assert.deepEqual(first, { checked: 100, restarted: [], next: ids[99] });
    const second = await sweepAfter(first.next, isOpen);
    assert.deepEqual(second, { checked: 1, restarted: [ids[100]], next: null });
  });
});
