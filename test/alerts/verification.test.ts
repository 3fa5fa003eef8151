import assert from 'node:assert/strict';
import { toMessageText } from '../../adapters/messaging/message-content.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { newId } from '../../core/ids.ts';
import { readAccessMails } from '../support/access-mails.ts';
import { startParley, type TestOrg, type TestParley, type TestProcess } from '../support/parley.ts';
import { parseLinkCode, savePolicy } from './support.ts';
import { findOpened } from '../support/find-opened.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('alert destinations:', () => {
  let parley: TestParley;
  let second: TestProcess;
  let org: TestOrg;
  let id: string;
  let destination: string;
  let numbers = 0;

  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
    second = await parley.startAnother();
  });
  after(() => parley.stop());
  beforeEach(async () => {
    org = await parley.buildOrg();
    // Each test uses a different phone number, because the codes to one number are limited across all
    // workspaces.
    numbers += 1;
    destination = `+3519200000${String(numbers).padStart(2, '0')}`;
    ({ id } = await savePolicy(org, { channel: 'whatsapp', destination }));
  });

  const start = () => org.client.post(`/api/alerts/${id}/verify/start`, {});
  const finish = async (code: string) => (await org.client.post(`/api/alerts/${id}/verify`, { code })).status;

  /** Returns the code in the newest message to the destination. */
  async function readLatestCode(): Promise<string> {
    const newest = { where: { policyId: id }, order: { id: 'DESC' }, take: 1 } as const;
    const [message] = await findOpened(parley.database, AlertMessage, newest);
    return /\d{6}/.exec(toMessageText(parley.runtime.services.alerts.alertQueue.open(message!)!))![0];
  }
  const buildWrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('finishAlertVerification accepts five tries', async () => {
    assert.equal((await start()).status, 200);
    const code = await readLatestCode();
    for (let tries = 0; tries < 5; tries += 1) assert.equal(await finish(buildWrongCode(code)), 422);
    assert.equal(await finish(code), 409);
    await parley.passTime(61);
    assert.equal((await start()).status, 200);
    assert.equal(await finish(await readLatestCode()), 200);
    assert.equal(await finish('000000'), 200);
    assert.equal((await start()).status, 409);
  });

  it('finishAlertVerification accepts only the latest code, for ten minutes', async () => {
    assert.equal(await finish('123456'), 409);
    await start();
    const first = await readLatestCode();
    await parley.passTime(61);
    await start();
    if (first !== (await readLatestCode())) assert.equal(await finish(first), 422);
    await parley.passTime(601);
    assert.equal(await finish(await readLatestCode()), 409);
  });

  it('finishAlertVerification does not unblock a destination if the call had no valid code and found the destination verified', async () => {
    const rows = parley.database.repository(AlertDestination);
    const { alertVerifications } = parley.runtime.services.alerts;
    const scope = { db: parley.database, orgId: org.orgId };
    await rows.update({ orgId: org.orgId }, { verifiedAt: new Date() });
    const checked = await alertVerifications.tryCode(scope, id, '000000');
    await rows.update({ orgId: org.orgId }, { blockedAt: new Date(), blockedReason: 'bot was blocked' });
    const { isNew } = await alertVerifications.finish(scope, id, checked);
    const { blockedReason } = await rows.findOneByOrFail({ orgId: org.orgId });
    assert.deepEqual({ isNew, blockedReason }, { isNew: false, blockedReason: 'bot was blocked' });
  });

  it('finishAlertVerification refuses with conflict a code that was replaced after its check', async () => {
    const { alertVerifications } = parley.runtime.services.alerts;
    const scope = { db: parley.database, orgId: org.orgId };
    await start();
    const checked = await alertVerifications.tryCode(scope, id, await readLatestCode());
    await parley.passTime(61);
    await start();
    await assert.rejects(alertVerifications.finish(scope, id, checked), { code: 'conflict' });
    const { verifiedAt } = await parley.database
      .repository(AlertDestination)
      .findOneByOrFail({ orgId: org.orgId });
    assert.equal(verifiedAt, null);
  });

  it('finishAlertVerification returns isNew to only one of two concurrent calls with the same code', async () => {
    await start();
    const code = await readLatestCode();
    const { alertVerifications } = parley.runtime.services.alerts;
    const scope = { db: parley.database, orgId: org.orgId };
    const checks = [
      await alertVerifications.tryCode(scope, id, code),
      await alertVerifications.tryCode(scope, id, code),
    ];
    const finishing = await parley.database.transaction(async (db) => {
      const { orgId } = org;
      const lock = { mode: 'pessimistic_write' } as const;
      await db.repository(AlertDestination).findOneOrFail({ where: { orgId }, lock });
      const calls = checks.map((checked) => alertVerifications.finish(scope, id, checked));
      await waitUntilBlocked(parley.database, 'both', 2);
      return { calls };
    });
    const news = (await Promise.all(finishing.calls)).map(({ isNew }) => isNew);
    assert.deepEqual(news.toSorted(), [false, true]);
  });

  it('startAlertVerification sends one code a minute, across all processes', async () => {
    const other = second.client(org.key);
    const path = `/api/alerts/${id}/verify/start` as const;
    const responses = await Promise.all([start(), other.post(path, {}), start(), other.post(path, {})]);
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 429, 429, 429]);
    assert.equal(await parley.database.repository(AlertMessage).countBy({ policyId: id }), 1);
    await parley.passTime(60);
    assert.equal((await start()).status, 200);
  });

  itInSoak('startAlertVerification limits codes of a workspace per hour, across all numbers', async () => {
    const strict = await parley.startAnother({ alertCodesPerHour: 2 });
    const client = strict.client(org.key);
    const starts = [];
    for (const destination of ['+351910000001', '+351910000002', '+351910000003']) {
      const policy = await savePolicy(org, { channel: 'whatsapp', destination });
      starts.push(await client.post(`/api/alerts/${policy.id}/verify/start`, {}));
    }
    assert.deepEqual(
      starts.map(({ status }) => status),
      [200, 200, 429],
    );
    const { headers, body } = starts[2]!;
    assert.match(JSON.stringify(body), /has reached its limit of codes sent per hour/);
    assert.equal(headers.get('retry-after'), '3600');
    assert.equal(await parley.database.repository(AlertMessage).countBy({ orgId: org.orgId }), 2);
    const other = await parley.buildOrg();
    const theirs = await savePolicy(other, { channel: 'whatsapp', destination: '+351910000001' });
    const path = `/api/alerts/${theirs.id}/verify/start` as const;
    assert.equal((await strict.client(other.key).post(path, {})).status, 200);
    await strict.stop();
  });

  it('finishAlertVerification refuses a code of another workspace', async () => {
    await start();
    const code = await readLatestCode();
    const other = await parley.buildOrg();
    const theirs = await savePolicy(other, { channel: 'whatsapp', destination });
    const path = `/api/alerts/${theirs.id}/verify` as const;
    assert.equal((await other.client.post(path, { code })).status, 409);
    assert.equal((await other.client.post(`/api/alerts/${id}/verify`, { code })).status, 403);
    assert.equal(await finish(code), 200);
    assert.equal((await other.client.get('/api/alerts')).body[0]!.verified, false);
  });

  it('testAlertPolicy refuses an unverified destination', async () => {
    assert.equal((await org.client.post(`/api/alerts/${id}/test`, {})).status, 409);
  });

  it('connectTelegram links connect the first chat that opens them, within fifteen minutes', async () => {
    const connect = async () => (await org.client.post('/api/alerts/telegram/connect', {})).body;
    const poll = (attempt: { attempt_id: string }, client = org.client) =>
      client.post('/api/alerts/telegram/poll', { attempt_id: attempt.attempt_id });
    const open = (link: string, destination: string) =>
      parley.runtime.services.alerts.alertConnections.connect(parley.database, 'telegram', {
        code: parseLinkCode(link),
        destination,
        name: null,
        consent: null,
      });
    const [used, late] = [await connect(), await connect()];
    assert.deepEqual(await open(used.link, '11'), { name: 'Acme', language: 'en' });
    assert.equal(await open(used.link, '22'), null);
    assert.equal((await poll(used)).body.destination, '11');
    await parley.passTime(15 * 60 + 1);
    assert.equal(await open(late.link, '33'), null);
    assert.equal((await poll(late)).body.destination, null);
    const stranger = await parley.buildOrg();
    assert.equal((await poll(used, stranger.client)).status, 403);
    assert.equal((await poll({ attempt_id: newId() })).status, 404);
    const elsewhere = { attempt_id: used.attempt_id };
    assert.equal((await org.client.post('/api/alerts/whatsapp/poll', elsewhere)).status, 404);
  });

  it('connectWhatsapp creates ten links an hour, and then returns 429', async () => {
    for (let links = 0; links < 10; links += 1)
      assert.equal((await org.client.post('/api/alerts/whatsapp/connect', {})).status, 200);
    assert.equal((await org.client.post('/api/alerts/whatsapp/connect', {})).status, 429);
  });

  it('connectTelegram and connectWhatsapp return 409 if no provider is set and the base URL is not local', async () => {
    const served = await parley.startAnother({ baseUrl: 'https://parley.example.com' });
    const client = served.client(org.key);
    for (const channel of ['telegram', 'whatsapp'] as const)
      assert.equal((await client.post(`/api/alerts/${channel}/connect`, {})).status, 409);
  });

  it('saveAlertPolicy refuses invalid policies, and the fifty-first policy', async () => {
    const put = async (fields: object) =>
      (
        await org.client.put('/api/alerts', {
          channel: 'telegram',
          destination: '5',
          ...fields,
        })
      ).status;
    for (const fields of [
      { destination: 'Ada' },
      { destination: '0' },
      { channel: 'whatsapp', destination: '910000000' },
      { intensity: 'digest', digest: 'none' },
      { timezone: 'Mars/Olympus' },
    ])
      assert.equal(await put(fields), 422, JSON.stringify(fields));
    assert.equal(await put({ bot_id: newId() }), 404);
    for (let policies = 1; policies < 50; policies += 1)
      assert.equal(await put({ destination: String(1000 + policies) }), 200);
    assert.equal(await put({ destination: '2000' }), 409);
    assert.equal(await put({ destination: '01001' }), 200);
  });

  describe('emails to owners after saveAlertPolicy', () => {
    beforeEach(async () => {
      await parley.database
        .repository(AlertDestination)
        .update({ orgId: org.orgId }, { verifiedAt: new Date() });
    });

    const save = (fields: object = {}) => savePolicy(org, { channel: 'whatsapp', destination, ...fields });
    const remove = async () => assert.equal((await org.client.delete(`/api/alerts/${id}`)).status, 200);
    const items = async () => (await readAccessMails(parley, org.userId)).map((mail) => mail['items']);

    it('are sent for a verified destination whose policy was deleted', async () => {
      await remove();
      await save();
      assert.deepEqual(await items(), [`WhatsApp: alerts are sent to ${destination}.`]);
    });

    it('are sent for a verified destination whose only policy was off', async () => {
      await save({ intensity: 'off' });
      assert.deepEqual(await items(), []);
      await save({ intensity: 'leads' });
      assert.deepEqual(await items(), [`WhatsApp: alerts are sent to ${destination}.`]);
    });

    it('are not sent for a changed policy, or another bot’s policy, if its destination already gets alerts', async () => {
      await save({ label: 'Reception' });
      const bot = await org.client.post('/api/bots', { name: 'Guide' });
      await save({ bot_id: bot.body.id });
      assert.deepEqual(await items(), []);
    });

    it('are not sent for a policy that is off, or whose destination is not verified', async () => {
      await remove();
      await save({ intensity: 'off' });
      await save({ destination: '+351920000099' });
      assert.deepEqual(await items(), []);
    });
  });
});
