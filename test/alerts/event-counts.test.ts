import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { ExpiryRepository } from '../../repositories/installation/expiry.repository.ts';
import { OrgPurgeRepository } from '../../repositories/team/org-purge.repository.ts';
import { PurgeRepository } from '../../repositories/bots/purge.repository.ts';
import { WebhookFanOut } from '../../services/webhooks/fan-out.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { buildBot } from '../support/worker.ts';

const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

describe('event counts', () => {
  let parley: SharedParley;
  let org: TestOrg;
  let expiry: ExpiryRepository;

  before(async () => {
    parley = await startSharedParley();
    expiry = new ExpiryRepository(parley.runtime.settings);
  });
  beforeEach(async () => (org = await parley.buildOrg()));

  function event(overrides: Partial<Opened<OutboxRow>> = {}): Opened<OutboxRow> {
    const createdAt = new Date('2026-09-03T10:15:30.123Z');
    return Object.assign(new OutboxRow(), {
      id: newId(),
      orgId: org.orgId,
      botId: null,
      kind: 'event',
      name: 'lead.captured',
      payload: {},
      attempts: 0,
      lastError: null,
      dueAt: createdAt,
      createdAt,
      ...overrides,
    });
  }

  const keep = (rows: Opened<OutboxRow>[]) => parley.database.repository(OutboxRow).insert(rows as object[]);
  const deliver = (rows: Opened<OutboxRow>[]) => new WebhookFanOut().deliver(parley.database, rows);

  async function counts(orgId = org.orgId) {
    const order = { hour: 'ASC', name: 'ASC', count: 'ASC' } as const;
    const rows = await parley.database.repository(EventCount).find({ where: { orgId }, order });
    return rows.map(({ hour, botId, name, count }) => [hour.toISOString(), botId, name, count]);
  }

  /** Appends `rows` counts of the events in one hour, each in its own row, as relays do. */
  async function append(hour: Date, rows: number, botId: string | null = null, orgId = org.orgId) {
    const row = { hour, orgId, botId, name: 'lead.captured', count: 1 };
    const appended = Array.from({ length: rows }, () => ({ ...row, id: newId() }));
    await parley.database.repository(EventCount).insert(appended);
  }

  const hourAgo = (hours: number) => new Date((Math.floor(Date.now() / HOUR_MS) - hours) * HOUR_MS);

  it('are appended by the fan-out, by bot, name and the hour in which each event happened', async () => {
    const [botId, other] = [newId(), await parley.buildOrg()];
    const rows = [
      event(),
      event({ botId }),
      event({ botId, createdAt: new Date('2026-09-03T10:59:59.999Z') }),
      event({ botId, createdAt: new Date('2026-09-03T11:00:00.000Z') }),
      event({ botId, name: 'message.created' }),
      event({ orgId: other.orgId }),
    ];
    await keep(rows);
    await deliver(rows);
    const ten = '2026-09-03T10:00:00.000Z';
    assert.deepEqual(await counts(), [
      [ten, null, 'lead.captured', 1],
      [ten, botId, 'lead.captured', 2],
      [ten, botId, 'message.created', 1],
      ['2026-09-03T11:00:00.000Z', botId, 'lead.captured', 1],
    ]);
    assert.deepEqual(await counts(other.orgId), [[ten, null, 'lead.captured', 1]]);
  });

  it('include an event once, however often the relay processes it, and not after a rollback', async () => {
    const row = event();
    await keep([row]);
    const undone = parley.database.transaction(async (db) => {
      await new WebhookFanOut().deliver(db, [row]);
      throw new Error('The relay has ended.');
    });
    await assert.rejects(undone);
    assert.deepEqual(await counts(), []);
    await Promise.all([deliver([row]), deliver([row]), deliver([row])]);
    await deliver([row]);
    assert.deepEqual(await counts(), [['2026-09-03T10:00:00.000Z', null, 'lead.captured', 1]]);
  });

  it('are folded once their hour is over, even concurrently, without changing the sums', async () => {
    const [next, last, botId] = [hourAgo(-1), hourAgo(1), newId()];
    await Promise.all([append(next, 2), append(last, 5), append(last, 3, botId), append(hourAgo(2), 1)]);
    await Promise.all([1, 2, 3].map(() => expiry.deleteBatch(parley.database)));
    assert.deepEqual(await counts(), [
      [hourAgo(2).toISOString(), null, 'lead.captured', 1],
      [last.toISOString(), botId, 'lead.captured', 3],
      [last.toISOString(), null, 'lead.captured', 5],
      [next.toISOString(), null, 'lead.captured', 1],
      [next.toISOString(), null, 'lead.captured', 1],
    ]);
  });

  it('are deleted after 35 days', async () => {
    await append(hourAgo(35 * 24 + 1), 2);
    await append(hourAgo(35 * 24 - 1), 1);
    const { removed } = await expiry.deleteBatch(parley.database);
    assert.ok(removed.eventCounts >= 2);
    assert.deepEqual(await counts(), [[hourAgo(35 * 24 - 1).toISOString(), null, 'lead.captured', 1]]);
  });

  it('are deleted with their bot, and with their workspace', async () => {
    const botId = await buildBot(org);
    const [hour, kept] = [hourAgo(1), await parley.buildOrg()];
    await Promise.all([append(hour, 2, botId), append(hour, 1), append(hour, 1, null, kept.orgId)]);
    const scope = { orgId: org.orgId, db: parley.database };
    await parley.database.sql('UPDATE bots SET deleted_at = now() WHERE id = $1', [botId]);
    await new PurgeRepository().deleteContents(scope, botId, signal);
    assert.deepEqual(await counts(), [[hour.toISOString(), null, 'lead.captured', 1]]);
    await parley.database.sql('UPDATE orgs SET deleted_at = now() WHERE id = $1', [org.orgId]);
    await new OrgPurgeRepository().deleteRows(scope, signal);
    assert.deepEqual(await counts(), []);
    assert.equal((await counts(kept.orgId)).length, 1);
  });
});
