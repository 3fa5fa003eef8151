import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import type { Database } from '../../../database/database.ts';
import {
  DeliveryQueueRepository,
  type ClaimOptions,
} from '../../../repositories/webhooks/delivery-queue.repository.ts';
import { ClaimPlanner } from '../../../worker/webhooks/claim-planner.ts';
import { DeliveryLanes } from '../../../worker/webhooks/delivery-lanes.ts';
import type { TestOrg } from '../../support/parley.ts';
import { useWebhooks } from '../../webhooks/suite.ts';
import { createEndpoint } from '../../webhooks/support.ts';
import type { Sealed } from '../../../database/sealed-columns.ts';
import type { ClaimedDelivery } from '../../../repositories/webhooks/delivery-queue.sql.ts';

const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
const URL = 'http://127.0.0.1:9/';

const anyDelivery: Omit<ClaimedDelivery, 'id' | 'orgId' | 'payerId' | 'webhookId'> = {
  event: 'lead.captured',
  eventId: '0199a1b2-d293-74a5-8fb1-2c3d4e5f6071',
  data: '{}' as unknown as Sealed<string>,
  keyId: null,
  attempts: 0,
  ageMs: 0,
  isOnDemand: false,
  url: URL,
  sealedSecret: '',
  apiVersion: '',
  isActive: true,
  isFailing: false,
  transientFailures: 0,
  traceparent: null,
};

describe('a claim of deliveries', () => {
  const suite = useWebhooks();
  let orgs: TestOrg[];

  beforeEach(async () => {
    orgs = await Promise.all([1, 2, 3].map(() => suite.parley.buildOrg()));
    orgs.sort((one, other) => (one.orgId < other.orgId ? -1 : 1));
  });

  /** Builds webhook endpoints with this many waiting deliveries each. Returns the endpoints' ids in order. */
  async function buildBacklog(org: TestOrg, endpoints: number, deliveries: number): Promise<string[]> {
    const ids: string[] = [];
    for (let count = 0; count < endpoints; count += 1) ids.push((await createEndpoint(org, URL)).id);
    await suite.emit(deliveries, org);
    return ids.sort();
  }

  function claim(
    options: Partial<ClaimOptions>,
    db: Database = suite.parley.runtime.queues,
  ): Promise<ClaimedDelivery[]> {
    return new DeliveryQueueRepository(db).claimFirstAttempts({
      limit: 500,
      leaseSeconds: 60,
      workspaceLimits: new Map(),
      newWorkspaceLimit: 250,
      afterWorkspace: BEFORE_ALL_IDS,
      afterEndpoints: new Map(),
      endpointLimits: new Map(),
      onDemandLimits: new Map(),
      onDemandLimit: 5,
      newEndpointLimit: 25,
      failingLimit: 10,
      ...options,
    });
  }

  const countByOrg = (claimed: ClaimedDelivery[]) =>
    orgs.map(({ orgId }) => claimed.filter((delivery) => delivery.orgId === orgId).length);

  it('takes from a workspace only up to its limit, and still takes from other workspaces', async () => {
    for (const org of orgs) await buildBacklog(org, 2, 10);
    const [first, second] = orgs;
    const workspaceLimits = new Map([
      [first!.orgId, 0],
      [second!.orgId, 3],
    ]);
    assert.deepEqual(countByOrg(await claim({ workspaceLimits, newWorkspaceLimit: 12 })), [0, 3, 12]);
  });

  it('starts after the last claimed workspace, and wraps around', async () => {
    for (const org of orgs) await buildBacklog(org, 1, 10);
    const claimed = await claim({ limit: 15, afterWorkspace: orgs[1]!.orgId });
    assert.deepEqual(countByOrg(claimed), [5, 0, 10]);
  });

  it('starts after the last claimed endpoint of a workspace, and wraps around', async () => {
    const [org] = orgs;
    const [first, second, third] = await buildBacklog(org!, 3, 2);
    const claimed = await claim({ newWorkspaceLimit: 3, afterEndpoints: new Map([[org!.orgId, second!]]) });
    assert.deepEqual(claimed.map(({ webhookId }) => webhookId).sort(), [first, third, third]);
  });

  it('takes tests and replays first, even if no capacity is left for the backlog', async () => {
    const [webhookId] = await buildBacklog(orgs[0]!, 1, 40);
    await suite.parley.database.sql(
      `UPDATE webhook_deliveries SET is_on_demand = true, due_at = now() WHERE id IN (
         SELECT id FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 15)`,
      [webhookId],
    );
    const buildLimits = (newEndpointLimit: number, onDemandLimit: number) => ({
      endpointLimits: new Map([[webhookId!, newEndpointLimit]]),
      onDemandLimits: new Map([[webhookId!, onDemandLimit]]),
    });
    const listKinds = async (options: Partial<ClaimOptions>) =>
      (await claim(options)).map(({ isOnDemand }) => (isOnDemand ? 'asked' : 'backlog')).sort();
    assert.deepEqual(await listKinds(buildLimits(0, 5)), Array(5).fill('asked'));
    assert.deepEqual(await listKinds(buildLimits(0, 0)), []);
    assert.deepEqual(await listKinds({ ...buildLimits(7, 5), newWorkspaceLimit: 6 }), [
      ...Array(5).fill('asked'),
      'backlog',
    ]);
    assert.deepEqual(await listKinds(buildLimits(30, 1)), [
      ...Array(5).fill('asked'),
      ...Array(24).fill('backlog'),
    ]);
  });

  it('takes a few replays before live events, and the other replays when nothing else is pending', async () => {
    await buildBacklog(orgs[0]!, 1, 40);
    await suite.parley.database.sql(
      `UPDATE webhook_deliveries SET is_on_demand = true, due_at = now() - interval '1 minute' WHERE id IN (
         SELECT id FROM webhook_deliveries LIMIT 30)`,
    );
    const claimed = await claim({ newEndpointLimit: 12 });
    const replays = claimed.filter(({ isOnDemand }) => isOnDemand).length;
    assert.deepEqual([replays, claimed.length - replays], [12, 10]);
  });

  it('uses an index and no JIT', async () => {
    const { queues } = suite.parley.runtime;
    for (const setting of ['jit', 'enable_seqscan', 'enable_sort', 'enable_hashjoin'])
      assert.deepEqual(await queues.sql(`SHOW ${setting}`), [{ [setting]: 'off' }]);
  });

  it('reads only the rows that it claims, however much the log grows after the statement was planned', async () => {
    const { queues } = suite.parley.runtime;
    await queues.sql('DELETE FROM webhook_deliveries');
    await queues.sql('VACUUM ANALYZE webhook_deliveries');
    for (let count = 0; count < 10; count += 1) assert.deepEqual(await claim({}), []);
    await buildBacklog(orgs[0]!, 1, 10);
    const countRowsRead = () =>
      queues.transaction(async (db) => {
        const claimed = await claim({ newEndpointLimit: 1 }, db);
        assert.equal(claimed.length, 1);
        const [read] = await db.sql<{ rows: number }>(
          `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
           WHERE relname = 'webhook_deliveries'`,
        );
        return read!.rows;
      });
    const before = await countRowsRead();
    await suite.parley.database.sql(
      `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status)
       SELECT gen_random_uuid(), org_id, webhook_id, gen_random_uuid(), event, payload, 'delivered'
       FROM (SELECT * FROM webhook_deliveries WHERE org_id = $1 LIMIT 1) one, generate_series(1, 5000)`,
      [orgs[0]!.orgId],
    );
    const after = await countRowsRead();
    assert.ok(after <= before + 20, `${after} rows are read, and ${before} were before`);
  });

  /** Claims deliveries as the dispatcher does, and leaves them unfinished. */
  async function claimByTurns(lanes: DeliveryLanes, turns: ClaimPlanner): Promise<ClaimedDelivery[]> {
    const turn = turns.planClaim();
    const claimed = turn ? await claim(turn) : [];
    for (const delivery of claimed) lanes.add(delivery);
    if (turn) turns.recordClaim(claimed, turn);
    return claimed;
  }

  it('takes an equal share from each workspace with a backlog', async () => {
    for (const org of orgs) await buildBacklog(org, 25, 25);
    const lanes = new DeliveryLanes();
    const turns = new ClaimPlanner(lanes);
    assert.deepEqual(countByOrg(await claimByTurns(lanes, turns)), [250, 250, 0]);
    assert.deepEqual(countByOrg(await claimByTurns(lanes, turns)), [166, 166, 166]);
    const held = [416, 416, 166];
    for (let count = 0; count < 10; count += 1) {
      const claimed = countByOrg(await claimByTurns(lanes, turns));
      for (const [index, more] of claimed.entries()) held[index]! += more;
    }
    assert.ok(
      held.every((count) => Math.abs(count - 500) <= 100),
      held.join(', '),
    );
    assert.ok(lanes.freeCapacity > 400, `${lanes.freeCapacity} free`);
  });

  it('always leaves capacity for workspaces that have no claimed deliveries yet, however many arrive at once', () => {
    const lanes = new DeliveryLanes();
    const turns = new ClaimPlanner(lanes);
    for (let count = 0; count < 20; count += 1) {
      const turn = turns.planClaim() ?? assert.fail('there is no room');
      assert.ok(turn.limit <= Math.ceil(lanes.freeCapacity / 2));
      const newcomers = [newId(), newId()];
      const claimed = newcomers.flatMap((orgId) =>
        Array.from({ length: turn.newWorkspaceLimit }, () => ({
          ...anyDelivery,
          id: newId(),
          orgId,
          payerId: orgId,
          webhookId: orgId,
        })),
      );
      for (const delivery of claimed) lanes.add(delivery);
      turns.recordClaim(claimed, turn);
    }
    assert.ok(lanes.freeCapacity >= 50, `${lanes.freeCapacity} free`);
    assert.ok(turns.planClaim()!.newWorkspaceLimit > 0);
  });

  it('reserves half of the capacity for claims while new deliveries are leased without a claim, and lists full endpoints', () => {
    const lanes = new DeliveryLanes();
    const orgId = newId();
    const add = (webhookId: string, count: number) => {
      for (let index = 0; index < count; index += 1)
        lanes.add({ ...anyDelivery, id: newId(), orgId, payerId: orgId, webhookId });
    };
    const endpoint = newId();
    add(endpoint, 24);
    assert.deepEqual([lanes.reservable, lanes.listFullEndpoints()], [976, []]);
    add(endpoint, 1);
    assert.deepEqual([lanes.reservable, lanes.listFullEndpoints()], [975, [endpoint]]);
    for (let count = 0; count < 98; count += 1) add(newId(), 10);
    assert.deepEqual([lanes.reservable, lanes.freeCapacity], [0, 995]);
  });

  it('gives all workspaces of a payer one share of the claims and of the requests', () => {
    const lanes = new DeliveryLanes();
    const payerId = newId();
    const addBacklog = (payer: string, count: number) => {
      const orgId = newId();
      for (let index = 0; index < count; index += 1)
        lanes.add({ ...anyDelivery, id: newId(), orgId, payerId: payer, webhookId: newId() });
      return orgId;
    };
    const countStarted = (payer: string) => {
      let count = 0;
      for (let next = lanes.next(); next; next = lanes.next()) if (next.payerId === payer) count += 1;
      return count;
    };
    const [first, second] = [addBacklog(payerId, 400), addBacklog(payerId, 400)];
    const limits = lanes.listWorkspaceClaimLimits();
    assert.deepEqual(
      [limits.get(first), limits.get(second), lanes.getNewWorkspaceClaimLimit()],
      [100, 100, 600],
    );
    assert.equal(countStarted(payerId), 500);
    const other = newId();
    addBacklog(other, 100);
    assert.equal(countStarted(other), 100);
  });

  it('eventually reaches every endpoint of a workspace', async () => {
    const [org] = orgs;
    const ids = await buildBacklog(org!, 40, 25);
    const lanes = new DeliveryLanes();
    const turns = new ClaimPlanner(lanes);
    const seen = new Set<string>();
    for (let count = 0; count < 8; count += 1) {
      for (const { webhookId } of await claimByTurns(lanes, turns)) seen.add(webhookId);
    }
    assert.deepEqual([...seen].sort(), ids);
  });
});
