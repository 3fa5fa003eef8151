import assert from 'node:assert/strict';
import type { ScheduleHandle } from '@temporalio/client';
import { IsNull } from 'typeorm';
import { newId } from '../../core/ids.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { addUsage, buildLimitedPlans, setTier } from './support.ts';

describe('sweepUsage', () => {
  let parley: TestParleyWithWorker;
  let schedule: ScheduleHandle;
  let org: TestOrg;
  const describeSweepSchedule = () => schedule.describe().catch(() => null);

  before(async () => {
    parley = await startParleyWithWorker(buildLimitedPlans({ messages_per_month: 100 }));
    const { temporalTaskQueue } = parley.runtime.settings;
    schedule = parley.temporal.schedule.getHandle(`${temporalTaskQueue}/sweep-usage`);
    await waitUntil(async () => (await describeSweepSchedule()) !== null, 'the schedule to be there');
    // Pause the schedule: its run would add the recorded changes to the figures before the test counts them.
    await schedule.pause();
  });
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    await setTier(parley, org.orgId, 'free');
  });

  async function sweep(): Promise<string> {
    const handle = await parley.temporal.workflow.start('sweepUsage', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: `sweep-usage-${newId()}`,
    });
    await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return currentDetails;
  }

  const use = (used: Partial<UsageDelta>) => addUsage(parley, org.orgId, { day: '2026-03-01', ...used });

  /** Sets the number of messages that the plan has admitted in the current month. */
  const admit = (messages: number) =>
    parley.database.sql(
      `INSERT INTO plan_months (payer_id, month, messages)
       VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), $2)
       ON CONFLICT (payer_id, month) DO UPDATE SET messages = $2`,
      [org.orgId, messages],
    );

  async function listQuotaMails(): Promise<string[]> {
    const rows = await parley.database.repository(MailRow).find({
      where: { orgId: org.orgId, template: 'plan_used' },
      order: { id: 'ASC' },
    });
    return rows.map(({ key }) => key!.split('/')[3]!);
  }

  it('adds deltas to their days, leaves no deltas, and does not change the sums', async () => {
    const botId = newId();
    await use({ botId, messages: 1 });
    await use({ botId, messages: -1 });
    await use({
      botId,
      model: 'a',
      messages: 1,
      inputTokens: 3_000_000_000,
      outputTokens: 5,
      costUsd: 0.00000001,
    });
    await use({
      botId,
      model: 'a',
      messages: 1,
      inputTokens: 3_000_000_000,
      outputTokens: 5,
      costUsd: 0.00000002,
    });
    await use({ day: '2026-03-02', alerts: 2 });
    const read = async () => (await org.client.get('/api/usage?month=2026-03')).body;
    const before = await read();
    assert.deepEqual(
      [before.messages, before.input_tokens, before.output_tokens, before.cost_usd, before.alerts],
      [2, 6_000_000_000, 10, 0.00000003, 2],
    );
    assert.match(await sweep(), /5 deltas summed/);
    const of = { orgId: org.orgId, payerId: org.orgId };
    assert.equal(await parley.database.repository(UsageDelta).countBy(of), 0);
    const days = await parley.database.repository(UsageDay).find({ where: of, order: { day: 'ASC' } });
    assert.deepEqual(
      days.map(({ id: _, ...day }) => day),
      [
        {
          ...of,
          day: '2026-03-01',
          botId,
          model: 'a',
          messages: 2,
          inputTokens: 6_000_000_000,
          outputTokens: 10,
          costUsd: 0.00000003,
          alerts: 0,
        },
        {
          ...of,
          day: '2026-03-02',
          botId: null,
          model: null,
          messages: 0,
          inputTokens: 0,
          outputTokens: 0,
          costUsd: 0,
          alerts: 2,
        },
      ],
    );
    await use({ botId, model: 'a', messages: 3 });
    await sweep();
    assert.deepEqual(await read(), { ...before, messages: 5 });
  });

  itInSoak('counts nothing twice if folds are killed or run concurrently', async () => {
    const { usageFold } = parley.runtime.services.usage;
    const count = 200;
    for (let index = 0; index < count; index += 1) await use({ model: `model ${index % 3}`, messages: 1 });
    const messages = async () => (await org.client.get('/api/usage?month=2026-03')).body.messages;
    const killed = new Error('The process has died.');
    await assert.rejects(
      parley.database.transaction(async (tx) => {
        await usageFold.foldBatch(tx);
        throw killed;
      }),
      killed,
    );
    assert.equal(await messages(), count);
    const seen = await Promise.all([
      ...Array.from({ length: 4 }, () => usageFold.foldBatch(parley.database)),
      ...Array.from({ length: 4 }, messages),
    ]);
    assert.deepEqual(seen.slice(4), Array(4).fill(count));
    assert.equal(await messages(), count);
    assert.equal(await parley.database.repository(UsageDelta).countBy({ orgId: org.orgId }), 0);
  });

  it('emails owners and admins once at 80 % and once at 100 % of the plan’s messages, and emits an event for alerts at 100 %', async () => {
    await parley.buildOrg({ orgId: org.orgId, role: 'admin' });
    await parley.buildOrg({ orgId: org.orgId, role: 'member' });
    await admit(79);
    await sweep();
    assert.deepEqual(await listQuotaMails(), []);
    await admit(80);
    await Promise.all([sweep(), sweep()]);
    assert.deepEqual(await listQuotaMails(), ['80', '80']);
    await admit(100);
    await sweep();
    await sweep();
    assert.deepEqual(await listQuotaMails(), ['80', '80', '100', '100']);
    const limitReached = { orgId: org.orgId, botId: IsNull(), name: 'usage.limit_reached', count: 1 };
    const counts = parley.database.repository(EventCount);
    await waitUntil(
      async () => (await counts.countBy(limitReached)) === 1,
      'the event to be handed over once',
    );
    const row = await parley.database
      .repository(MailRow)
      .findOneByOrFail({ orgId: org.orgId, userId: org.userId, template: 'plan_used' });
    const { capturedMails } = parley.runtime.services.mail;
    await waitUntil(
      async () => (await capturedMails.find(parley.database, row.id)) !== null,
      'the email to be kept',
    );
    const mail = await capturedMails.find(parley.database, row.id);
    assert.equal(mail!.subject, 'Acme has used 80% of its monthly messages');
    assert.match(mail!.text, /answered 80 of the 100 messages/);
    assert.match(mail!.text, /a larger plan or buys a top-up/);
  });

  itInSoak(
    'emails only 100 % if 80 % and 100 % are reached at once, and emails again under another limit',
    async () => {
      await parley.database.repository(BillingAccount).insert({ orgId: org.orgId, creditsLeft: 1000 });
      await admit(120);
      await sweep();
      assert.deepEqual(await listQuotaMails(), ['100']);
      await setTier(parley, org.orgId, 'starter');
      await sweep();
      assert.deepEqual(await listQuotaMails(), ['100']);
      const plans = JSON.stringify({ starter: { messages_per_month: 150 } });
      const another = await parley.startAnother({ plans });
      const { planNotices } = another.runtime.services.usage;
      assert.equal(await planNotices.notifyReached(), 1);
      assert.deepEqual(await listQuotaMails(), ['100', '80']);
      await setTier(parley, org.orgId, 'enterprise');
      await admit(1000);
      await sweep();
      assert.deepEqual(await listQuotaMails(), ['100', '80']);
    },
  );

  it('is scheduled every minute, one at a time', async () => {
    const { spec, policies, action } = (await describeSweepSchedule())!;
    assert.equal(spec.intervals?.[0]?.every, 60_000);
    assert.equal(policies.overlap, 'SKIP');
    assert.equal(action.staticSummary, 'Sum usage, and email payers near a limit');
  });
});
