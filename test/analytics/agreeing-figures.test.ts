import assert from 'node:assert/strict';
import { listableFigures, type ListableFigure } from '../../core/analytics/listable-figures.ts';
import { DAY_MS } from '../../core/local-clock.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { withForm } from '../contacts/lead-form.ts';
import { connectMcp } from '../mcp/support.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { readOverview } from './support.ts';

const LEAD = { name: 'Rui', email: 'rui@example.com' };

describe('figures of conversations:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  /** Builds a workspace with two bots, one of them deleted, each with sessions of every kind. */
  async function buildScene() {
    const org = await buildActiveBot(parley, { handoff_enabled: true, ...withForm });
    const { client } = org;
    const { body: draft } = await client.post('/api/bots', {
      name: 'Old',
      handoff_enabled: true,
      ...withForm,
    });
    const { body: old } = await client.patch(`/api/bots/${draft.id}`, { status: 'active' });
    for (const bot of [org.bot, old])
      for (const isSilent of [true, false]) {
        for (const becomes of [
          'nothing',
          'ended',
          'resolved',
          'both',
          'rated',
          'lead',
          'waiting',
          'taken',
        ] as const) {
          const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
          const path = `/api/public/sessions/${body.session_id}` as const;
          const own = `/api/conversations/${body.session_id}` as const;
          const visitor = parley.client(body.visitor_token);
          if (!isSilent) await visitor.post(`${path}/messages`, { content: 'When do you open?' });
          if (becomes === 'rated') await visitor.post(`${path}/rating`, { rating: 5 });
          if (becomes === 'lead') await visitor.post(`${path}/lead`, { fields: LEAD });
          if (becomes === 'waiting' || becomes === 'taken') await visitor.post(`${path}/handoff`, {});
          if (becomes === 'taken') await client.post(`/api/inbox/${body.session_id}/claim`);
          if (becomes === 'ended' || becomes === 'both') await visitor.post(`${path}/end`);
          if (becomes === 'resolved' || becomes === 'both') await client.post(`${own}/resolve`);
        }
      }
    await client.post(`/api/bots/${org.bot.id}/playground`, {
      messages: [{ role: 'user', content: 'When do you open?' }],
    });
    await client.delete(`/api/bots/${old.id}`);
    return { ...org, oldId: old.id };
  }

  /** Returns the text of the emailed report about the current week. */
  async function readWeeklyMail(userId: string): Promise<string> {
    const { weeklyMails, capturedMails } = parley.runtime.services.mail;
    const daysToMonday = 7 - ((new Date().getUTCDay() + 6) % 7);
    const week = new Date(Date.now() + daysToMonday * DAY_MS).toISOString().slice(0, 10);
    await weeklyMails.mailWeek(parley.database, { userId, week });
    const row = await parley.database
      .repository(MailRow)
      .findOneByOrFail({ userId, template: 'week_brought' });
    await parley.database.repository(MailRow).update(row.id, { state: 'kept' });
    return (await capturedMails.find(parley.database, row.id))!.text;
  }

  it('getAnalyticsOverview, getBot, listConversations, listInbox, getUsage, get_insights and the weekly email show the same figures', async () => {
    const { client, bot, oldId, ...org } = await buildScene();
    const overview = await readOverview(client);
    const countConversations = async (query: Record<string, unknown>) => {
      const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
      const { status, body } = await client.get(
        `/api/conversations?${new URLSearchParams(texts).toString()}`,
      );
      assert.equal(status, 200);
      return body.total;
    };
    const range = { from: overview.from, to: overview.to };
    const figures = Object.keys(listableFigures) as ListableFigure[];
    const counted = Object.fromEntries(figures.map((figure) => [figure, overview[figure]]));
    assert.deepEqual(counted, { sessions: 32, conversations: 16, ended: 4, resolved: 4, leads: 4 });
    for (const figure of figures)
      assert.equal(
        await countConversations({ ...range, ...listableFigures[figure] }),
        overview[figure],
        figure,
      );
    assert.equal(await countConversations({ resolved: true }), 8);
    assert.equal(await countConversations({ resolved: true, has_visitor_message: false }), 4);
    assert.equal(await countConversations({ rating: 5 }), overview.ratings.distribution[4]);

    const ofBot = await readOverview(client, { bot_id: bot.id });
    for (const figure of figures)
      assert.equal(
        await countConversations({ bot_id: bot.id, ...listableFigures[figure] }),
        ofBot[figure],
        figure,
      );
    const { body: read } = await client.get(`/api/bots/${bot.id}`);
    assert.equal(read.total_conversations, ofBot.sessions);
    const { totalConversations } = await parley.database.repository(Bot).findOneByOrFail({ id: oldId });
    assert.equal(totalConversations + read.total_conversations, overview.sessions);
    const { body: listIds } = await client.get(`/api/conversations?bot_id=${bot.id}&page_size=100`);
    const messages = listIds.items.reduce((sum, { message_count: count }) => sum + count, 0);
    assert.equal(read.total_messages, messages);

    const { body: inbox } = await client.get('/api/inbox');
    assert.equal(
      inbox.total,
      (await countConversations({ status: 'waiting_human' })) +
        (await countConversations({ status: 'human' })),
    );
    assert.deepEqual([overview.handoffs.requested, overview.handoffs.answered], [8, 4]);

    const mcp = await connectMcp(parley.baseUrl, org);
    const { content } = await mcp.call('get_insights', { days: 1 });
    await mcp.close();
    const { totals } = content as { totals: Record<string, unknown> };
    assert.deepEqual(
      [totals['conversations'], totals['ended'], totals['leads'], totals['handoffs_requested']],
      [overview.conversations, overview.ended, overview.leads, overview.handoffs.requested],
    );
    assert.equal((await client.get('/api/usage')).body.messages, overview.conversations);

    const text = await readWeeklyMail(org.userId);
    assert.match(text, /\nConversations: 16 \(.*\nLeads: 4 \(.*\nVisitors who asked for a person: 8 \(/);
  });

  it('listConversations returns only sessions with a visitor’s message if has_visitor_message is true, and only sessions without a message if it is false', async () => {
    const { client, bot } = await buildActiveBot(parley);
    const begin = async () =>
      (await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {})).body;
    const [silent, spoken] = [await begin(), await begin()];
    await parley
      .client(spoken.visitor_token)
      .post(`/api/public/sessions/${spoken.session_id}/messages`, { content: 'Hi' });
    const listIds = async (query: string) =>
      (await client.get(`/api/conversations?${query}`)).body.items.map(({ id }) => id);
    assert.deepEqual(await listIds('has_visitor_message=true'), [spoken.session_id]);
    assert.deepEqual(await listIds('has_visitor_message=false'), [silent.session_id]);
    assert.deepEqual(await listIds(''), [spoken.session_id, silent.session_id]);
    assert.equal((await client.get('/api/conversations?has_visitor_message=perhaps')).status, 422);
  });
});
