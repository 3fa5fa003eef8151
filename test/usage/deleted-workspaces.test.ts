import assert from 'node:assert/strict';
import { Org } from '../../entities/team/org.entity.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { UsageTotal } from '../../entities/usage/usage-total.entity.ts';
import { UsageRepository } from '../../repositories/usage/usage.repository.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import type { TestParley } from '../support/parley.ts';
import { addUsage, buildWorkspaceBelow, buildPlannedBot, setTier, startLimited } from './support.ts';

const LIMIT = 10;

describe('usage of deleted workspaces', () => {
  let model: ModelServer;
  let parley: TestParley;
  before(async () => {
    model = await startModelServer({ answer: () => 'Twelve euros.' });
    const env = { PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' };
    parley = await startLimited({ messages_per_month: LIMIT, alerts_per_month: 5 }, env);
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  const today = () => new Date().toISOString().slice(0, 10);
  const fold = () => parley.runtime.services.usage.usageFold.foldBatch(parley.database);
  const countRows = async (payerId: string) => [
    await parley.database.repository(UsageDelta).countBy({ payerId }),
    await parley.database.repository(UsageDay).countBy({ payerId }),
    await parley.database.repository(UsageTotal).countBy({ payerId }),
  ];

  async function purge(orgId: string): Promise<void> {
    const { orgPurge } = parley.runtime.services.team;
    const scope = { orgId, db: parley.database };
    await parley.database.repository(Org).update({ id: orgId }, { deletedAt: new Date() });
    await orgPurge.removeRows(scope, new AbortController().signal);
    await orgPurge.removeOrg(scope);
  }

  async function say(publicKey: string, times: number): Promise<number[]> {
    const { body } = await parley.client().post(`/api/public/bots/${publicKey}/sessions`, {});
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const path = `/api/public/sessions/${body.session_id}/messages` as const;
      statuses.push((await parley.client(body.visitor_token).post(path, { content: 'Hi' })).status);
    }
    return statuses;
  }

  it('is still counted by getUsage for the payer and its plan', async () => {
    const payer = await buildPlannedBot(parley);
    const child = await buildWorkspaceBelow(parley, payer.orgId);
    const { body: bot } = await child.client.post('/api/bots', { name: 'Below' });
    await child.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    await say(bot.public_key as string, 8);
    await addUsage(parley, child.orgId, { day: today(), alerts: 6 }, true);
    await say(payer.bot.public_key as string, 2);
    await fold();
    await say(payer.bot.public_key as string, 1);
    await purge(child.orgId);
    const read = async (query = '') => (await payer.client.get(`/api/usage${query}`)).body;
    const own = await read();
    assert.deepEqual(
      [own.workspaces, own.messages, own.messages_left, own.exceeded],
      [1, 2, 0, ['messages_per_month', 'alerts_per_month']],
    );
    const all = await read('?include_children=true');
    assert.deepEqual([all.workspaces, all.messages, all.alerts], [1, LIMIT, 6]);
    const days = await payer.client.get(`/api/usage/daily?from=${today()}&include_children=true`);
    assert.equal(
      days.body.reduce((sum, { messages }) => sum + messages, 0),
      LIMIT,
    );
    assert.deepEqual(await say(payer.bot.public_key as string, 1), [402]);
    await setTier(parley, payer.orgId, 'starter');
    assert.deepEqual(await say(payer.bot.public_key as string, 1), [402]);
  });

  it('is deleted with the payer, despite concurrent folds and usage', async () => {
    const { orgId } = await parley.buildOrg();
    const used = { day: today(), messages: 1 };
    await addUsage(parley, orgId, used, true);
    await addUsage(parley, orgId, used);
    await parley.database.transaction(async (tx) => {
      await parley.runtime.services.usage.usageFold.foldBatch(tx);
      await addUsage(parley, orgId, { ...used, model: 'late' });
      await parley.database.repository(Org).update({ id: orgId }, { deletedAt: new Date() });
      const scope = { orgId, db: parley.database };
      await parley.runtime.services.team.orgPurge.removeRows(scope, new AbortController().signal);
    });
    assert.deepEqual(await countRows(orgId), [0, 1, 1]);
    await addUsage(parley, orgId, { ...used, model: 'later' });
    await purge(orgId);
    assert.deepEqual(await countRows(orgId), [0, 0, 0]);
    const late = {
      day: today(),
      botId: null,
      model: null,
      messages: 0,
      inputTokens: 1,
      outputTokens: 1,
      costUsd: 0,
    };
    await new UsageRepository().insert({ orgId, db: parley.database }, late);
    assert.deepEqual(await countRows(orgId), [0, 0, 0]);
    const id = crypto.randomUUID();
    await parley.database.repository(UsageDelta).insert({ ...late, id, orgId, payerId: orgId });
    await fold();
    assert.deepEqual(await countRows(orgId), [0, 0, 0]);
  });
});
