import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AlertDigest } from '../../entities/alerts/alert-digest.entity.ts';
import { AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { toMessageText } from '../../adapters/messaging/message-content.ts';
import { WebhookFanOut } from '../../services/webhooks/fan-out.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildBot } from '../support/worker.ts';
import { connectChat, savePolicy } from './support.ts';
import { findOpened } from '../support/find-opened.ts';

const ZONE = 'Europe/Berlin';

describe('digests', () => {
  let parley: TestParley;
  let org: TestOrg;
  let destination: string;
  const clock = { time: new Date(), now: () => clock.time };
  const at = (time: string) => (clock.time = new Date(time));

  before(async () => (parley = await startParley({}, { clock })));
  after(() => parley.stop());
  beforeEach(async () => {
    at('2026-03-27T12:00:00Z');
    org = await parley.buildOrg();
    destination = await connectChat(parley, org);
  });

  const save = (fields: object = {}) =>
    savePolicy(org, { channel: 'telegram', destination, digest: 'daily', timezone: ZONE, ...fields });
  const findPolicyRow = (id: string) => parley.database.repository(AlertPolicy).findOneByOrFail({ id });
  const readNextDigest = async (id: string) =>
    (await findPolicyRow(id)).nextDigestAt?.toISOString().slice(0, 16);

  /** Stores an event in the outbox and assigns it to alert policies, as a relay does. */
  async function storeEvent(name: string, time: string, botId: string | null = null): Promise<void> {
    const createdAt = new Date(time);
    const row = { id: newId(), orgId: org.orgId, botId, kind: 'event' as const, name, payload: {} };
    const event = {
      ...row,
      attempts: 0,
      lastError: null,
      traceparent: null,
      keyId: null,
      dueAt: createdAt,
      createdAt,
    };
    await parley.database.repository(OutboxRow).insert(event as object);
    await new WebhookFanOut().deliver(parley.database, [event]);
  }

  /** Starts due alert digests and composes those of the policy, as their workflows do; returns the results. */
  async function sweep(policyId: string) {
    const { digestSweep, digests } = parley.runtime.services.alerts;
    await digestSweep.startDue(parley.database);
    const rows = await parley.database.repository(AlertDigest).findBy({ policyId, state: 'due' });
    const input = { orgId: org.orgId, policyId };
    return Promise.all(rows.map(({ date }) => digests.compose(parley.database, { ...input, date })));
  }

  const listDigestStates = async (policyId: string) => {
    const rows = await parley.database
      .repository(AlertDigest)
      .find({ where: { policyId }, order: { date: 'ASC' } });
    return rows.map(({ date, state }) => `${date} ${state}`);
  };

  async function readMessageTexts(policyId: string): Promise<string[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    const rows = await findOpened(parley.database, AlertMessage, { where: { policyId }, order });
    return rows.map((row) => toMessageText(parley.runtime.services.alerts.alertQueue.open(row)!));
  }

  it('are each due once at the hour in the policy’s time zone, across a daylight saving change', async () => {
    const { id, next_digest_at } = await save({ digest_hour: 2 });
    assert.equal(next_digest_at, '2026-03-28T01:00:00.000Z');
    for (const [time, next] of [
      ['2026-03-28T00:59:59Z', '2026-03-28T01:00'],
      ['2026-03-28T01:00:30Z', '2026-03-29T01:00'],
      ['2026-03-29T01:00:30Z', '2026-03-30T00:00'],
      ['2026-03-29T23:59:59Z', '2026-03-30T00:00'],
      ['2026-03-30T00:00:00Z', '2026-03-31T00:00'],
    ] as const) {
      at(time);
      await Promise.all([sweep(id), sweep(id)]);
      assert.equal(await readNextDigest(id), next);
    }
    assert.deepEqual(await listDigestStates(id), [
      '2026-03-28 empty',
      '2026-03-29 empty',
      '2026-03-30 empty',
    ]);
  });

  it('cover exactly the time since the previous digest, and compare it with the time before', async () => {
    const botId = await buildBot(org);
    const { id } = await save({ intensity: 'digest' });
    await storeEvent('lead.captured', '2026-03-28T07:59:00Z', botId);
    await storeEvent('lead.captured', '2026-03-28T08:00:10Z', botId);
    at('2026-03-28T08:00:30Z');
    await sweep(id);
    await storeEvent('lead.captured', '2026-03-28T08:00:10Z', botId);
    await storeEvent('lead.captured', '2026-03-28T08:00:50Z', botId);
    await storeEvent('lead.captured', '2026-03-27T20:00:00Z', botId);
    await storeEvent('message.created', '2026-03-28T12:00:00Z', botId);
    at('2026-03-29T07:00:30Z');
    await sweep(id);
    at('2026-03-30T07:00:30Z');
    const [third] = await sweep(id);
    assert.equal(third!.reason, 'No events happened.');
    const texts = await readMessageTexts(id);
    assert.equal(texts.length, 2);
    assert.match(texts[0]!, /\nSince Fri,? 27 Mar,? 09:00 \(Europe\/Berlin\)\nLeads: 2 \(before: 0\)\n/);
    assert.match(texts[1]!, /\nSince Sat,? 28 Mar,? 09:00 \(Europe\/Berlin\)\nLeads: 3 \(before: 2\)\n/);
    assert.doesNotMatch(texts.join(), /Messages/);
  });

  it('cover only the bot and the events of their policy', async () => {
    const [botId, other] = [await buildBot(org), await buildBot(org)];
    const { id } = await save({ bot_id: botId, events: ['message.created'] });
    for (const bot of [botId, other, other]) await storeEvent('message.created', '2026-03-28T07:00:00Z', bot);
    await storeEvent('lead.captured', '2026-03-28T07:00:00Z', botId);
    at('2026-03-28T08:01:00Z');
    await sweep(id);
    const [text] = await readMessageTexts(id);
    assert.match(text!, /\nMessages: 1 \(before: 0\)\n/);
    assert.doesNotMatch(text!, /Leads/);
  });

  it('list waiting visitors and the bookings of the day', async () => {
    const { id } = await save();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide', handoff_enabled: true });
    await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    await parley.client(body.visitor_token).post(`/api/public/sessions/${body.session_id}/handoff`, {});
    for (const [start, summary] of [
      ['2026-03-28T22:30:00Z', 'Late\ncall'],
      ['2026-03-28T23:30:00Z', 'Tomorrow'],
    ])
      await parley.database.sql(
        `INSERT INTO bookings (id, org_id, source, starts_at, ends_at, blocked_until, timezone, summary)
         SELECT gen_random_uuid(), $1, 'team', $2, $2::timestamptz + interval '30 min', $2::timestamptz + interval '30 min', 'UTC', $3`,
        [org.orgId, start, summary],
      );
    at('2026-03-28T08:00:30Z');
    const [progress] = await sweep(id);
    assert.deepEqual(progress!.tellsOf, ['waiting visitors: 1', 'meetings today: 1']);
    assert.match(
      (await readMessageTexts(id))[0]!,
      /Waiting for a person now: 1\n– Guide, since .*\nMeetings today: 1\n– 23:30 Late call\n/,
    );
  });

  it('are sent up to six hours late, and otherwise merged into the next digest', async () => {
    const { id } = await save();
    await storeEvent('lead.captured', '2026-03-28T07:00:00Z');
    at('2026-03-28T14:00:01Z');
    await sweep(id);
    assert.deepEqual(await listDigestStates(id), ['2026-03-28 late']);
    await storeEvent('lead.captured', '2026-03-28T20:00:00Z');
    at('2026-03-30T12:59:00Z');
    await sweep(id);
    assert.deepEqual(await listDigestStates(id), ['2026-03-28 late', '2026-03-30 sent']);
    assert.equal(await readNextDigest(id), '2026-03-31T07:00');
    const [progress] = await parley.database.repository(AlertDigest).findBy({ policyId: id, state: 'sent' });
    assert.equal(progress!.counts['lead.captured'], 2);
  });

  it('are created once however often they are requested, and count as messages of the day', async () => {
    const { id } = await save({ daily_cap: 1 });
    await storeEvent('lead.captured', '2026-03-28T07:00:00Z');
    at('2026-03-28T08:00:30Z');
    const { digestSweep, digests } = parley.runtime.services.alerts;
    await digestSweep.startDue(parley.database);
    const input = { orgId: org.orgId, policyId: id, date: '2026-03-28' };
    const all = await Promise.all([1, 2, 3].map(() => digests.compose(parley.database, input)));
    assert.deepEqual(
      all.map(({ state }) => state),
      ['sent', 'sent', 'sent'],
    );
    assert.equal((await readMessageTexts(id)).length, 1);
    const { body } = await org.client.get('/api/alerts');
    assert.equal(body[0]!.sent_today, 1);
  });

  it('are claimed together with the command that starts their workflow', async () => {
    const { id } = await save();
    at('2026-03-28T08:00:30Z');
    const killed = parley.database.transaction(async (db) => {
      await parley.runtime.services.alerts.digestSweep.startDue(db);
      throw new Error('killed');
    });
    await assert.rejects(killed);
    const commands = () =>
      findOpened(parley.database, OutboxRow, { where: { orgId: org.orgId, name: 'sendDigest' } });
    assert.deepEqual([await commands(), await listDigestStates(id)], [[], []]);
    await parley.runtime.services.alerts.digestSweep.startDue(parley.database);
    await parley.runtime.services.alerts.digestSweep.startDue(parley.database);
    const ids = (await commands()).map(({ payload }) => payload['workflowId']);
    assert.deepEqual(ids, [`digest/${id}/2026-03-28`]);
  });

  itInSoak('are not due again on a day on which their hour is changed, and cover no hour twice', async () => {
    const { id } = await save();
    await storeEvent('lead.captured', '2026-03-28T07:00:00Z');
    at('2026-03-28T08:00:30Z');
    await sweep(id);
    await storeEvent('lead.captured', '2026-03-28T09:00:00Z');
    const moved = await save({ digest_hour: 15 });
    assert.equal(moved.next_digest_at, '2026-03-29T13:00:00.000Z');
    at('2026-03-29T13:00:30Z');
    await sweep(id);
    assert.deepEqual(
      (await readMessageTexts(id)).map((text) => /Leads: \d/.exec(text)![0]),
      ['Leads: 1', 'Leads: 1'],
    );
  });

  it('sum up held alerts even without a digest interval, and are not sent while the destination is blocked', async () => {
    const { id } = await save({ digest: 'none' });
    const held = {
      orgId: org.orgId,
      policyId: id,
      name: 'lead.captured',
      ids: {},
      severity: 'normal' as const,
    };
    const alert = { ...held, subject: 's', state: 'held' as const, occurredAt: clock.time, botId: null };
    const insertHeldAlert = () =>
      parley.database.repository(Alert).insert({ ...alert, id: newId(), eventId: newId() });
    await Promise.all([insertHeldAlert(), insertHeldAlert()]);
    await parley.database
      .repository(AlertPolicy)
      .update(id, { summaryDueAt: new Date('2026-03-28T08:00:00Z') });
    await parley.database.sql('UPDATE alert_destinations SET blocked_at = now() WHERE destination = $1', [
      destination,
    ]);
    at('2026-03-28T08:00:30Z');
    const [refused] = await sweep(id);
    assert.deepEqual([refused!.state, refused!.reason], ['unsent', 'The destination is blocked.']);
    await parley.database.sql('UPDATE alert_destinations SET blocked_at = NULL WHERE destination = $1', [
      destination,
    ]);
    at('2026-03-29T07:00:30Z');
    const [progress] = await sweep(id);
    assert.deepEqual([progress!.state, progress!.tellsOf], ['sent', ['held alerts: 2']]);
    assert.match(
      (await readMessageTexts(id))[0]!,
      /^Held back: .*\nHeld back by the daily limit: 2\n– Leads: 2\n/,
    );
    assert.equal(await parley.database.repository(Alert).countBy({ policyId: id, state: 'sent' }), 2);
    const { summaryDueAt } = await findPolicyRow(id);
    assert.equal(summaryDueAt, null);
  });
});
