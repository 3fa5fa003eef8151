import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { newId } from '../../../core/ids.ts';
import { Org } from '../../../entities/team/org.entity.ts';
import { PayerQueue } from '../../../services/requests/payer-queue.ts';
import { buildChats } from '../../archive/chats.ts';
import { LocalServers } from '../../adapters/http/local-servers.ts';
import { addDocument } from '../../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { createOneTimeSignal } from '../../support/one-time-signal.ts';
import type { TestOrg } from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  buildBot,
  startParleyWithWorker,
  waitForTerminalState,
  type TestParleyWithWorker,
} from '../../support/worker.ts';

/**
 * Maximum number of slots that one payer takes at once: half of a worker's slots for downloads, and for model
 * calls.
 */
const FETCH_SHARE = 6;
const MODEL_SHARE = 20;

describe('workspaces with the same payer', () => {
  let parley: TestParleyWithWorker;
  let payer: TestOrg;
  let child: TestOrg;
  let other: TestOrg;
  let model: ModelServer;
  const { happened: replied, happen: reply } = createOneTimeSignal();
  const servers = new LocalServers();
  const SILENT = 'Does the model reply?';

  before(async () => {
    model = await startModelServer({
      answer: ({ messages }) => ({
        text: JSON.stringify({ title: 'Bees', summary: 'About bees.', sentiment: 'neutral', fields: {} }),
        ...(messages.some(({ content }) => content.includes(SILENT)) && { after: replied }),
      }),
    });
    parley = await startParleyWithWorker({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL: 'gpt-4o-mini',
      modelFirstTokenTimeoutMs: 600_000,
    });
    payer = await parley.buildOrg();
    other = await parley.buildOrg();
    const id = newId();
    const row = { id, payerId: payer.orgId, parentOrgId: payer.orgId, name: 'Branch', slug: `branch-${id}` };
    await parley.database.repository(Org).insert(row);
    child = await parley.buildOrg({ orgId: id });
  });

  after(async () => {
    reply();
    await parley.stop();
    await servers.close();
    await model.close();
  });

  const toScope = ({ orgId }: TestOrg) => ({ orgId, db: parley.database });

  it('share the slots of a PayerQueue, in which another payer has its own slots', async () => {
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

  it('leave slots for another payer’s downloads while their own servers do not respond', async () => {
    const hanging = new Set<IncomingMessage>();
    let mostHanging = 0;
    const hang = (request: IncomingMessage) => {
      hanging.add(request);
      mostHanging = Math.max(mostHanging, hanging.size);
      request.socket.once('close', () => hanging.delete(request));
    };
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
      for (let count = 0; count < FETCH_SHARE; count += 1)
        await addUrl(org, botId, `http://127.0.0.1:${await servers.http(hang)}/`);
    }
    await waitUntil(() => hanging.size === FETCH_SHARE, 'the payer’s share of downloads to hang');
    const { id } = await addUrl(other, await buildBot(other), `http://127.0.0.1:${port}/bees`);
    assert.equal((await waitForTerminalState(parley, id)).status, 'indexed');
    assert.equal(mostHanging, FETCH_SHARE);
  });

  it('leave slots for another payer’s model calls while their own model does not respond', async () => {
    const startEnrichments = async (org: TestOrg, says: string, count: number) => {
      const { orgId } = org;
      const scope = { orgId, botIds: [await buildBot(org)] };
      const ids = await buildChats(parley.database, scope, Array<object>(count).fill({ says }));
      return Promise.all(
        ids.map((conversationId) =>
          parley.temporal.workflow.start('enrichConversation', {
            workflowId: newId(),
            taskQueue: parley.runtime.settings.temporalTaskQueue,
            args: [{ orgId, conversationId }],
          }),
        ),
      );
    };
    const half = MODEL_SHARE / 2 + 2;
    const busy = [
      ...(await startEnrichments(payer, SILENT, half)),
      ...(await startEnrichments(child, SILENT, half)),
    ];
    const countHanging = () => model.requests.length - model.countAbandoned();
    await waitUntil(() => countHanging() === MODEL_SHARE, 'the payer’s share of calls to hang');
    const [next] = await startEnrichments(other, 'Do bees make honey?', 1);
    assert.equal(await next!.result(), 'by_model');
    assert.equal(model.requests.length, MODEL_SHARE + 1);
    reply();
    for (const workflow of busy) assert.equal(await workflow.result(), 'by_model');
  });
});
