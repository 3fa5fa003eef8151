import assert from 'node:assert/strict';
import { Plans } from '../../core/billing/plans.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import { QuotaUsageRepository } from '../../repositories/usage/quota-usage.repository.ts';
import { AlertQuota } from '../../services/usage/alert-quota.ts';
import {
  addAlerts,
  connectChat,
  readDatabaseTime,
  WITHOUT_WORKER,
  readCapturedTexts,
  savePolicy,
  takeTurn,
} from '../alerts/support.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg, TestParley } from '../support/parley.ts';
import { setTier, startLimited } from './support.ts';

const NOON = new Date('2027-03-27T12:00:00.000Z');
const NEXT_NOON = new Date('2027-03-28T12:00:00.000Z');
const REASON = 'The plan’s limit of 2 alerts a month is reached.';

describe('the plan’s limit of alerts', () => {
  let parley: TestParley;
  let org: TestOrg;
  let destination: string;
  let now = NOON;

  before(async () => {
    parley = await startLimited({ alerts_per_month: 2 }, WITHOUT_WORKER, {
      clock: { now: () => now },
      hasStoppedClock: true,
    });
    await parley.passTime((NOON.getTime() - (await readDatabaseTime(parley)).getTime()) / 1000);
  });
  after(() => parley.stop());
  beforeEach(async () => {
    now = NOON;
    org = await parley.buildOrg();
    await setTier(parley, org.orgId, 'free');
    destination = await connectChat(parley, org);
  });

  const save = () => savePolicy(org, { channel: 'telegram', destination, intensity: 'all', digest_hour: 9 });
  const usage = async () => (await org.client.get('/api/usage')).body;

  async function sendAlert(policyId: string): Promise<string> {
    await addAlerts(parley, org, policyId, [{}]);
    return takeTurn(parley, org, policyId);
  }

  async function sumUp(policyId: string): Promise<string[]> {
    const { digestSweep, digests } = parley.runtime.services.alerts;
    await digestSweep.startDue(parley.database);
    const date = now.toISOString().slice(0, 10);
    const { state, reason } = await digests.compose(parley.database, { orgId: org.orgId, policyId, date });
    return [state, reason ?? ''];
  }

  it('holds alerts after the last alert of the month, and says why', async () => {
    const { id } = await save();
    assert.deepEqual(
      [await sendAlert(id), await sendAlert(id), await sendAlert(id)],
      ['kept', 'kept', 'rest'],
    );
    const held = await parley.database.repository(Alert).findBy({ policyId: id, state: 'held' });
    assert.deepEqual(
      held.map(({ reason }) => reason),
      [REASON],
    );
    const { alerts, exceeded, from } = await usage();
    assert.deepEqual([alerts, exceeded, from], [2, ['alerts_per_month'], '2027-03-01T00:00:00.000Z']);
  });

  itInSoak('sums up held alerts once the limit allows it, and not earlier', async () => {
    const { id } = await save();
    for (let count = 0; count < 4; count += 1) await sendAlert(id);
    now = NEXT_NOON;
    assert.deepEqual(await sumUp(id), ['unsent', REASON]);
    await setTier(parley, org.orgId, 'enterprise');
    now = new Date(NEXT_NOON.getTime() + 24 * 3_600_000);
    assert.equal((await sumUp(id))[0], 'sent');
    assert.equal(await takeTurn(parley, org, id), 'kept');
    assert.match((await readCapturedTexts(parley, destination))[2]!, /2/);
    assert.equal((await usage()).alerts, 3);
  });

  itInSoak('does not count tests, codes and unsent alerts', async () => {
    const { id } = await save();
    await org.client.post(`/api/alerts/${id}/test`, {});
    assert.equal(await takeTurn(parley, org, id), 'kept');
    await addAlerts(parley, org, id, [{ name: 'lead.captured', ids: { contact_id: org.orgId } }]);
    assert.equal(await takeTurn(parley, org, id), 'withdrawn');
    assert.equal((await usage()).alerts, 0);
  });

  itInSoak('is shared by the policies of a workspace, even for concurrent alerts', async () => {
    const [first, second] = [await save(), destination];
    destination = await connectChat(parley, org);
    const other = await save();
    assert.notEqual(destination, second);
    await addAlerts(parley, org, first.id, [{}]);
    await addAlerts(parley, org, other.id, [{}]);
    const steps = await Promise.all([takeTurn(parley, org, first.id), takeTurn(parley, org, other.id)]);
    assert.deepEqual(steps, ['kept', 'kept']);
    assert.deepEqual([await sendAlert(first.id), await sendAlert(other.id)], ['rest', 'rest']);
    assert.equal((await usage()).alerts, 2);
  });

  for (const [unsent, objection] of [
    [1, null],
    [2, REASON],
  ] as const)
    it(`counts ${unsent} alerts that are sent during a concurrent count`, async () => {
      const state = { sent: 0, unsent };
      const handOver = () => Object.assign(state, { sent: unsent, unsent: 0 });
      const quota = new AlertQuota({
        plans: new Plans(parley.runtime.settings),
        orgs: new OrgRepository(),
        quotaUsage: new QuotaUsageRepository(),
        usage: {
          getToday: async () => '2027-03-27',
          sumForPayer: async () => ({
            messages: 0,
            inputTokens: 0,
            outputTokens: 0,
            costUsd: 0,
            alerts: state.sent,
          }),
        },
        messages: {
          countUnsent: async () => {
            const found = state.unsent;
            handOver();
            return found;
          },
        },
      });
      const found = await parley.database.transaction((db) => quota.getBlockReason({ db, orgId: org.orgId }));
      assert.equal(found, objection);
    });
});
