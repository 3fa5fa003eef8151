import assert from 'node:assert/strict';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import {
  addAlerts,
  connectChat,
  readDatabaseTime,
  WITHOUT_WORKER,
  readCapturedTexts,
  savePolicy,
  takeTurn,
} from './support.ts';

/** Period of the 23 hours of 28 March 2027 in Berlin, when clocks go forward. */
const SHORT_DAY = new Date('2027-03-27T23:00:00.000Z');
const NEXT_DAY = new Date('2027-03-28T22:00:00.000Z');

describe('the daily cap of alerts', () => {
  let parley: TestParley;
  let org: TestOrg;
  let destination: string;
  let now = SHORT_DAY;

  before(async () => {
    parley = await startParley(WITHOUT_WORKER, { clock: { now: () => now }, hasStoppedClock: true });
    const at = (await readDatabaseTime(parley)).getTime();
    await parley.passTime((SHORT_DAY.getTime() - at) / 1000);
  });
  after(() => parley.stop());
  beforeEach(async () => {
    now = SHORT_DAY;
    org = await parley.buildOrg();
    destination = await connectChat(parley, org);
  });

  const save = (fields: object) =>
    savePolicy(org, {
      channel: 'telegram',
      destination,
      timezone: 'Europe/Berlin',
      intensity: 'all',
      ...fields,
    });
  const read = async () => (await org.client.get('/api/alerts')).body[0]!;
  const listAlertStates = async (policyId: string) =>
    (await parley.database.repository(Alert).findBy({ policyId })).map(({ state }) => state).toSorted();

  async function sendAlert(policyId: string, alert: Partial<Alert> = {}): Promise<string> {
    await addAlerts(parley, org, policyId, [alert]);
    return takeTurn(parley, org, policyId);
  }

  it('holds alerts after the last message of the day, which announces the cap', async () => {
    const { id } = await save({ daily_cap: 2, digest_hour: 8 });
    assert.deepEqual(
      [await sendAlert(id), await sendAlert(id), await sendAlert(id)],
      ['kept', 'kept', 'rest'],
    );
    const [first, second, ...others] = await readCapturedTexts(parley, destination);
    assert.equal(first, 'Usage limit reached Open');
    assert.equal(
      second,
      'Usage limit reached Open\nToday’s limit of 2 messages has been reached. Further alerts will follow in one summary: Mon 29 Mar, 08:00.',
    );
    assert.deepEqual(others, []);
    const { sent_today, held_today, next_digest_at } = await read();
    assert.deepEqual([sent_today, held_today, next_digest_at], [2, 1, '2027-03-29T06:00:00.000Z']);
  });

  it('releases held alerts when it is raised', async () => {
    const { id } = await save({ daily_cap: 1 });
    assert.deepEqual([await sendAlert(id), await sendAlert(id)], ['kept', 'rest']);
    await save({ daily_cap: 1 });
    assert.deepEqual(await listAlertStates(id), ['held', 'sent']);
    await save({ daily_cap: 5 });
    assert.equal(await takeTurn(parley, org, id), 'kept');
    assert.deepEqual(await listAlertStates(id), ['sent', 'sent']);
    const { sent_today, held_today, next_digest_at } = await read();
    assert.deepEqual([sent_today, held_today, next_digest_at], [2, 0, null]);
  });

  itInSoak(
    'drops held alerts if the policy is disabled, and leaves them to the digest if the policy sends digests only',
    async () => {
      const { id } = await save({ daily_cap: 1 });
      assert.deepEqual([await sendAlert(id), await sendAlert(id)], ['kept', 'rest']);
      await save({ intensity: 'digest' });
      assert.deepEqual(await listAlertStates(id), ['held', 'sent']);
      const { next_digest_at } = await save({ intensity: 'off' });
      assert.deepEqual(await listAlertStates(id), ['dropped', 'sent']);
      assert.equal(next_digest_at, null);
    },
  );

  itInSoak('moves the summary of held alerts to a changed digest hour', async () => {
    const { id } = await save({ daily_cap: 1, digest_hour: 9 });
    assert.deepEqual([await sendAlert(id), await sendAlert(id)], ['kept', 'rest']);
    const later = await save({ daily_cap: 1, digest_hour: 18 });
    assert.equal(later.next_digest_at, '2027-03-29T16:00:00.000Z');
    const elsewhere = await save({ daily_cap: 1, digest_hour: 18, timezone: 'Asia/Tokyo' });
    assert.equal(elsewhere.next_digest_at, '2027-03-29T09:00:00.000Z');
  });

  itInSoak('counts messages by the local day, even on a day of 23 hours', async () => {
    const { id } = await save({ daily_cap: 1 });
    assert.equal(await sendAlert(id), 'kept');
    assert.equal((await read()).day_resets_at, NEXT_DAY.toISOString());
    now = new Date(NEXT_DAY.getTime() - 1);
    assert.equal(await sendAlert(id), 'rest');
    now = NEXT_DAY;
    assert.equal((await read()).sent_today, 0);
    assert.equal(await sendAlert(id), 'kept');
    assert.deepEqual(await listAlertStates(id), ['held', 'sent', 'sent']);
  });

  it('does not count alerts whose subject was deleted', async () => {
    const { id } = await save({ daily_cap: 1 });
    const withoutSubject = { name: 'lead.captured', ids: { contact_id: org.orgId } };
    assert.equal(await sendAlert(id, withoutSubject), 'withdrawn');
    assert.equal((await read()).sent_today, 0);
    assert.deepEqual(await listAlertStates(id), ['dropped']);
  });

  it('does not count test messages or verification codes', async () => {
    const { id } = await save({ daily_cap: 1 });
    await org.client.post(`/api/alerts/${id}/test`, {});
    assert.equal(await takeTurn(parley, org, id), 'kept');
    assert.equal((await read()).sent_today, 0);
    assert.equal(await sendAlert(id), 'kept');
  });

  itInSoak('does not hold an alert that follows 250 alerts whose subject was deleted', async () => {
    const { id } = await save({});
    const withoutSubject = { name: 'lead.captured', ids: { contact_id: org.orgId } };
    await addAlerts(parley, org, id, Array<Partial<Alert>>(250).fill(withoutSubject));
    await addAlerts(parley, org, id, [{ severity: 'normal', occurredAt: new Date(Date.now() + 1000) }]);
    assert.equal(await takeTurn(parley, org, id), 'kept');
    assert.deepEqual(await readCapturedTexts(parley, destination), ['Usage limit reached Open']);
  });
});
