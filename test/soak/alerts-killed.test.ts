import assert from 'node:assert/strict';
import { In } from 'typeorm';
import { AlertDay, AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import { HeldSteps, type HeldStep } from '../alerts/step-gates.ts';
import { connectChat, IMPATIENT, savePolicy } from '../alerts/support.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../support/telegram.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildTemporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';
import type { TestSettings } from '../support/test-settings.ts';

const outbox = new OutboxService();

/**
 * Step of sending an alert at which the worker is killed. `asked`: Telegram has the request but has not
 * accepted it. `taken`: Telegram has accepted it, but its response is lost.
 */
type Moment = HeldStep | 'asked' | 'taken';

interface Followed {
  moment: Moment;
  orgId: string;
  policyId: string;
  destination: string;
  /** Number of messages that Telegram had accepted before the worker was killed. */
  before?: number;
}

describe('an alert whose worker is killed', () => {
  const telegram = new FakeTelegram();
  let parley: TestParley;
  let steps: HeldSteps;
  let env: TestSettings;

  before(async () => {
    env = {
      ...IMPATIENT,
      alertSendTimeoutMs: 10000,
      PARLEY_DATABASE_POOL: '40',
      telegramApiUrl: await telegram.start(),
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
    };
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000', ...env });
    steps = await HeldSteps.install(parley);
  });
  after(async () => {
    await steps.close();
    await parley.stop();
    await telegram.stop();
  });

  const followedByAnother = useSuccessor(() => parley);

  async function follow(moment: Moment): Promise<Followed> {
    const org = await parley.buildOrg();
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination, intensity: 'critical' });
    if (moment === 'asked') telegram.faults.set(destination, 'hang');
    else if (moment === 'taken') telegram.faults.set(destination, 'mute');
    else await steps.hold(moment, id);
    return { moment, orgId: org.orgId, policyId: id, destination };
  }

  const raise = ({ orgId }: Followed) =>
    outbox.event({ orgId, db: parley.database }, 'usage.limit_reached', { bot_id: null }, null);

  /** Causes an alert for each chosen step, kills the worker when it has reached all steps, and starts another. */
  async function killWorkerAt(moments: readonly Moment[], last: readonly Moment[]): Promise<Followed[]> {
    const doomed = new WorkerProcess(parley.runtime.settings, env);
    const followed: Followed[] = [];
    // Start the last steps one by one, because they block a relay that the other steps need.
    for (const group of [moments, ...last.map((each) => [each])]) {
      const started: Followed[] = [];
      for (const moment of group) started.push(await follow(moment));
      for (const each of started) await raise(each);
      await steps.waitUntilReached();
      followed.push(...started);
    }
    const places = followed.filter(({ moment }) => moment === 'asked' || moment === 'taken');
    await waitUntil(() => telegram.hanging >= places.length, 'Telegram to be waited for');
    await doomed.end('SIGKILL');
    for (const each of followed) each.before = telegram.getTextsTo(each.destination).length;
    for (const { destination } of places) telegram.faults.delete(destination);
    await steps.release();
    await followedByAnother();
    return followed;
  }

  /** Returns how often Telegram received each alert, with the alert's stored state. */
  async function readAlertOutcome({ policyId, destination }: Followed) {
    const where = { policyId };
    const [alerts, messages, days] = await Promise.all([
      parley.database.repository(Alert).findBy(where),
      parley.database.repository(AlertMessage).findBy(where),
      parley.database.repository(AlertDay).findBy(where),
    ]);
    return {
      got: telegram.getTextsTo(destination).length,
      alerts: alerts.map(({ state }) => state),
      messages: messages.map(({ state }) => state),
      counted: days.map(({ sent }) => sent),
    };
  }

  async function assertOutcomes(followed: readonly Followed[], repeated: readonly Moment[]): Promise<void> {
    const areDone = async () => {
      const sent = await parley.database.repository(Alert).countBy({
        state: 'sent',
        policyId: In(followed.map(({ policyId }) => policyId)),
      });
      const asleep = await parley.database.sql('SELECT FROM alert_policies WHERE woken_at IS NOT NULL');
      return sent === followed.length && asleep.length === 0;
    };
    await waitUntil(areDone, 'all to be told of');
    await waitUntil(
      async () => (await parley.database.repository(OutboxRow).countBy({ kind: 'command' })) === 0,
      'the commands',
    );
    for (const each of followed)
      assert.deepEqual(
        await readAlertOutcome(each),
        {
          got: repeated.includes(each.moment) ? 2 : 1,
          alerts: ['sent'],
          messages: ['accepted'],
          counted: [1],
        },
        each.moment,
      );
  }

  it('is sent once if the worker is killed before Telegram accepts it, and twice, but counted once, if the worker is killed before it is recorded', async () => {
    const followed = await killWorkerAt(
      [
        'joined to a message',
        'begun',
        'begun and committed',
        'asked',
        'taken',
        'recorded',
        'recorded and committed',
      ],
      ['claimed by the relay', 'made by the relay'],
    );
    await assertOutcomes(followed, ['taken', 'recorded']);
    for (const { moment, before } of followed)
      assert.equal(before! > 0, ['taken', 'recorded', 'recorded and committed'].includes(moment), moment);
  });

  it('is sent once if the worker is killed between the outbox and the alert’s workflow', async () => {
    const followed = await killWorkerAt([], ['handed over', 'made and committed']);
    // Make the command due that starts the alert’s workflow, as if its lease had expired.
    await parley.database.repository(OutboxRow).update({ kind: 'command' }, { dueAt: () => 'now()' });
    await assertOutcomes(followed, []);
  });
});
