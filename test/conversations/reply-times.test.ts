import assert from 'node:assert/strict';
import { weekdays } from '../../core/conversations/handoff-config.ts';
import { newId } from '../../core/ids.ts';
import { Handoff } from '../../entities/analytics/handoff.entity.ts';
import { computeTypicalMinutes } from '../../services/conversations/reply-times.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildSession, startSession } from '../support/widget.ts';

/** A Wednesday. */
const NOON = Date.parse('2026-03-04T12:00:00Z');
const MINUTE_MS = 60_000;

const buildHandoffs = (waits: number[], requestedAt = NOON) =>
  waits.map((minutes) => ({
    requestedAt: new Date(requestedAt),
    answeredAt: new Date(requestedAt + minutes * MINUTE_MS),
  }));

function buildHoursOfTomorrow() {
  const tomorrow = new Date(Date.now() + 24 * 60 * MINUTE_MS);
  const day = weekdays[(tomorrow.getUTCDay() + 6) % 7]!;
  const hours = { timezone: 'UTC', periods: [{ days: [day], opens: '09:00', closes: '17:00' }] };
  return { hours, opensAt: `${tomorrow.toISOString().slice(0, 10)}T09:00:00.000Z` };
}

/** Stores answered requests for a team member in a visitor's conversation, with these waiting times. */
async function storeHandoffs(
  { database }: SharedParley,
  { orgId, bot, session }: Awaited<ReturnType<typeof buildSession>>,
  waits: number[],
) {
  const conversationId = session.session_id;
  const start = Date.now() - 24 * 60 * MINUTE_MS;
  const rows = buildHandoffs(waits, start).map((times) => ({
    id: newId(),
    orgId,
    botId: bot.id,
    conversationId,
    ...times,
  }));
  await database.repository(Handoff).insert(rows);
}

describe('computeTypicalMinutes', () => {
  for (const { waits, minutes } of [
    { waits: [1, 1, 1, 1], minutes: null },
    { waits: [0.2, 0.4, 0.9, 3, 700], minutes: 1 },
    { waits: [3, 3, 3, 3, 3], minutes: 5 },
    { waits: [5, 5, 5, 5, 5], minutes: 5 },
    { waits: [5.01, 5.01, 5.01, 5.01, 5.01], minutes: 10 },
    { waits: [1, 2, 40, 50, 60], minutes: 60 },
    { waits: [1, 2, 3, 40, 50, 60], minutes: 60 },
    { waits: [1440, 1440, 1440, 1440, 1440], minutes: 1440 },
    { waits: [1441, 1441, 1441, 1441, 1441], minutes: null },
  ])
    it(`returns ${minutes} for waits of ${waits.join(', ')} minutes`, () => {
      assert.equal(computeTypicalMinutes(buildHandoffs(waits), null), minutes);
    });

  it('ignores visitors who asked outside the opening hours', () => {
    const hours = {
      timezone: 'UTC',
      periods: [{ days: ['wednesday' as const], opens: '09:00', closes: '17:00' }],
    };
    const night = buildHandoffs([600, 600, 600, 600, 600], NOON + 600 * MINUTE_MS);
    assert.equal(computeTypicalMinutes(night, hours), null);
    assert.equal(computeTypicalMinutes([...night, ...buildHandoffs([2, 2, 2, 2, 2])], hours), 2);
  });
});

describe('getWidgetConfig of a bot with handoffs', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const build = (overrides: object = {}) => buildSession(parley, { handoff_enabled: true, ...overrides });
  const readTeam = async ({ bot }: { bot: { public_key: string } }) =>
    (await parley.client().get(`/api/public/bots/${bot.public_key}/config`)).body.team;

  it('states how soon the team typically replied in the last 30 days, if there were such replies', async () => {
    const [fresh, busy] = [await build(), await build()];
    await storeHandoffs(parley, busy, [1, 3, 4, 4, 90]);
    assert.deepEqual(await readTeam(fresh), { is_open: true, opens_at: null, reply_minutes: null });
    assert.deepEqual(await readTeam(busy), { is_open: true, opens_at: null, reply_minutes: 5 });
  });

  it('states when the team is back outside the opening hours', async () => {
    const { hours, opensAt } = buildHoursOfTomorrow();
    const closed = await build({ handoff_config: { hours } });
    assert.deepEqual(await readTeam(closed), { is_open: false, opens_at: opensAt, reply_minutes: null });
  });
});

describe('getWidgetSession of a visitor who waits for an agent', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const build = (overrides: object = {}) => buildSession(parley, { handoff_enabled: true, ...overrides });
  const readPlace = async ({ visitor, path }: Pick<Awaited<ReturnType<typeof build>>, 'visitor' | 'path'>) =>
    (await visitor.get(path)).body.queue_position;

  it('says the place among the visitors who wait in the workspace, until an agent joins', async () => {
    const first = await build();
    const { client } = first;
    const { body: otherBot } = await client.post('/api/bots', { name: 'Other', handoff_enabled: true });
    await client.patch(`/api/bots/${otherBot.id}`, { status: 'active' });
    const second = await startSession(parley, { ...first, bot: otherBot });
    const third = await startSession(parley, first);
    assert.equal(await readPlace(first), undefined);
    for (const { visitor, path } of [first, second, third, await build()])
      await visitor.post(`${path}/handoff`, {});
    const readPlaces = () => Promise.all([first, second, third].map(readPlace));
    assert.deepEqual(await readPlaces(), [1, 2, 3]);
    await client.post(`/api/inbox/${first.session.session_id}/claim`);
    assert.deepEqual(await readPlaces(), [undefined, 1, 2]);
    await second.visitor.post(`${second.path}/end`, {});
    assert.deepEqual(await readPlaces(), [undefined, undefined, 1]);
  });

  it('says nothing about the queue outside the opening hours', async () => {
    const { hours } = buildHoursOfTomorrow();
    const closed = await build({ handoff_config: { hours } });
    const { status, body } = await closed.visitor.post(`${closed.path}/handoff`, {});
    assert.deepEqual([status, body.status, body.queue_position], [200, 'waiting_human', undefined]);
  });
});
