import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { EnrichmentService } from '../../services/conversations/enrichment/enrichment-service.ts';
import { PayerQueue } from '../../services/requests/payer-queue.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { addDocument } from '../support/knowledge.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  startParleyWithWorker,
  waitForTerminalState,
  type TestParleyWithWorker,
} from '../support/worker.ts';

/** Half of a worker's slots for downloads, and for calls of models. */
const FETCH_SHARE = 3;
const MODEL_SHARE = 10;

describe('workspaces with the same payer', () => {
  let parley: TestParleyWithWorker;
  let payer: TestOrg;
  let child: TestOrg;
  let other: TestOrg;
  const servers = new LocalServers();

  before(async () => {
    parley = await startParleyWithWorker();
    payer = await parley.buildOrg();
    other = await parley.buildOrg();
    const id = newId();
    const row = { id, payerId: payer.orgId, parentOrgId: payer.orgId, name: 'Branch', slug: `branch-${id}` };
    await parley.database.repository(Org).insert(row);
    child = await parley.buildOrg({ orgId: id });
  });

  after(async () => {
    await parley.stop();
    await servers.close();
  });

  const toScope = ({ orgId }: TestOrg) => ({ orgId, db: parley.database });

  it('share the slots of a PayerQueue, of which another payer gets its own', async () => {
    const queue = new PayerQueue({ slots: 4, maxWaiting: 8, maxWaitMs: 60_000 });
    const { happened: released, happen: release } = createOneTimeSignal();
    const begun: string[] = [];
    const { signal } = new AbortController();
    const start = (org: TestOrg, work: Promise<void>) =>
      queue.run(toScope(org), () => (begun.push(org.orgId), work), signal);
    const hanging = [payer, payer, child].map((org) => start(org, released));
    await waitUntil(() => begun.length === 2, 'two tasks to begin');
    await start(other, Promise.resolve());
    assert.deepEqual([begun.filter((id) => id !== other.orgId).length, begun.at(-1)], [2, other.orgId]);
    release();
    await Promise.all(hanging);
    assert.equal(begun.length, 4);
  });

  it('leave downloads to another payer while their servers do not answer', async () => {
    let silent = 0;
    const silentPort = await servers.http(() => void (silent += 1));
    const port = await servers.http((_request, response) => {
      response.setHeader('content-type', 'text/plain').end('Bees make honey.');
    });
    const addUrl = async (org: TestOrg, botId: string, url: string) =>
      addDocument(parley.runtime.services.knowledge.documentIntake, toScope(org), botId, {
        source_type: 'url',
        url,
      });
    for (const org of [payer, child]) {
      const botId = await buildBot(org);
      for (let count = 0; count < 5; count += 1)
        await addUrl(org, botId, `http://127.0.0.1:${silentPort}/${org.orgId}/${count}`);
    }
    await waitUntil(() => silent === FETCH_SHARE, 'the payer’s share of downloads to hang');
    const { id } = await addUrl(other, await buildBot(other), `http://127.0.0.1:${port}/bees`);
    assert.equal((await waitForTerminalState(parley, id)).status, 'indexed');
    assert.equal(silent, FETCH_SHARE);
  });

  it('leave calls of models to another payer while their model does not answer', async () => {
    const { enrich } = EnrichmentService.prototype;
    const { happened: released, happen: release } = createOneTimeSignal();
    let hanging = 0;
    EnrichmentService.prototype.enrich = async function (scope, ...rest) {
      if (scope.orgId !== other.orgId) {
        hanging += 1;
        await released;
      }
      return enrich.call(this, scope, ...rest);
    };
    const start = ({ orgId }: TestOrg) =>
      parley.temporal.workflow.start('enrichConversation', {
        workflowId: newId(),
        taskQueue: parley.runtime.settings.temporalTaskQueue,
        args: [{ orgId, conversationId: newId() }],
      });
    try {
      const busy = await Promise.all(
        Array.from({ length: MODEL_SHARE + 2 }, () => [start(payer), start(child)]).flat(),
      );
      await waitUntil(() => hanging === MODEL_SHARE, 'the payer’s share of calls to hang');
      assert.equal(await (await start(other)).result(), 'gone');
      assert.equal(hanging, MODEL_SHARE);
      release();
      for (const workflow of busy) assert.equal(await workflow.result(), 'gone');
    } finally {
      release();
      EnrichmentService.prototype.enrich = enrich;
    }
  });
});
