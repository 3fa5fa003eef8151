import assert from 'node:assert/strict';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { PlanMonth } from '../../entities/usage/plan-month.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { ApiResponse, TestParley, TestProcess } from '../support/parley.ts';
import { buildWorkspaceBelow, buildPlannedBot, setTier, startLimited } from './support.ts';

const LIMIT = 10;

describe('sendWidgetMessage, at the limit of the plan,', () => {
  let model: ModelServer;
  let parley: TestParley;
  let processes: TestProcess[];
  before(async () => {
    model = await startModelServer({ answer: () => 'Twelve euros.' });
    const env = { PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' };
    parley = await startLimited({ messages_per_month: LIMIT }, env);
    processes = [parley, await parley.startAnother()];
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  type Built = Awaited<ReturnType<typeof buildPlannedBot>>;

  /** Builds a visitor of the bot who writes through one of the API processes. */
  async function buildVisitor({ bot }: Pick<Built, 'bot'>, index = 0) {
    const process = processes[index % 2]!;
    const { body } = await process.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const client = process.client(body.visitor_token);
    return {
      say: (): Promise<ApiResponse> =>
        client.post(`/api/public/sessions/${body.session_id}/messages`, { content: 'Hi' }),
    };
  }

  async function say(built: Pick<Built, 'bot'>, times: number): Promise<ApiResponse[]> {
    const visitor = await buildVisitor(built);
    const responses: ApiResponse[] = [];
    for (let time = 0; time < times; time += 1) responses.push(await visitor.say());
    return responses;
  }

  const giveCredits = (orgId: string, creditsLeft: number) =>
    parley.database.repository(BillingAccount).upsert({ orgId, creditsLeft }, ['orgId']);
  const findCreditsLeft = async (orgId: string) =>
    (await parley.database.repository(BillingAccount).findOneByOrFail({ orgId })).creditsLeft;
  const listStatuses = (responses: ApiResponse[]) => responses.map(({ status }) => status);
  const countStatus = (responses: ApiResponse[], status: number) =>
    responses.filter((response) => response.status === status).length;

  async function countRemainingDeliveries({ client }: Pick<Built, 'client'>) {
    const { body } = await client.get('/api/usage');
    return {
      messages: body.messages,
      left: body.messages_left,
      credits: body.topup_credits_left,
      exceeded: body.exceeded,
    };
  }

  it('accepts exactly the remaining messages of 50 concurrent visitors at two processes', async () => {
    const built = await buildPlannedBot(parley);
    const visitors = await Promise.all(Array.from({ length: 50 }, (_, index) => buildVisitor(built, index)));
    const responses = await Promise.all(visitors.map(({ say: write }) => write()));
    assert.deepEqual([countStatus(responses, 201), countStatus(responses, 402)], [LIMIT, 50 - LIMIT]);
    assert.deepEqual(await countRemainingDeliveries(built), {
      messages: LIMIT,
      left: 0,
      credits: 0,
      exceeded: ['messages_per_month'],
    });
  });

  it('returns 402 quota_exceeded for further messages, with the same text as at the bot’s own cap', async () => {
    const built = await buildPlannedBot(parley);
    const [refused] = (await say(built, LIMIT + 1)).slice(-1);
    assert.equal(formatOutcome(refused!), '402 quota_exceeded');
    assert.equal(
      refused!.problem.error.message,
      'The assistant accepts no more messages this month. Please contact us in another way.',
    );
  });

  it('counts the bots of a whole hierarchy together, and does not show a child workspace the remaining messages', async () => {
    const parent = await buildPlannedBot(parley);
    const child = await buildWorkspaceBelow(parley, parent.orgId);
    const { body: bot } = await child.client.post('/api/bots', { name: 'Below' });
    await child.client.patch(`/api/bots/${bot.id}`, { status: 'active', rate_limit_per_minute: 600 });
    await giveCredits(parent.orgId, 1);
    assert.deepEqual(listStatuses(await say(parent, 7)), Array(7).fill(201));
    assert.deepEqual(listStatuses(await say({ bot }, 5)), [201, 201, 201, 201, 402]);
    assert.deepEqual(await countRemainingDeliveries({ client: child.client }), {
      messages: 4,
      left: null,
      credits: null,
      exceeded: ['messages_per_month'],
    });
    assert.deepEqual(await countRemainingDeliveries(parent), {
      messages: 7,
      left: 0,
      credits: 0,
      exceeded: ['messages_per_month'],
    });
  });

  it('uses top-ups after the month’s messages are used up, to the last message', async () => {
    const built = await buildPlannedBot(parley);
    await giveCredits(built.orgId, 3);
    assert.deepEqual(listStatuses(await say(built, LIMIT)), Array(LIMIT).fill(201));
    assert.equal(await findCreditsLeft(built.orgId), 3);
    assert.deepEqual(listStatuses(await say(built, 4)), [201, 201, 201, 402]);
    assert.equal(await findCreditsLeft(built.orgId), 0);
  });

  itInSoak('uses top-ups exactly, even for concurrent messages', async () => {
    const built = await buildPlannedBot(parley);
    await giveCredits(built.orgId, 5);
    const visitors = await Promise.all(Array.from({ length: 30 }, (_, index) => buildVisitor(built, index)));
    const responses = await Promise.all(visitors.map(({ say: write }) => write()));
    assert.equal(countStatus(responses, 201), LIMIT + 5);
    assert.equal(await findCreditsLeft(built.orgId), 0);
  });

  itInSoak('counts the messages that were accepted before the plan had a limit', async () => {
    const built = await buildPlannedBot(parley);
    await setTier(parley, built.orgId, 'enterprise');
    assert.equal(countStatus(await say(built, LIMIT + 2), 201), LIMIT + 2);
    assert.deepEqual(await countRemainingDeliveries(built), {
      messages: LIMIT + 2,
      left: null,
      credits: null,
      exceeded: [],
    });
    await setTier(parley, built.orgId, 'free');
    assert.deepEqual(listStatuses(await say(built, 1)), [402]);
    assert.deepEqual(await countRemainingDeliveries(built), {
      messages: LIMIT + 2,
      left: 0,
      credits: 0,
      exceeded: ['messages_per_month'],
    });
    await setTier(parley, built.orgId, 'enterprise');
    await say(built, 1);
    await setTier(parley, built.orgId, 'free');
    await giveCredits(built.orgId, 1);
    assert.deepEqual(listStatuses(await say(built, 2)), [201, 402]);
    assert.equal((await countRemainingDeliveries(built)).messages, LIMIT + 4);
  });

  itInSoak('restarts the count in each month', async () => {
    const built = await buildPlannedBot(parley);
    assert.deepEqual(listStatuses(await say(built, LIMIT + 1)).slice(-1), [402]);
    const months = parley.database.repository(PlanMonth);
    const [month] = await months.findBy({ payerId: built.orgId });
    assert.equal(month!.messages, LIMIT);
    await parley.database.sql('UPDATE usage_changes SET day = day - 40 WHERE org_id = $1', [built.orgId]);
    await months.update({ payerId: built.orgId }, { month: '2020-01-01' });
    assert.deepEqual(listStatuses(await say(built, 1)), [201]);
    assert.equal((await countRemainingDeliveries(built)).left, LIMIT - 1);
  });

  it('does not count a message that a person answers, and counts no message twice', async () => {
    const built = await buildPlannedBot(parley, { handoff_enabled: true });
    const { body: session } = await parley
      .client()
      .post(`/api/public/bots/${built.bot.public_key}/sessions`, {});
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${session.session_id}` as const;
    const twice = { content: 'Hi', client_id: 'one' };
    await visitor.post(`${path}/messages`, twice);
    await visitor.post(`${path}/messages`, twice);
    await visitor.post(`${path}/handoff`, {});
    assert.equal((await visitor.post(`${path}/messages`, { content: 'Anybody there?' })).status, 201);
    assert.equal((await countRemainingDeliveries(built)).messages, 1);
  });
});
