import assert from 'node:assert/strict';
import { Bot } from 'grammy';
import { AlertDayRepository } from '../../repositories/alerts/alert-day.repository.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../support/telegram.ts';
import { waitUntil } from '../support/wait-until.ts';
import { FakeWhatsapp, signWhatsappBody, WHATSAPP } from '../support/whatsapp.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { parseLinkCode, connectChat, IMPATIENT, savePolicy } from './support.ts';

const HOUR_MS = 3_600_000;

describe('alerts through messaging apps', () => {
  const telegram = new FakeTelegram();
  const whatsapp = new FakeWhatsapp();
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let telegramUrl: string;

  before(async () => {
    telegramUrl = await telegram.start();
    parley = await startParleyWithWorker({
      ...IMPATIENT,
      ...WHATSAPP,
      telegramApiUrl: telegramUrl,
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
      whatsappApiUrl: await whatsapp.start(),
    });
  });
  after(async () => {
    await parley.stop();
    await Promise.all([telegram.stop(), whatsapp.stop()]);
  });
  beforeEach(async () => (org = await parley.buildOrg()));

  const hook = (body: string, signature = signWhatsappBody(body)) =>
    fetch(`${parley.baseUrl}/hooks/whatsapp`, {
      method: 'POST',
      headers: { 'x-hub-signature-256': signature, 'content-type': 'application/json' },
      body,
    });
  const test = async (id: string) => (await org.client.post(`/api/alerts/${id}/test`, {})).body;
  const findPolicyStatus = async (id: string) =>
    (await org.client.get('/api/alerts')).body.find((policy) => policy.id === id)!;

  it('use the wire format that grammy understands', async () => {
    const bot = new Bot(telegram.token, { client: { apiRoot: telegramUrl } });
    assert.equal((await bot.api.getMe()).username, TELEGRAM_BOT);
    await bot.api.sendMessage(7, 'Hello');
    assert.deepEqual(telegram.getTextsTo('7'), ['Hello']);
    telegram.faults.set('8', 'blocked');
    await assert.rejects(bot.api.sendMessage(8, 'Hello'), /bot was blocked by the user/);
  });

  it('are sent to the chat that opens the link of connectTelegram', async () => {
    const { body: made } = await org.client.post('/api/alerts/telegram/connect', {});
    assert.match(made.link, /^https:\/\/t\.me\/parley_test_bot\?start=[A-Za-z0-9_-]{43}$/);
    assert.match(made.group_link!, /^https:\/\/t\.me\/parley_test_bot\?startgroup=/);
    telegram.say(
      { id: -1001, type: 'group', title: 'Team' },
      `/start@${TELEGRAM_BOT} ${parseLinkCode(made.link)}`,
    );
    const poll = async () =>
      (await org.client.post('/api/alerts/telegram/poll', { attempt_id: made.attempt_id })).body;
    await waitUntil(async () => (await poll()).status === 'connected', 'the chat');
    assert.deepEqual([(await poll()).destination, (await poll()).name], ['-1001', 'Team']);
    await org.client.post('/api/alerts/telegram/connect', {});
    telegram.say({ id: -1002, type: 'group', title: 'Late' }, `/start ${parseLinkCode(made.link)}`, 'fr-CA');
    const expectedReply = 'Ce lien n’est plus valable. Créez-en un autre dans la console.';
    await waitUntil(
      () => telegram.getTextsTo('-1002').includes(expectedReply),
      'the message about a used link',
    );
  });

  itInSoak('are blocked for a chat that has blocked the bot, and for no other chat', async () => {
    const [blocked, other] = [await connectChat(parley, org), await connectChat(parley, org)];
    const { id } = await savePolicy(org, { channel: 'telegram', destination: blocked });
    const { id: otherId } = await savePolicy(org, { channel: 'telegram', destination: other });
    telegram.faults.set(blocked, 'blocked');
    const before = telegram.attempts;
    const result = await test(id);
    assert.deepEqual([result.ok, result.error], [false, 'The bot was blocked in this chat.']);
    assert.equal(telegram.attempts - before, 1);
    assert.equal((await findPolicyStatus(id)).status, 'blocked');
    assert.equal((await org.client.post(`/api/alerts/${id}/test`, {})).status, 409);
    assert.equal((await test(otherId)).ok, true);
  });

  itInSoak('follow a group that becomes a supergroup, and are sent once', async () => {
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    const moved = `-100${destination}`;
    await savePolicy(org, { channel: 'telegram', destination: moved });
    telegram.faults.set(destination, { movedTo: moved });
    await test(id);
    await waitUntil(() => telegram.getTextsTo(moved).length > 0, 'the message');
    assert.equal(telegram.getTextsTo(moved).length, 1);
    const policies = (await org.client.get('/api/alerts')).body;
    assert.deepEqual(
      policies.map((policy) => [policy.id, policy.destination, policy.status]),
      [[id, moved, 'active']],
    );
  });

  itInSoak('wait as long as Telegram asks', async () => {
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    telegram.faults.set(destination, { floodSeconds: 0, times: 1 });
    await test(id);
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'the second attempt');
  });

  itInSoak('wait for an hour at most, whatever Telegram asks, and are sent after retryNow', async () => {
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    telegram.faults.set(destination, { floodSeconds: 1e300, times: 1 });
    await test(id);
    const handle = parley.temporal.workflow.getHandle(`alert/${id}`);
    const details = async () =>
      ((await handle.query('__temporal_workflow_metadata')) as { currentDetails: string }).currentDetails;
    await waitUntil(async () => (await details()).includes('Next attempt at'), 'the pause');
    const [, next = ''] = /Next attempt at (\S+)\./.exec(await details()) ?? [];
    const pauseMs = Date.parse(next) - Date.now();
    assert.ok(pauseMs > 3_500_000 && pauseMs < 3_660_000, next);
    await handle.signal('retryNow');
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'the second attempt');
  });

  itInSoak('are sent once if Telegram’s response has no message', async () => {
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    telegram.scripts.set('sendMessage', '{"ok":true,"result":null}');
    try {
      assert.equal((await test(id)).ok, true);
    } finally {
      telegram.scripts.clear();
    }
    await parley.temporal.workflow.getHandle(`alert/${id}`).result();
    assert.equal((await findPolicyStatus(id)).last_error, null);
  });

  itInSoak('have a short last_error, however long Telegram’s description is', async () => {
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    const description = `Bad\u0000 ${'x'.repeat(3_900_000)}`;
    telegram.scripts.set('sendMessage', JSON.stringify({ ok: false, error_code: 400, description }));
    try {
      const { ok, error } = await test(id);
      assert.deepEqual([ok, error?.length], [false, 330]);
    } finally {
      telegram.scripts.clear();
    }
    assert.equal((await findPolicyStatus(id)).last_error?.length, 330);
  });

  itInSoak('of several policies share the rate limit of their chat', async () => {
    const destination = await connectChat(parley, org);
    const [scope, chat] = [
      { orgId: org.orgId, db: parley.database },
      { channel: 'telegram', destination },
    ] as const;
    const days = new AlertDayRepository();
    const waitMs = await days.reserveChatSlot(scope, chat, HOUR_MS, 1000);
    assert.ok(waitMs !== null && waitMs < 1, String(waitMs));
    assert.equal(await days.reserveChatSlot(scope, chat, HOUR_MS, 1000), null);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    const { ok, error } = await test(id);
    assert.deepEqual([ok, error], [false, 'Other messages to the chat must be sent first.']);
    await parley.database.sql('UPDATE alert_destinations SET next_at = NULL WHERE destination = $1', [
      destination,
    ]);
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'the second attempt');
  });

  it('are sent to the number that sends the code of connectWhatsapp, which arrives in a signed hook', async () => {
    const { body: made } = await org.client.post('/api/alerts/whatsapp/connect', {});
    const text = decodeURIComponent(made.link.split('text=')[1]!);
    const body = whatsapp.buildInboundHook('+351912345678', text);
    assert.equal((await hook(body, signWhatsappBody(body, 'another'))).status, 403);
    assert.equal((await hook(body)).status, 200);
    assert.equal((await hook(body)).status, 200);
    const { body: state } = await org.client.post('/api/alerts/whatsapp/poll', {
      attempt_id: made.attempt_id,
    });
    assert.deepEqual(
      [state.status, state.destination, state.name],
      ['connected', '+351912345678', 'Ada Lovelace'],
    );
  });

  it('are sent to WhatsApp as free text for 24 hours and then with the template, even if the window closes in between', async () => {
    const destination = await connectChat(parley, org, 'whatsapp');
    const { id } = await savePolicy(org, { channel: 'whatsapp', destination, label: 'Reception' });
    await test(id);
    await hook(whatsapp.buildInboundHook(destination, 'Hello'));
    await test(id);
    whatsapp.closed.add(destination.slice(1));
    await test(id);
    await waitUntil(() => whatsapp.getSentTo(destination).length === 3, 'three messages');
    assert.deepEqual(
      whatsapp.getSentTo(destination).map(({ type }) => type),
      ['template', 'text', 'template'],
    );
  });

  itInSoak('record later failures of WhatsApp, and block numbers that answer STOP', async () => {
    const destination = await connectChat(parley, org, 'whatsapp');
    const { id } = await savePolicy(org, { channel: 'whatsapp', destination });
    await test(id);
    const [sent] = whatsapp.getSentTo(destination);
    await hook(whatsapp.buildStatusHook(sent!, 'failed', 131049));
    assert.match((await findPolicyStatus(id)).last_error!, /chosen not to deliver/);
    await hook(whatsapp.buildInboundHook(destination, 'Stop'));
    assert.equal((await findPolicyStatus(id)).status, 'blocked');
  });
});
