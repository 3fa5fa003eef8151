import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AlertDay, AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { AlertDigest } from '../../entities/alerts/alert-digest.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import { HeldSteps, type HeldStep } from '../alerts/step-gates.ts';
import { parseLinkCode, connectChat, IMPATIENT, savePolicy } from '../alerts/support.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../support/telegram.ts';
import { waitUntil } from '../support/wait-until.ts';
import { FakeWhatsapp, signWhatsappBody, WHATSAPP } from '../support/whatsapp.ts';
import { createTemporalClient, buildTemporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';
import type { TestSettings } from '../support/test-settings.ts';

const HOUR_MS = 3_600_000;
const outbox = new OutboxService();

/** A recipient of a message, with the step at which the worker that sends the message is killed. */
interface Recipient {
  moment: string;
  org: TestOrg;
  policyId: string;
  destination: string;
  /** Number of messages that the recipient had accepted before the worker was killed. */
  before?: number;
}

describe('after their worker was killed, messages', () => {
  const telegram = new FakeTelegram();
  const whatsapp = new FakeWhatsapp();
  let parley: TestParley;
  let steps: HeldSteps;
  let env: TestSettings;
  let temporal: ReturnType<typeof createTemporalClient>;

  before(async () => {
    env = {
      ...IMPATIENT,
      ...WHATSAPP,
      alertSendTimeoutMs: 10000,
      PARLEY_DATABASE_POOL: '40',
      telegramApiUrl: await telegram.start(),
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
      whatsappApiUrl: await whatsapp.start(),
    };
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000', ...env });
    steps = await HeldSteps.install(parley);
    temporal = createTemporalClient(parley.runtime.settings);
  });
  after(async () => {
    await Promise.all([steps.close(), temporal.close()]);
    await parley.stop();
    await Promise.all([telegram.stop(), whatsapp.stop()]);
  });

  const followedByAnother = useSuccessor(() => parley);

  const findMessages = (policyId: string) => parley.database.repository(AlertMessage).findBy({ policyId });
  const findSentCounts = async ({ policyId }: Recipient) =>
    (await parley.database.repository(AlertDay).findBy({ policyId })).map(({ sent }) => sent);

  describe('to WhatsApp', () => {
    const raise = ({ org: { orgId } }: Recipient) =>
      outbox.event({ orgId, db: parley.database }, 'usage.limit_reached', { bot_id: null }, null);

    async function prepareRecipient(moment: string, hold: (told: Recipient) => unknown): Promise<Recipient> {
      const org = await parley.buildOrg();
      const destination = await connectChat(parley, org, 'whatsapp');
      const { id } = await savePolicy(org, { channel: 'whatsapp', destination, intensity: 'critical' });
      const recipient = { moment, org, policyId: id, destination };
      await hold(recipient);
      return recipient;
    }

    const postHook = async (body: string) => {
      const headers = { 'x-hub-signature-256': signWhatsappBody(body), 'content-type': 'application/json' };
      const { status } = await fetch(`${parley.baseUrl}/hooks/whatsapp`, { method: 'POST', headers, body });
      assert.equal(status, 200);
    };

    it('are sent once if WhatsApp reports their status, and are sent again after half a minute if it does not', async () => {
      const doomed = new WorkerProcess(parley.runtime.settings, env);
      const makeSilent = (kind: 'taken' | 'not taken') => (each: Recipient) =>
        whatsapp.silent.set(each.destination.slice(1), kind);
      const holdStep = (step: HeldStep) => (each: Recipient) => steps.hold(step, each.policyId);
      const all: Recipient[] = [];
      for (const [moment, hold] of [
        ['asked', makeSilent('not taken')],
        ['taken, and told of', makeSilent('taken')],
        ['taken', makeSilent('taken')],
        ['recorded, and told of', holdStep('recorded')],
        ['recorded', holdStep('recorded')],
        ['recorded and committed', holdStep('recorded and committed')],
      ] as const)
        all.push(await prepareRecipient(moment, hold));
      for (const each of all) await raise(each);
      await steps.waitUntilReached();
      await waitUntil(() => whatsapp.attempts === all.length, 'all to be sent');
      await doomed.end('SIGKILL');
      whatsapp.silent.clear();
      await steps.release();
      for (const { moment, destination } of all)
        if (moment.endsWith('told of'))
          await postHook(whatsapp.buildStatusHook(whatsapp.getSentTo(destination)[0]!, 'sent'));
      await followedByAnother();
      const isDone = async ({ policyId }: Recipient) =>
        (await findMessages(policyId)).every(({ state }) => state === 'accepted');
      await waitUntil(
        async () => (await Promise.all(all.map(isDone))).every(Boolean),
        'all to be sent again',
      );
      for (const each of all) {
        const isRepeated = each.moment === 'taken' || each.moment === 'recorded';
        assert.equal(whatsapp.getSentTo(each.destination).length, isRepeated ? 2 : 1, each.moment);
        assert.deepEqual(await findSentCounts(each), [1]);
        const [message, ...others] = await findMessages(each.policyId);
        assert.deepEqual(others, []);
        const { attempts, startedAt, createdAt } = message!;
        const mustWait = isRepeated || each.moment === 'asked';
        assert.equal(attempts, mustWait ? 2 : 1, each.moment);
        assert.equal(startedAt!.getTime() - createdAt.getTime() >= 30_000, mustWait, each.moment);
      }
    });
  });

  describe('to Telegram', () => {
    const sweep = () =>
      temporal.client.workflow.start('sweepAlerts', {
        taskQueue: parley.runtime.settings.temporalTaskQueue,
        workflowId: `sweep-${newId()}`,
      });

    /** Creates an alert policy with a manually entered chat, which receives a code. */
    async function createTypedPolicy(moment: string, index: number): Promise<Recipient> {
      const org = await parley.buildOrg();
      const destination = String(700_000 + index);
      const { id } = await savePolicy(org, { channel: 'telegram', destination });
      return { moment, org, policyId: id, destination };
    }

    /** Creates an alert policy whose digest is due now. */
    async function createDueDigest(moment: string): Promise<Recipient> {
      const org = await parley.buildOrg();
      const destination = await connectChat(parley, org);
      const { id } = await savePolicy(org, {
        channel: 'telegram',
        destination,
        intensity: 'digest',
        timezone: 'UTC',
      });
      const hour = new Date(Date.now() - HOUR_MS);
      hour.setUTCMinutes(0, 0, 0);
      await parley.database
        .repository(EventCount)
        .insert({ id: newId(), orgId: org.orgId, botId: null, name: 'lead.captured', hour, count: 3 });
      await parley.database.repository(AlertPolicy).update(id, { nextDigestAt: new Date(Date.now() - 1000) });
      return { moment, org, policyId: id, destination };
    }

    const holdAt = ({ moment, policyId, destination }: Recipient) => {
      if (moment === 'asked') return void telegram.faults.set(destination, 'hang');
      if (moment === 'taken') return void telegram.faults.set(destination, 'mute');
      return steps.hold(moment as HeldStep, policyId);
    };

    it('with codes still verify their destinations, digests are sent once a day, and links still connect chats', async () => {
      const doomed = new WorkerProcess(parley.runtime.settings, env);
      const digests: Recipient[] = [];
      for (const moment of [
        'digest summed up',
        'digest summed up and committed',
        'taken',
        'digest started',
      ]) {
        const each = await createDueDigest(moment);
        await holdAt(each);
        await sweep();
        if (moment.startsWith('digest')) await steps.waitUntilReached();
        digests.push(each);
      }
      const codes: Recipient[] = [];
      for (const moment of ['begun', 'asked', 'taken', 'recorded', 'recorded and committed'])
        codes.push(await createTypedPolicy(moment, codes.length));
      for (const each of codes) await holdAt(each);
      const begun = codes.map(({ org, policyId }) =>
        org.client.post(`/api/alerts/${policyId}/verify/start`, {}),
      );
      const visitor = await parley.buildOrg();
      await steps.hold('connected', visitor.orgId);
      const { body: link } = await visitor.client.post('/api/alerts/telegram/connect', {});
      telegram.say({ id: 800_000, first_name: 'Ada' }, `/start ${parseLinkCode(link.link)}`);
      await waitUntil(() => telegram.hanging >= 3, 'Telegram to be waited for');
      await steps.waitUntilReached();
      await doomed.end('SIGKILL');
      for (const each of [...codes, ...digests]) each.before = telegram.getTextsTo(each.destination).length;
      telegram.faults.clear();
      await steps.release();
      await followedByAnother();
      await sweep();
      await assertCodes(codes);
      await assertDigests(digests);
      for (const started of begun) assert.equal((await started).status, 200);
      const poll = () => visitor.client.post('/api/alerts/telegram/poll', { attempt_id: link.attempt_id });
      await waitUntil(async () => (await poll()).body.status === 'connected', 'the chat');
      assert.deepEqual(telegram.getTextsTo('800000'), [
        'This chat is connected and can now receive alerts from Acme.',
      ]);
    });

    async function assertCodes(codes: readonly Recipient[]): Promise<void> {
      for (const { moment, org, policyId, destination, before = 0 } of codes) {
        await waitUntil(
          async () => (await findMessages(policyId)).every(({ state }) => state === 'accepted'),
          `the code, ${moment}`,
        );
        const texts = telegram.getTextsTo(destination);
        assert.equal(texts.length, moment === 'recorded and committed' ? 1 : before + 1, moment);
        assert.equal(new Set(texts).size, 1);
        const [code = ''] = /\d{6}/.exec(texts[0]!) ?? [];
        const { status, body } = await org.client.post(`/api/alerts/${policyId}/verify`, { code });
        assert.deepEqual([status, body.status], [200, 'active']);
      }
    }

    async function assertDigests(digests: readonly Recipient[]): Promise<void> {
      for (const each of digests) {
        const { moment, policyId, destination, before = 0 } = each;
        const areAccepted = async () => {
          const rows = await findMessages(policyId);
          return rows.length > 0 && rows.every(({ state }) => state === 'accepted');
        };
        await waitUntil(areAccepted, `the digest, ${moment}`);
        const texts = telegram.getTextsTo(destination);
        assert.equal(texts.length, before + 1, moment);
        assert.match(texts[0]!, /Leads: 3 \(before: 0\)/);
        const rows = await parley.database.repository(AlertDigest).findBy({ policyId });
        assert.deepEqual(
          rows.map(({ state }) => state),
          ['sent'],
        );
        assert.deepEqual(await findSentCounts(each), [1]);
        const policy = await parley.database.repository(AlertPolicy).findOneByOrFail({ id: policyId });
        assert.ok(policy.nextDigestAt! > new Date());
      }
    }
  });
});
