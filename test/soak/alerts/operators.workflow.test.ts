import assert from 'node:assert/strict';
import { AlertMessage } from '../../../entities/alerts/alert-message.entity.ts';
import { Alert } from '../../../entities/alerts/alert.entity.ts';
import { OutboxService } from '../../../services/outbox/outbox-service.ts';
import type { TestOrg } from '../../support/parley.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../../support/telegram.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { connectChat, savePolicy } from '../../alerts/support.ts';

const outbox = new OutboxService();

describe('alerts that cannot be sent', () => {
  const telegram = new FakeTelegram();
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let destination: string;
  let id: string;

  before(async () => {
    parley = await startParleyWithWorker({
      // Long pauses, so that alerts that are not critical stay pending for the duration of a test.
      alertPauses: '0,600000,600000',
      alertSettleMs: 16000,
      telegramApiUrl: await telegram.start(),
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
    });
  });
  after(async () => {
    await parley.stop();
    await telegram.stop();
  });
  beforeEach(async () => {
    telegram.isTokenGood = true;
    org = await parley.buildOrg();
    destination = await connectChat(parley, org);
    ({ id } = await savePolicy(org, { channel: 'telegram', destination, intensity: 'all' }));
  });

  const scope = () => ({ orgId: org.orgId, db: parley.database });
  const raise = () => outbox.event(scope(), 'usage.limit_reached', { bot_id: null }, null);
  const signal = (name: string) => parley.temporal.workflow.getHandle(`alert/${id}`).signal(name);
  const alerts = async () =>
    (await parley.database.repository(Alert).findBy({ policyId: id })).map(({ state }) => state);
  const messages = () => parley.database.repository(AlertMessage).findBy({ policyId: id });
  const hasTried = () =>
    waitUntil(async () => (await messages()).some(({ reason }) => reason !== null), 'an attempt');
  const policy = async () => (await org.client.get('/api/alerts')).body[0]!;

  it('wait without an error of the policy while Telegram refuses the bot, until retryNow', async () => {
    telegram.isTokenGood = false;
    await raise();
    await hasTried();
    const { status, last_error: error } = await policy();
    assert.equal(status, 'active');
    assert.equal(error, 'Telegram rejects the bot: Unauthorized');
    telegram.isTokenGood = true;
    await signal('retryNow');
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'the alert');
    await waitUntil(async () => (await alerts())[0] === 'sent', 'its record');
    assert.equal((await policy()).last_error, null);
  });

  it('fail after giveUp, while later alerts are sent', async () => {
    telegram.faults.set(destination, 'down');
    await raise();
    await hasTried();
    await signal('giveUp');
    await waitUntil(async () => (await alerts())[0] === 'failed', 'the end');
    assert.equal((await messages())[0]!.reason, 'An operator canceled the message.');
    telegram.faults.delete(destination);
    await raise();
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'the next one');
  });

  it('wait after pause, until retryNow', async () => {
    telegram.faults.set(destination, 'down');
    await raise();
    await hasTried();
    await signal('pause');
    telegram.faults.delete(destination);
    await waitUntil(async () => {
      const { searchAttributes } = await parley.temporal.workflow.getHandle(`alert/${id}`).describe();
      return JSON.stringify(searchAttributes).includes('paused');
    }, 'the pause');
    assert.deepEqual(telegram.getTextsTo(destination), []);
    await signal('retryNow');
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'the alert');
  });

  it('do not delay a test message, and are sent together with a critical alert', async () => {
    const ids = { booking_id: org.orgId, conversation_id: null, contact_id: null };
    await outbox.event(scope(), 'booking.created', ids, null);
    await waitUntil(async () => (await alerts()).length === 1, 'the alert');
    const { body } = await org.client.post(`/api/alerts/${id}/test`, {});
    assert.deepEqual([body.ok, body.error], [true, null]);
    assert.deepEqual(await alerts(), ['pending']);
    await raise();
    await waitUntil(() => telegram.getTextsTo(destination).length === 2, 'the critical one');
    await waitUntil(async () => (await alerts()).toSorted().join() === 'dropped,sent', 'both');
  });

  it('do not delay a test message while another message waits for its retry', async () => {
    telegram.faults.set(destination, { floodSeconds: 600, times: 1 });
    await raise();
    await hasTried();
    const { body } = await org.client.post(`/api/alerts/${id}/test`, {});
    assert.deepEqual([body.ok, body.error], [true, null]);
    assert.equal(telegram.getTextsTo(destination).length, 1);
  });

  it('are not retried in a chat that was blocked in the meantime', async () => {
    telegram.faults.set(destination, 'down');
    await raise();
    await hasTried();
    telegram.faults.set(destination, 'blocked');
    await org.client.post(`/api/alerts/${id}/test`, {});
    await waitUntil(async () => (await policy()).status === 'blocked', 'the block');
    telegram.faults.delete(destination);
    await signal('retryNow');
    await waitUntil(async () => (await alerts())[0] === 'failed', 'the end');
    assert.deepEqual(telegram.getTextsTo(destination), []);
  });
});
