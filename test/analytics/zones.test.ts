import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { readOverview } from './support.ts';

describe('getAnalyticsOverview', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  /** Builds a workspace with conversations that began at these times. */
  async function buildAt(times: readonly string[]) {
    const org = await buildActiveBot(parley);
    for (const time of times) {
      const { body } = await parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
      await parley
        .client(body.visitor_token)
        .post(`/api/public/sessions/${body.session_id}/messages`, { content: 'Hello?' });
      await parley.database.sql('UPDATE conversations SET created_at = $2 WHERE id = $1', [
        body.session_id,
        time,
      ]);
    }
    return org.client;
  }

  const readSeries = async (
    client: SharedParley['client'] extends () => infer C ? C : never,
    query: object,
  ) => {
    const { conversations, days } = await readOverview(client, { ...query });
    const series = Object.fromEntries(
      days!.filter((day) => day.conversations > 0).map((day) => [day.date, day.conversations]),
    );
    const sum = days!.reduce((total, day) => total + day.conversations, 0);
    assert.equal(sum, conversations);
    return { conversations, count: days!.length, series };
  };

  itInSoak('returns the days of Kathmandu, which begin 5:45 hours before those of UTC', async () => {
    const client = await buildAt([
      '2026-10-31T18:14:59.999Z',
      '2026-10-31T18:15:00.000Z',
      '2026-11-01T18:14:59.999Z',
      '2026-11-01T18:15:00.000Z',
      '2026-11-02T23:59:59.999Z',
    ]);
    const query = { from: '2026-10-30T18:15:00Z', to: '2026-11-03T18:15:00Z', timezone: 'asia/kathmandu' };
    assert.deepEqual(await readSeries(client, query), {
      conversations: 5,
      count: 4,
      series: { '2026-10-31': 1, '2026-11-01': 2, '2026-11-02': 1, '2026-11-03': 1 },
    });
    assert.deepEqual((await readOverview(client, query)).timezone, 'Asia/Kathmandu');
    await parley.runtime.services.analytics.analyticsFolding.fold(parley.database);
    assert.equal((await readSeries(client, query)).series['2026-11-01'], 2);
    assert.deepEqual((await readSeries(client, { ...query, timezone: 'UTC' })).series, {
      '2026-10-31': 2,
      '2026-11-01': 2,
      '2026-11-02': 1,
    });
  });

  it('returns both hours that begin at 2:00 on the day of 25 hours in Berlin', async () => {
    const client = await buildAt([
      '2026-10-24T21:59:59.999Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
      '2026-10-25T22:59:59.999Z',
      '2026-10-25T23:00:00.000Z',
    ]);
    const query = { from: '2026-10-23T22:00:00Z', to: '2026-10-26T23:00:00Z', timezone: 'Europe/Berlin' };
    const expected = {
      conversations: 6,
      count: 3,
      series: { '2026-10-24': 1, '2026-10-25': 4, '2026-10-26': 1 },
    };
    assert.deepEqual(await readSeries(client, query), expected);
    await parley.runtime.services.analytics.analyticsFolding.fold(parley.database);
    assert.deepEqual(await readSeries(client, query), expected);
  });

  it('rounds both ends down to a quarter of an hour', async () => {
    const client = await buildAt(['2026-11-01T10:00:00.000Z', '2026-11-01T10:15:00.000Z']);
    const { from, to, conversations, days } = await readOverview(client, {
      from: '2026-11-01T10:14:59.999Z',
      to: '2026-11-01T10:29:00Z',
    });
    assert.deepEqual(
      [from, to, conversations, days!.map(({ date }) => date)],
      ['2026-11-01T10:00:00.000Z', '2026-11-01T10:15:00.000Z', 1, ['2026-11-01']],
    );
  });
});
