import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import type { PlanTier } from '../../../core/billing/plans.ts';
import { RateWindow } from '../../../entities/requests/rate-window.entity.ts';
import { Org } from '../../../entities/team/org.entity.ts';
import { createApiKey } from '../../../services/installation/bootstrap.ts';
import { scopes } from '../../../api/http/access/scopes.ts';
import { savePolicy } from '../../alerts/support.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type ApiClient, type TestOrg, type TestParley } from '../../support/parley.ts';

const LIMIT = 4;
const DESCRIPTION = 'A bakery in Lisbon that bakes bread and cakes, and takes orders for weddings.';

describe('limits on what strangers can cost the operator:', () => {
  let parley: TestParley;
  before(async () => {
    const env = { alertCodesPerHour: LIMIT, generationsPerHour: LIMIT };
    parley = await startParley({ ...env, alertSettleMs: 100 }, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  let numbers = 0;
  const createPhoneNumber = () => `+35191${String((numbers += 1)).padStart(7, '0')}`;

  async function buildOrg(tier: PlanTier): Promise<TestOrg> {
    const org = await parley.buildOrg();
    await parley.database.repository(Org).update({ id: org.orgId }, { planTier: tier });
    return org;
  }

  /** Creates another workspace, with an API key of the same account. */
  async function buildOtherOrg({ userId }: TestOrg, above: { payerId?: string; tier?: PlanTier } = {}) {
    const id = newId();
    const { payerId = id, tier: planTier = 'free' } = above;
    const parentOrgId = payerId === id ? null : payerId;
    await parley.database
      .repository(Org)
      .insert({ id, payerId, parentOrgId, name: 'Acme', slug: `acme-${id}`, planTier });
    return createClientFor(id, userId);
  }

  async function createClientFor(orgId: string, userId: string): Promise<TestOrg> {
    const { userId: member } = await parley.buildOrg({ orgId });
    const { database } = parley;
    await database.sql('UPDATE memberships SET user_id = $1 WHERE user_id = $2', [userId, member]);
    const key = await database.transaction((db) =>
      createApiKey(db, { orgId, createdById: userId, name: 'Another', scopes }),
    );
    return { orgId, userId, key, client: parley.client(key) };
  }

  async function sendCode(org: TestOrg, destination = createPhoneNumber()) {
    const { id } = await savePolicy(org, { channel: 'whatsapp', destination });
    return org.client.post(`/api/alerts/${id}/verify/start`, {});
  }

  it('startAlertVerification counts per account, across all its workspaces', async () => {
    const first = await buildOrg('free');
    const orgs = [first, await buildOtherOrg(first), await buildOtherOrg(first, { tier: 'enterprise' })];
    const sent = [];
    for (let index = 0; index <= LIMIT; index += 1) sent.push(await sendCode(orgs[index % 3]!));
    assert.deepEqual(sent.map(formatOutcome), [
      ...Array.from({ length: LIMIT }, () => '200'),
      '429 rate_limited',
    ]);
    const refused = sent.at(-1)!;
    assert.match(
      JSON.stringify(refused.body),
      /In all workspaces together, your account has reached its limit of codes/,
    );
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.equal((await sendCode(await buildOrg('free'))).status, 200);
  });

  for (const [tier, limit] of [
    ['free', LIMIT],
    ['enterprise', 5 * LIMIT],
  ] as const)
    it(`startAlertVerification limits all workspaces that share the plan ${tier} to ${limit}`, async () => {
      const top = await buildOrg(tier);
      const statuses: number[] = [];
      for (let index = 0; index <= limit; index += 1) {
        // Send each request for a new workspace of a new account, for which the same workspace pays.
        const { userId } = await parley.buildOrg();
        const below = await buildOtherOrg({ ...top, userId }, { payerId: top.orgId, tier });
        statuses.push((await sendCode(below)).status);
      }
      assert.deepEqual(statuses, [...Array.from({ length: limit }, () => 200), 429]);
    });

  it('startAlertVerification counts per destination, across the workspaces of all accounts', async () => {
    const destination = createPhoneNumber();
    const statuses: number[] = [];
    const sendToDestination = async () =>
      statuses.push((await sendCode(await buildOrg('free'), destination)).status);
    for (let count = 0; count < 6; count += 1) await sendToDestination();
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    await parley.passTime(3600);
    for (let count = 0; count < 5; count += 1) await sendToDestination();
    await parley.passTime(3600);
    const refused = await sendCode(await buildOrg('free'), destination.replace('+351', '+351 '));
    assert.deepEqual(
      [formatOutcome(refused), refused.headers.get('retry-after'), statuses.slice(6)],
      ['429 rate_limited', String(86_400 - 7200), [200, 200, 200, 200, 200]],
    );
    assert.match(JSON.stringify(refused.body), /10 codes within a day, from all workspaces together/);
    assert.equal((await sendCode(await buildOrg('free'))).status, 200);
    const keys = await parley.database.repository(RateWindow).find({ select: { key: true } });
    assert.ok(!keys.some(({ key }) => key.includes(destination.slice(1))));
  });

  it('startAlertVerification does not count codes that were not sent', async () => {
    const destination = createPhoneNumber();
    const org = await buildOrg('enterprise');
    const { id } = await savePolicy(org, { channel: 'whatsapp', destination });
    const start = () => org.client.post(`/api/alerts/${id}/verify/start`, {});
    assert.equal((await start()).status, 200);
    for (let count = 0; count < 2; count += 1) assert.equal((await start()).status, 429);
    for (let count = 0; count < 4; count += 1)
      assert.equal((await sendCode(await buildOrg('free'), destination)).status, 200);
  });

  it('generateBot counts per account, across all its workspaces', async () => {
    const first = await buildOrg('free');
    const orgs = [first, await buildOtherOrg(first)];
    const statuses: number[] = [];
    for (let index = 0; index <= LIMIT; index += 1) {
      const { status } = await orgs[index % 2]!.client.post('/api/bots/generate', {
        description: DESCRIPTION,
      });
      statuses.push(status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: LIMIT }, () => 201), 429]);
  });

  const id = newId();
  const calls: Record<string, [name: string, limit: number, call: (client: ApiClient) => Promise<object>]> = {
    connectTelegram: [
      'alert-connect:telegram',
      10,
      (client) => client.post('/api/alerts/telegram/connect', {}),
    ],
    connectWhatsapp: [
      'alert-connect:whatsapp',
      10,
      (client) => client.post('/api/alerts/whatsapp/connect', {}),
    ],
    testAlertPolicy: ['alert-tests', 20, (client) => client.post(`/api/alerts/${id}/test`, {})],
    connectCalendar: ['calendar-connect', 20, (client) => client.post('/api/calendar/local/connect', {})],
    tryBot: ['model-trials', 120, (client) => client.post(`/api/bots/${id}/playground`, { message: 'Hi' })],
    testBotProvider: ['model-trials', 120, (client) => client.post(`/api/bots/${id}/provider/test`, {})],
    testFlow: ['model-trials', 120, (client) => client.post(`/api/flows/${id}/run`, { message: 'Hi' })],
    extractConversationFields: [
      'model-trials',
      120,
      (client) => client.post(`/api/conversations/${id}/extract`, {}),
    ],
    createDocument: [
      'sources',
      120,
      (client) =>
        client.post(`/api/bots/${id}/knowledge`, { source_type: 'url', url: 'https://example.com/' }),
    ],
    reindexDocument: ['sources', 120, (client) => client.post(`/api/bots/${id}/knowledge/${id}/reindex`, {})],
  };
  for (const [operation, [name, limit, call]] of Object.entries(calls))
    for (const holder of ['workspace', 'account', 'payer'] as const)
      it(`${operation} refuses the request after ${limit} requests of the ${holder} within an hour`, async () => {
        const org = await buildOrg('free');
        const key = {
          workspace: `${name}:${org.orgId}`,
          account: `${name}:account:${org.userId}`,
          payer: `${name}:payer:${org.orgId}`,
        }[holder];
        const use = (used: number) =>
          parley.database.sql(
            `INSERT INTO rate_windows (key, used, started_at, expires_at) VALUES ($1, $2, now(), now() + interval '1 hour')
             ON CONFLICT (key) DO UPDATE SET used = excluded.used`,
            [key, used],
          );
        await use(limit - 1);
        assert.notEqual(((await call(org.client)) as { status: number }).status, 429);
        await use(limit);
        const refused = (await call(org.client)) as { status: number; body: { code?: string } };
        assert.equal(refused.status, 429);
      });

  it('tryBot with a model has no limit in workspaces with a plan', async () => {
    const org = await buildOrg('starter');
    await parley.database.sql(
      `INSERT INTO rate_windows (key, used, started_at, expires_at) VALUES ($1, 10000, now(), now() + interval '1 hour')`,
      [`model-trials:account:${org.userId}`],
    );
    const { status } = await org.client.post(`/api/bots/${id}/playground`, { message: 'Hi' });
    assert.equal(status, 404);
  });
});
