import assert from 'node:assert/strict';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { PlanMonth } from '../../entities/usage/plan-month.entity.ts';
import { PlanMonthRepository } from '../../repositories/usage/plan-month.repository.ts';
import { Plans } from '../../core/billing/plans.ts';
import { PlanNotices } from '../../services/usage/plan-notices.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import type { TestParley, TestProcess } from '../support/parley.ts';
import { addUsage, buildPlannedBot, setTier, startLimited } from './support.ts';

const LIMIT = 10;
const HIGHER_LIMIT = 20;
const PLANS = JSON.stringify({
  free: { messages_per_month: LIMIT },
  starter: { messages_per_month: HIGHER_LIMIT },
});

describe('sendWidgetMessage and getUsage with the month’s counter', () => {
  let model: ModelServer;
  let parley: TestParley;
  let unlimited: TestProcess;
  before(async () => {
    model = await startModelServer({ answer: () => 'Twelve euros.' });
    const env = { PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini', PARLEY_PLANS: PLANS };
    parley = await startLimited({}, env);
    unlimited = await parley.startAnother({ stripeSecretKey: undefined });
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  type Built = Awaited<ReturnType<typeof buildPlannedBot>>;

  /** Sends `times` messages of a visitor; returns how many the API accepts. The plan refuses all other messages. */
  async function say({ bot }: Pick<Built, 'bot'>, times: number, process: TestProcess = parley) {
    const { body } = await process.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = process.client(body.visitor_token);
    let accepted = 0;
    for (let time = 0; time < times; time += 1) {
      const path = `/api/public/sessions/${body.session_id}/messages` as const;
      const { status } = await visitor.post(path, { content: 'Hi' });
      assert.ok(status === 201 || status === 402, `${status}`);
      if (status === 201) accepted += 1;
    }
    return accepted;
  }

  const usage = async ({ client }: Pick<Built, 'client'>, query = '') =>
    (await client.get(`/api/usage${query}`)).body;
  const giveCredits = (orgId: string, creditsLeft: number) =>
    parley.database.repository(BillingAccount).upsert({ orgId, creditsLeft }, ['orgId']);
  const months = () => parley.database.repository(PlanMonth);
  const today = () => new Date().toISOString().slice(0, 10);

  itInSoak(
    'accept nothing above the limit, even after a process without a payment provider has answered',
    async () => {
      const built = await buildPlannedBot(parley);
      assert.equal(await say(built, 3), 3);
      assert.equal(await say(built, 12, unlimited), 12);
      const { messages, messages_left: left, exceeded } = await usage(built);
      assert.deepEqual([messages, left, exceeded], [15, 0, ['messages_per_month']]);
      assert.equal(await say(built, 2), 0);
    },
  );

  itInSoak('count concurrent messages of processes with and without a payment provider', async () => {
    const built = await buildPlannedBot(parley);
    await say(built, 1);
    await Promise.all([say(built, 4), say(built, 3, unlimited), say(built, 4, unlimited)]);
    const month = await months().findOneByOrFail({ payerId: built.orgId });
    assert.equal(month.messages, (await usage(built)).messages);
  });

  itInSoak(
    'count messages under a plan without a limit, and use their sum once there is a limit',
    async () => {
      const built = await buildPlannedBot(parley);
      await say(built, 4);
      await setTier(parley, built.orgId, 'enterprise');
      await say(built, 3);
      await setTier(parley, built.orgId, 'free');
      assert.equal((await usage(built)).messages_left, LIMIT - 7);
      assert.equal(await say(built, LIMIT), LIMIT - 7);
    },
  );

  itInSoak('do not count messages that were paid by top-ups against a larger plan', async () => {
    const built = await buildPlannedBot(parley);
    await giveCredits(built.orgId, 5);
    assert.equal(await say(built, LIMIT + 6), LIMIT + 5);
    await setTier(parley, built.orgId, 'starter');
    const { messages, messages_left: left, topup_credits_left: credits, exceeded } = await usage(built);
    assert.deepEqual([messages, left, credits, exceeded], [LIMIT + 5, HIGHER_LIMIT - LIMIT, 0, []]);
    assert.equal(await say(built, HIGHER_LIMIT), HIGHER_LIMIT - LIMIT);
    await setTier(parley, built.orgId, 'free');
    assert.equal(await say(built, 1), 0);
  });

  itInSoak('include turns in progress when the month is counted for the first time', async () => {
    const built = await buildPlannedBot(parley);
    await say(built, 1);
    await addUsage(parley, built.orgId, { day: today(), messages: 5 });
    const { planNotices } = parley.runtime.services.usage;
    await planNotices.notifyReached();
    assert.equal((await usage(built)).messages_left, LIMIT - 1);
    await months().update({ payerId: built.orgId }, { recountAt: new Date(0) });
    await planNotices.notifyReached();
    assert.equal((await usage(built)).messages_left, LIMIT - 6);
    assert.equal(await say(built, LIMIT), LIMIT - 6);
    const { messages, recountAt } = await months().findOneByOrFail({ payerId: built.orgId });
    assert.deepEqual([messages, recountAt], [LIMIT, null]);
  });

  itInSoak('accept messages while owners are emailed that the month’s messages are used up', async () => {
    const built = await buildPlannedBot(parley);
    await giveCredits(built.orgId, 5);
    await say(built, LIMIT);
    const outcomes: number[] = [];
    const notices = new PlanNotices({
      database: parley.database,
      plans: new Plans(parley.runtime.settings),
      quota: { recountDue: async () => {} },
      months: new PlanMonthRepository(),
      outbox: { event: async () => {} },
      teamNotices: {
        mailPlanUsed: async ({ orgId }, { percent }) => {
          if (orgId === built.orgId) outcomes.push(percent, await say(built, 1));
          return 1;
        },
      },
    });
    await notices.notifyReached();
    assert.deepEqual(outcomes, [100, 1]);
    assert.equal(await notices.notifyReached(), 0);
  });

  it('show remaining and exceeded messages only for the current month', async () => {
    const built = await buildPlannedBot(parley);
    await giveCredits(built.orgId, 2);
    await say(built, LIMIT + 2);
    await giveCredits(built.orgId, 0);
    const present = await usage(built, `?month=${today().slice(0, 7)}`);
    assert.deepEqual([present.messages_left, present.exceeded], [0, ['messages_per_month']]);
    for (const month of ['2026-01', '2999-01']) {
      const {
        messages_left: left,
        topup_credits_left: credits,
        exceeded,
        limits,
      } = await usage(built, `?month=${month}`);
      assert.deepEqual([left, credits, exceeded, limits.messages_per_month], [null, 0, [], LIMIT]);
    }
  });
});
