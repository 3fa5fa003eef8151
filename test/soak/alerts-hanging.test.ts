import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import type { TestOrg } from '../support/parley.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../support/telegram.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { connectChat, IMPATIENT, savePolicy } from '../alerts/support.ts';

const POLICIES = 500;
/** Number of workspaces whose chats all hang: Telegram never answers alerts to them. */
const HANGING = 5;
const GRACE_MS = 4000;
const PLACES = 16;

let chats = 900_000;
const outbox = new OutboxService();

describe('while chats hang,', () => {
  const telegram = new FakeTelegram();
  let parley: TestParleyWithWorker;

  before(async () => {
    parley = await startParleyWithWorker({
      ...IMPATIENT,
      alertSlots: PLACES,
      alertSendTimeoutMs: 10000,
      PARLEY_SHUTDOWN_GRACE_MS: String(GRACE_MS),
      telegramApiUrl: await telegram.start(),
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
    });
  });
  after(async () => {
    // Ends the hanging requests, so that the worker can stop.
    await telegram.stop();
    await parley.stop();
  });

  const raise = ({ orgId }: TestOrg) =>
    outbox.event({ orgId, db: parley.database }, 'usage.limit_reached', { bot_id: null }, null);

  /** Inserts more alert policies than the API allows, all to chats that never respond. */
  async function addHangingPolicies(org: TestOrg, count: number): Promise<void> {
    const chat = (chats += POLICIES);
    const destination = await connectChat(parley, org);
    const { id } = await savePolicy(org, { channel: 'telegram', destination });
    const [policies, destinations] = [
      parley.database.repository(AlertPolicy),
      parley.database.repository(AlertDestination),
    ];
    const [policy, place] = [
      await policies.findOneByOrFail({ id }),
      await destinations.findOneByOrFail({ orgId: org.orgId, destination }),
    ];
    const others = Array.from({ length: count - 1 }, (_, index) => String(chat + index));
    await destinations.insert(others.map((each) => ({ ...place, destination: each })));
    await policies.insert(others.map((each) => ({ ...policy, id: newId(), destination: each })));
    for (const each of [destination, ...others]) telegram.faults.set(each, 'hang');
  }

  it(`a workspace with ${POLICIES} hanging policies does not delay another workspace’s critical alert`, async () => {
    const [hanging, other] = [await parley.buildOrg(), await parley.buildOrg()];
    await addHangingPolicies(hanging, POLICIES);
    const destination = await connectChat(parley, other);
    await savePolicy(other, { channel: 'telegram', destination, intensity: 'critical' });
    await raise(hanging);
    await waitUntil(() => telegram.attempts >= PLACES / 2, 'as many attempts that hang as there may be');
    await raise(other);
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'the alert');
    assert.equal(telegram.attempts, PLACES / 2 + 1);
  });

  it(`${HANGING} workspaces with hanging chats do not delay another workspace’s critical alert`, async () => {
    const hanging = await Promise.all(Array.from({ length: HANGING }, () => parley.buildOrg()));
    for (const org of hanging) await addHangingPolicies(org, PLACES);
    const other = await parley.buildOrg();
    const destination = await connectChat(parley, other);
    await savePolicy(other, { channel: 'telegram', destination, intensity: 'critical' });
    for (const org of hanging) await raise(org);
    await waitUntil(() => telegram.hanging > PLACES / 2, 'more to hang than one of them may have');
    await raise(other);
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'the alert');
  });

  it('many hanging alerts do not delay the worker’s shutdown beyond its grace period', async () => {
    assert.ok(telegram.hanging > 0);
    const startedAt = performance.now();
    await parley.worker.stop();
    assert.ok(performance.now() - startedAt < 2 * GRACE_MS);
  });
});
