import assert from 'node:assert/strict';
import { digestTelegramToken } from '../../adapters/messaging/telegram-messenger.ts';
import { telegramUpdatesId } from '../../core/workflows/commands.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../support/telegram.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { parseLinkCode } from './support.ts';

describe('receiveTelegram', () => {
  const telegram = new FakeTelegram();
  let parley: TestParleyWithWorker;
  before(async () => {
    parley = await startParleyWithWorker({
      telegramApiUrl: await telegram.start(),
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
    });
  });
  after(async () => {
    await parley.stop();
    await telegram.stop();
  });

  const getUpdatesHandle = () =>
    parley.temporal.workflow.getHandle(telegramUpdatesId(digestTelegramToken(telegram.token)));
  const readDetails = async () =>
    ((await getUpdatesHandle().query('__temporal_workflow_metadata')) as { currentDetails: string })
      .currentDetails;
  const hasFailedTimes = async (times: number) =>
    (await readDetails().catch(() => '')).includes(`Failed attempts: ${times}.`);

  async function connect({ client }: TestOrg) {
    const { body } = await client.post('/api/alerts/telegram/connect', {});
    const attempt = { attempt_id: body.attempt_id };
    const isConnected = async () =>
      (await client.post('/api/alerts/telegram/poll', attempt)).body.status === 'connected';
    return { start: `/start ${parseLinkCode(body.link)}`, isConnected };
  }

  it('backs off while another process reads the updates, reports the conflict, and then continues', async () => {
    telegram.hasWebhook = true;
    const org = await parley.buildOrg();
    const first = await connect(org);
    await waitUntil(() => hasFailedTimes(1), 'the first refusal');
    for (const times of [2, 3, 4]) {
      await getUpdatesHandle().signal('retryNow');
      await waitUntil(() => hasFailedTimes(times), 'another one');
    }
    const text = await readDetails();
    assert.match(text, /misconfigured/);
    assert.match(text, /Conflict: can't use getUpdates method while webhook is active/);
    const [, next = ''] = /Next attempt at (\S+)\./.exec(text) ?? [];
    assert.ok(Date.parse(next) - Date.now() > 20_000, next);
    telegram.hasWebhook = false;
    telegram.say({ id: 1, first_name: 'Ada' }, first.start);
    // A new Telegram chat does not wait for the delay after failed attempts.
    const second = await connect(org);
    telegram.say({ id: 2, first_name: 'Rui' }, second.start);
    await waitUntil(first.isConnected, 'the first chat');
    await waitUntil(second.isConnected, 'the second chat');
    assert.equal(await getUpdatesHandle().result(), 'done');
  });

  itInSoak('reads updates whose numbers restart after days of silence', async () => {
    const org = await parley.buildOrg();
    telegram.setNextUpdateId(5000);
    const first = await connect(org);
    telegram.say({ id: 3 }, first.start);
    await waitUntil(first.isConnected, 'the first chat');
    assert.equal(await getUpdatesHandle().result(), 'done');
    await parley.database.sql("UPDATE alert_providers SET cursor_at = cursor_at - interval '7 days'");
    telegram.dropUpdates();
    telegram.setNextUpdateId(10);
    const second = await connect(org);
    telegram.say({ id: 4 }, second.start);
    await waitUntil(second.isConnected, 'the second chat');
    assert.deepEqual(telegram.getTextsTo('3'), [
      'This chat is connected and can now receive alerts from Acme.',
    ]);
  });

  itInSoak(
    'pauses for an hour at most, whatever retry_after Telegram answers, and reads after retryNow',
    async () => {
      const refusal = '{"ok":false,"error_code":429,"parameters":{"retry_after":1e300}}';
      telegram.scripts.set('getUpdates', refusal);
      const { start, isConnected } = await connect(await parley.buildOrg());
      await waitUntil(() => hasFailedTimes(1), 'the refusal');
      const [, next = ''] = /Next attempt at (\S+)\./.exec(await readDetails()) ?? [];
      const pauseMs = Date.parse(next) - Date.now();
      assert.ok(pauseMs > 3_500_000 && pauseMs < 3_660_000, next);
      telegram.scripts.clear();
      telegram.say({ id: 5 }, start);
      await getUpdatesHandle().signal('retryNow');
      await waitUntil(isConnected, 'the chat');
      assert.equal(await getUpdatesHandle().result(), 'done');
    },
  );
});
