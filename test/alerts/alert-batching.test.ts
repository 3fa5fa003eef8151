import assert from 'node:assert/strict';
import { toMessageText } from '../../adapters/messaging/message-content.ts';
import { newId } from '../../core/ids.ts';
import { composeAlerts, type ComposedAlert } from '../../services/alerts/compose-alerts.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { addAlerts, connectChat, readDatabaseTime, savePolicy, takeTurn } from './support.ts';

const facts = {
  bots: new Map(),
  conversations: new Map(),
  contacts: new Map(),
  documents: new Map(),
  messages: new Map(),
  bookings: new Map(),
  webhooks: new Map(),
  connections: new Map(),
};

describe('alerts that are sent in one message', () => {
  const alert = (subject: string, minute: number, rest: Partial<ComposedAlert> = {}): ComposedAlert => ({
    id: newId(),
    name: 'usage.limit_reached',
    ids: {},
    subject,
    severity: 'normal',
    occurredAt: new Date(Date.UTC(2026, 8, 3, 10, minute)),
    ...rest,
  });
  const composeLines = (alerts: ComposedAlert[], label = 'Desk *_[') =>
    toMessageText(
      composeAlerts(alerts, {
        facts,
        clock: { language: 'en', timezone: 'UTC' },
        label,
        unreadCount: 0,
        last: null,
        linkTo: () => 'https://parley.example.com',
      }).content!,
    ).split('\n');

  it('are shown as ten lines and a count of the rest', () => {
    const lines = composeLines(Array.from({ length: 12 }, (_, index) => alert(`bot/${index}`, index)));
    assert.deepEqual(lines, [
      'Desk *_[',
      ...Array<string>(10).fill('Usage limit reached Open'),
      'and 2 more alerts',
    ]);
  });

  it('have no line for a label without visible characters', () => {
    assert.deepEqual(composeLines([alert('bot/1', 0)], '\n\u202E'), ['Usage limit reached Open']);
  });

  it('share one line if the same event happens again within ten minutes', () => {
    const lines = composeLines([
      alert('bot/1', 0),
      alert('bot/1', 10),
      alert('bot/1', 11),
      alert('bot/2', 5),
    ]);
    assert.deepEqual(lines, [
      'Desk *_[',
      'Usage limit reached ×2 Open',
      'Usage limit reached Open',
      'Usage limit reached Open',
    ]);
  });
});

describe('successive alerts', () => {
  let parley: TestParley;
  let org: TestOrg;
  let id: string;
  let now = new Date();

  before(async () => (parley = await startParley({}, { clock: { now: () => now }, hasStoppedClock: true })));
  after(() => parley.stop());
  beforeEach(async () => {
    now = await readDatabaseTime(parley);
    org = await parley.buildOrg();
    const destination = await connectChat(parley, org);
    ({ id } = await savePolicy(org, { channel: 'telegram', destination }));
  });

  /** Returns the delay in milliseconds until the next alert message. */
  async function readWaitMs(): Promise<number> {
    const scope = { orgId: org.orgId, db: parley.database };
    const next = await parley.runtime.services.alerts.alertScheduler.next(scope, id, null);
    assert.equal(next.step, 'wait');
    return next.step === 'wait' ? next.waitMs : 0;
  }
  const pass = async (ms: number) => {
    await parley.passTime(ms / 1000);
    now = await readDatabaseTime(parley);
  };

  it('are collected for ten seconds, and messages are thirty seconds apart', async () => {
    await addAlerts(parley, org, id, [{ severity: 'normal' }]);
    assert.equal(await readWaitMs(), 10_000);
    await pass(10_000);
    assert.equal(await takeTurn(parley, org, id), 'kept');
    await addAlerts(parley, org, id, [{ severity: 'normal' }]);
    assert.equal(await readWaitMs(), 30_000);
    await pass(30_000);
    assert.equal(await takeTurn(parley, org, id), 'kept');
  });

  it('are sent at once, together with waiting alerts, if an alert is critical; messages with a critical alert are three seconds apart', async () => {
    await addAlerts(parley, org, id, [{ severity: 'normal' }, { severity: 'critical' }]);
    assert.equal(await takeTurn(parley, org, id), 'kept');
    await addAlerts(parley, org, id, [{ severity: 'critical' }]);
    assert.equal(await readWaitMs(), 3_000);
    await pass(3_000);
    assert.equal(await takeTurn(parley, org, id), 'kept');
    assert.equal(await takeTurn(parley, org, id), 'rest');
  });
});
