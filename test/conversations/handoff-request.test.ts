import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession, findOutboxEvents } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('requestWidgetHandoff', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley();
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  const buildHandoffSession = () => buildSession(parley, { handoff_enabled: true });

  async function findHandoffEvents(orgId: string): Promise<object[]> {
    const rows = await parley.database.sql<{ payload: object }>(
      "SELECT payload FROM outbox WHERE org_id = $1 AND name = 'handoff.requested'",
      [orgId],
    );
    return rows.map(({ payload }) => payload);
  }

  it('makes the session wait for a person, and emits one event', async () => {
    const { visitor, path, session, bot, orgId } = await buildHandoffSession();
    const { status, body } = await visitor.post(`${path}/handoff`, { reason: 'My order is lost.' });
    assert.equal(status, 200);
    assert.equal(body.status, 'waiting_human');
    assert.equal(body.agent_name, null);
    assert.deepEqual((await visitor.get(path)).body, body);
    assert.deepEqual(await findHandoffEvents(orgId), [
      {
        conversation_id: session.session_id,
        bot_id: bot.id,
        reason: 'My order is lost.',
        requested_by: 'visitor',
      },
    ]);
  });

  it('accepts a missing or blank reason', async () => {
    for (const request of [{}, { reason: null }, { reason: ' \u200b ' }]) {
      const { visitor, path, client } = await buildHandoffSession();
      assert.equal((await visitor.post(`${path}/handoff`, request)).body.status, 'waiting_human');
      assert.equal((await client.get('/api/inbox'))!.body.items[0]!.handoff_reason, null);
    }
  });

  it('changes nothing when repeated, and returns the same response', async () => {
    const { visitor, path, orgId } = await buildHandoffSession();
    const first = await visitor.post(`${path}/handoff`, { reason: 'First.' });
    const again = await visitor.post(`${path}/handoff`, { reason: 'Second.' });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal((await findHandoffEvents(orgId)).length, 1);
  });

  itInSoak('creates one request for twenty simultaneous calls at two processes', async () => {
    const { visitor, path, session, orgId } = await buildHandoffSession();
    const elsewhere = second.client(session.visitor_token);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? elsewhere : visitor).post(`${path}/handoff`, {})),
    );
    assert.deepEqual(
      [...new Set(responses.map(({ status, body }) => `${status} ${body.status}`))],
      ['200 waiting_human'],
    );
    assert.equal((await findHandoffEvents(orgId)).length, 1);
  });

  it('returns 409 handoff_disabled if the bot offers no handoff, and changes nothing', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    const { status, body } = await visitor.post(`${path}/handoff`, {});
    assert.equal(formatOutcome({ status, body }), '409 handoff_disabled');
    assert.equal((await visitor.get(path)).body.status, 'active');
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started']);
  });

  it('returns 409 after the conversation ended', async () => {
    const { visitor, path } = await buildHandoffSession();
    await visitor.post(`${path}/end`);
    const { status, body } = await visitor.post(`${path}/handoff`, {});
    assert.equal(formatOutcome({ status, body }), '409 conflict');
  });

  it('reopens a resolved conversation', async () => {
    const { visitor, path, client, session } = await buildHandoffSession();
    await parley.database.sql('UPDATE conversations SET is_resolved = true WHERE id = $1', [
      session.session_id,
    ]);
    await visitor.post(`${path}/handoff`, {});
    assert.equal((await client.get(`/api/conversations/${session.session_id}`)).body.resolved, false);
  });

  describe('by a flow', () => {
    const requestHandoff = (
      orgId: string,
      conversationId: string,
      reason: string | null = 'Wants a refund.',
    ) =>
      parley.runtime.services.conversations.handoffs.request({ orgId, db: parley.database }, conversationId, {
        requestedBy: 'flow',
        reason,
      });

    it('creates the same request, attributed to the flow', async () => {
      const { visitor, path, session, bot, client, orgId } = await buildHandoffSession();
      await requestHandoff(orgId, session.session_id);
      assert.equal((await visitor.get(path)).body.status, 'waiting_human');
      const [item] = (await client.get('/api/inbox')).body.items;
      assert.deepEqual([item!.id, item!.handoff_reason], [session.session_id, 'Wants a refund.']);
      assert.deepEqual(await findHandoffEvents(orgId), [
        {
          conversation_id: session.session_id,
          bot_id: bot.id,
          reason: 'Wants a refund.',
          requested_by: 'flow',
        },
      ]);
      const mails = await parley.database.sql(
        "SELECT id FROM outbox WHERE org_id = $1 AND name = 'notifyHandoff'",
        [orgId],
      );
      assert.equal(mails.length, 1);
    });

    itInSoak('creates one request if the visitor requests a handoff at the same time', async () => {
      const { visitor, path, session, orgId } = await buildHandoffSession();
      await Promise.all([requestHandoff(orgId, session.session_id), visitor.post(`${path}/handoff`, {})]);
      assert.equal((await findHandoffEvents(orgId)).length, 1);
    });

    it('is refused without handoffs, after the conversation’s end, and in another workspace', async () => {
      const without = await buildSession(parley);
      const { visitor, path, session, orgId } = await buildHandoffSession();
      await assert.rejects(requestHandoff(without.orgId, without.session.session_id), {
        code: 'handoff_disabled',
      });
      await assert.rejects(requestHandoff(without.orgId, session.session_id), { code: 'forbidden' });
      await visitor.post(`${path}/end`);
      await assert.rejects(requestHandoff(orgId, session.session_id), { code: 'conflict' });
      assert.deepEqual(await findHandoffEvents(orgId), []);
    });
  });

  describe('with handoff_config', () => {
    const monday = ['monday'];
    const hours = { timezone: 'Europe/Berlin', periods: [{ days: monday, opens: '09:00', closes: '17:00' }] };
    const words = { waiting_message: 'Ten minutes, please.', closed_message: 'Our office is closed.' };
    let open: TestProcess;
    let closed: TestProcess;
    before(async () => {
      const clockAt = (now: string) => ({ clock: { now: () => new Date(now) } });
      open = await parley.startAnother({}, clockAt('2026-03-02T10:00:00Z'));
      closed = await parley.startAnother({}, clockAt('2026-03-02T18:00:00Z'));
    });

    const build = (handoff_config: object) => buildSession(parley, { handoff_enabled: true, handoff_config });
    const buildVisitor = (process: TestProcess, { session, path }: Awaited<ReturnType<typeof build>>) => {
      const visitor = process.client(session.visitor_token);
      return { ask: () => visitor.post(`${path}/handoff`, {}), state: () => visitor.get(path) };
    };

    it('stores the config as sent, and null clears it', async () => {
      const { client, bot } = await build({ hours });
      const path = `/api/bots/${bot.id}` as const;
      const stored = { hours };
      assert.deepEqual((await client.get(path)).body.handoff_config, stored);
      await client.patch(path, { name: 'Desk' });
      assert.deepEqual((await client.get(path)).body.handoff_config, stored);
      assert.equal((await client.patch(path, { handoff_config: null })).body.handoff_config, null);
    });

    for (const [what, config, field] of [
      ['a text in place of a list', { notify: 'ana@example.com' }, 'handoff_config.notify'],
      [
        'an unknown time zone',
        { hours: { ...hours, timezone: 'Europe/Atlantis' } },
        'handoff_config.hours.timezone',
      ],
      [
        'a period that ends before it begins',
        { hours: { ...hours, periods: [{ days: monday, opens: '17:00', closes: '09:00' }] } },
        'handoff_config.hours.periods[0].closes',
      ],
      [
        'an invalid time',
        { hours: { ...hours, periods: [{ days: monday, opens: '9', closes: '25:00' }] } },
        'handoff_config.hours.periods[0].opens',
      ],
      ['a user who is not a member', { notify: ['stranger@example.com'] }, 'handoff_config.notify[0]'],
    ] as [string, object, string][])
      it(`refuses ${what}, and changes nothing`, async () => {
        const { client, bot } = await build({});
        const { status, body, problem } = await client.patch(`/api/bots/${bot.id}`, {
          handoff_config: config,
        });
        assert.equal(formatOutcome({ status, body }), '422 validation_error');
        assert.equal(problem.details[0]!.field, field);
        assert.equal((await client.post('/api/bots', { name: 'Other', handoff_config: config })).status, 422);
        const { handoff_config } = (await client.get(`/api/bots/${bot.id}`)).body;
        assert.deepEqual(handoff_config, {});
      });

    it('refuses viewers in notify, and accepts other members by id and by address', async () => {
      const { client, bot, orgId, userId } = await build({});
      const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
      const setNotify = (notify: string[]) =>
        client.patch(`/api/bots/${bot.id}`, { handoff_config: { notify } });
      assert.equal((await setNotify([viewer.userId])).status, 422);
      assert.equal((await setNotify([userId, `${userId}@EXAMPLE.com`])).status, 200);
    });

    it('returns the team’s waiting message to the visitor', async () => {
      const built = await build({ hours, ...words });
      const { ask, state } = buildVisitor(open, built);
      const { status, body } = await ask();
      assert.deepEqual([status, body.status], [200, 'waiting_human']);
      const notice = {
        message: words.waiting_message,
        is_open: true,
        opens_at: null,
        accepts_requests: true,
      };
      assert.deepEqual(body.handoff_notice, notice);
      assert.deepEqual((await state()).body.handoff_notice, notice);
    });

    it('returns no message if the team’s message is invisible, so that the default is shown', async () => {
      const { ask } = buildVisitor(open, await build({ waiting_message: ' \u200b' }));
      assert.equal((await ask()).body.handoff_notice!.message, null);
    });

    it('accepts a request outside the hours, and returns when the hours begin', async () => {
      const built = await build({ hours, ...words });
      const { status, body } = await buildVisitor(closed, built).ask();
      assert.deepEqual([status, body.status], [200, 'waiting_human']);
      assert.deepEqual(body.handoff_notice, {
        message: words.closed_message,
        is_open: false,
        opens_at: '2026-03-09T08:00:00.000Z',
        accepts_requests: true,
      });
    });

    it('refuses a request outside the hours if accepts_when_closed is false', async () => {
      const built = await build({ hours, accepts_when_closed: false });
      const { ask, state } = buildVisitor(closed, built);
      const { status, body, problem } = await ask();
      assert.equal(formatOutcome({ status, body }), '409 handoff_disabled');
      assert.match(problem.error.message, /until 2026-03-09T08:00:00.000Z/);
      const { status: now, handoff_notice } = (await state()).body;
      assert.deepEqual([now, handoff_notice!.accepts_requests], ['active', false]);
      assert.equal((await buildVisitor(open, built).ask()).status, 200);
    });
  });
});
