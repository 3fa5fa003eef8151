import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { buildActiveBot, buildSession, findOutboxEvents } from '../support/widget.ts';

describe('the widget:', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  describe('getWidgetConfig', () => {
    it('returns an active bot’s public settings, to any origin', async () => {
      const { bot } = await buildActiveBot(parley, {
        welcome_message: 'Hello',
        starter_questions: ['Prices?'],
      });
      const response = await parley.client().fetch(`/api/public/bots/${bot.public_key}/config`, {
        headers: { origin: 'https://shop.example' },
      });
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.deepEqual(await response.json(), {
        public_key: bot.public_key,
        name: 'Help desk',
        language: 'auto',
        welcome_message: 'Hello',
        starter_questions: ['Prices?'],
        theme: {},
        lead_capture: null,
        booking: null,
        directory: null,
        handoff_enabled: false,
        opening: null,
        team: null,
      });
    });

    it('returns a directory’s entries without links and metadata', async () => {
      const entries = [
        { name: 'Dr. Rivera', category: 'Uptown', link: 'https://book.example/rivera', metadata: { pay: 3 } },
        { name: 'Zoe' },
      ];
      const directory_config = { enabled: true, category_label: 'Branch', entries };
      const { client, bot } = await buildActiveBot(parley, { directory_config });
      const readDirectory = async () =>
        (await parley.client().get(`/api/public/bots/${bot.public_key}/config`)).body.directory;
      assert.deepEqual(await readDirectory(), {
        category_label: 'Branch',
        choice_label: 'Specialist',
        entries: [
          { category: 'Uptown', name: 'Dr. Rivera' },
          { category: '', name: 'Zoe' },
        ],
      });
      await client.patch(`/api/bots/${bot.id}`, {
        directory_config: { ...directory_config, enabled: false },
      });
      assert.equal(await readDirectory(), null);
    });

    it('returns 404 for a bot that is not active or not public', async () => {
      const { client, bot } = await buildActiveBot(parley);
      const readStatus = async () =>
        (await parley.client().get(`/api/public/bots/${bot.public_key}/config`)).status;
      assert.equal(await readStatus(), 200);
      await client.patch(`/api/bots/${bot.id}`, { is_public: false });
      assert.equal(await readStatus(), 404);
      await client.patch(`/api/bots/${bot.id}`, { is_public: true, status: 'paused' });
      assert.equal(await readStatus(), 404);
    });

    const cases: [string[] | null, string | null, number][] = [
      [null, null, 200],
      [null, 'https://anything.example', 200],
      [[], 'https://anything.example', 403],
      [['shop.example'], 'https://shop.example', 200],
      [['shop.example'], 'https://shop.example:8443', 200],
      [['shop.example'], 'https://SHOP.example', 200],
      [['shop.example'], 'https://www.shop.example', 403],
      [['shop.example'], 'https://notshop.example', 403],
      [['shop.example'], 'https://shop.example.evil.test', 403],
      [['shop.example'], 'null', 403],
      [['shop.example'], null, 403],
      [['*.shop.example'], 'https://www.shop.example', 200],
      [['*.shop.example'], 'https://a.b.shop.example', 200],
      [['*.shop.example'], 'https://shop.example', 403],
      [['*.shop.example'], 'https://evilshop.example', 403],
      [['müller.example'], 'https://xn--mller-kva.example', 200],
      [['localhost:5173'], 'http://localhost:5173', 200],
      [['localhost:5173'], 'http://localhost:5174', 403],
      [['localhost:5173'], 'http://localhost', 403],
      [['localhost'], 'http://localhost:5173', 200],
      [['shop.example:443'], 'https://shop.example', 200],
      [['shop.example:443'], 'http://shop.example', 403],
      [['shop.example:80'], 'http://shop.example', 200],
      [['*.shop.example:8443'], 'https://www.shop.example:8443', 200],
      [['*.shop.example:8443'], 'https://www.shop.example', 403],
      [['[::1]:5173'], 'http://[::1]:5173', 200],
      [['[::1]'], 'http://[::1]:5173', 200],
    ];
    it('asks for the public_key if the path contains the id of a bot, whether or not that bot exists', async () => {
      const { bot } = await buildActiveBot(parley);
      for (const id of [bot.id, newId()]) {
        const { status, problem } = await parley.client().get(`/api/public/bots/${id}/config`);
        assert.deepEqual(
          [status, problem.error.message],
          [
            404,
            'There is no active bot with this public key. This looks like a bot’s id; use its public_key (pk_…).',
          ],
        );
      }
    });

    it('warns that the API key is now public if it is in the path in place of the public key', async () => {
      const { status, problem } = await parley
        .client()
        .get(`/api/public/bots/parley_live_${'0'.repeat(36)}/config`);
      assert.deepEqual(
        [status, problem.error.message],
        [
          404,
          'This is an API key, which is now public. Remove it from the page, revoke it, and use the bot’s public_key (pk_…).',
        ],
      );
    });

    it('says whether the page is not allowed, or the request names no page', async () => {
      const { bot } = await buildActiveBot(parley, { allowed_domains: ['shop.example'] });
      const read = async (headers: Record<string, string>) =>
        (await parley.client().get(`/api/public/bots/${bot.public_key}/config`, headers)).problem.error
          .message;
      assert.equal(
        await read({ origin: 'https://evil.example' }),
        'The bot is not allowed on this page: the page’s host evil.example is not one of its allowed domains.',
      );
      assert.equal(
        await read({ origin: 'http://localhost:3480' }),
        'The bot is not allowed on this page: the page’s host localhost:3480 is not one of its allowed domains.',
      );
      assert.equal(
        await read({ origin: 'null' }),
        'The bot is not allowed on this page, which has no host: it was opened from disk or is sandboxed. Serve it over HTTP.',
      );
      assert.equal(
        await read({}),
        'The bot is only allowed on pages of its allowed domains, and the request does not name its page. Outside a browser, send an allowed page as Origin.',
      );
    });

    it('says that page_url does not replace the header Origin', async () => {
      const { bot } = await buildActiveBot(parley, { allowed_domains: ['shop.example'] });
      const path = `/api/public/bots/${bot.public_key}/sessions` as const;
      const { problem } = await parley.client().post(path, { page_url: 'https://shop.example/prices' });
      assert.equal(
        problem.error.message,
        'The bot is only allowed on pages of its allowed domains, and page_url alone does not prove the page. Outside a browser, send the header Origin with an allowed page, such as https://shop.example.com.',
      );
    });

    it('returns 403 to any page if the list of allowed domains is empty, and says so', async () => {
      const { bot } = await buildActiveBot(parley, { allowed_domains: [] });
      const path = `/api/public/bots/${bot.public_key}/config` as const;
      for (const headers of [{ origin: 'https://shop.example' }, {}] as Record<string, string>[]) {
        const { status, problem } = await parley.client().get(path, headers);
        assert.deepEqual(
          [status, problem.error.message],
          [403, 'The bot is not allowed on any page: its list of allowed domains is empty.'],
        );
      }
    });

    for (const [domains, origin, expected] of cases) {
      it(`returns ${expected} to origin ${origin} if ${JSON.stringify(domains)} may embed the bot`, async () => {
        const { bot } = await buildActiveBot(parley, { allowed_domains: domains });
        const headers: Record<string, string> = origin === null ? {} : { origin };
        const path = `/api/public/bots/${bot.public_key}` as const;
        assert.equal((await parley.client().get(`${path}/config`, headers)).status, expected);
        const { status } = await parley.client().post(`${path}/sessions`, {}, headers);
        assert.equal(status, expected === 200 ? 201 : expected);
      });
    }
  });

  describe('startWidgetSession', () => {
    it('starts a conversation, counts it and emits conversation.started', async () => {
      const { session, client, bot, orgId } = await buildSession(parley);
      assert.equal(session.expires_in, 1800);
      const { body } = await client.get(`/api/conversations/${session.session_id}`);
      assert.equal(body.status, 'active');
      assert.equal(body.visitor_id, session.visitor_id);
      assert.deepEqual(body.messages, []);
      assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_conversations, 1);
      assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started']);
    });

    it('starts each concurrent session at its own bot, and refuses an unknown key', async () => {
      const built = [await buildActiveBot(parley), await buildActiveBot(parley)];
      const publicKeys = [...built.map(({ bot }) => bot.public_key), 'pk_unknown'];
      const started = await Promise.all(
        publicKeys.map((key) => parley.client().post(`/api/public/bots/${key}/sessions`, {})),
      );
      assert.deepEqual(
        started.map(({ status }) => status),
        [201, 201, 404],
      );
      for (const [index, { client, bot }] of built.entries()) {
        const { body } = await client.get(`/api/conversations/${started[index]!.body.session_id}`);
        assert.equal(body.bot_id, bot.id);
      }
    });

    it('stores page_url and referrer unless they are script URLs', async () => {
      const { bot, client } = await buildActiveBot(parley);
      const path = `/api/public/bots/${bot.public_key}/sessions` as const;
      const startAndRead = async (page_url: string, referrer: string) => {
        const { body: session } = await parley.client().post(path, { page_url, referrer });
        const { body } = await client.get(`/api/conversations/${session.session_id}`);
        return [body.page_url, body.referrer];
      };
      const [page, referrer] = ['https://shop.example/prices', 'app://shop/home'];
      assert.deepEqual(await startAndRead(page, referrer), [page, referrer]);
      assert.deepEqual(await startAndRead('javascript:alert(1)', ' data:text/html,x'), [null, null]);
    });

    it('accepts the page’s visitor_id, and refuses an identity token that it cannot verify', async () => {
      const { bot } = await buildActiveBot(parley);
      const path = `/api/public/bots/${bot.public_key}/sessions` as const;
      assert.equal((await parley.client().post(path, { visitor_id: 'v-1' })).body.visitor_id, 'v-1');
      const { status, problem } = await parley.client().post(path, { identity_token: 'x.y.z' });
      assert.equal(status, 422);
      assert.equal(problem.details[0]!.field, 'identity_token');
    });

    itInSoak('counts and emits each of 200 simultaneous sessions at two processes', async () => {
      const { bot, client, orgId } = await buildActiveBot(parley);
      const another = await parley.startAnother();
      const path = `/api/public/bots/${bot.public_key}/sessions` as const;
      const visitors = Array.from({ length: 200 }, (_, index) => (index % 2 ? parley : another).client());
      const responses = await Promise.all(
        visitors.map((visitor, index) =>
          visitor.post(path, {}, index % 10 ? {} : { 'idempotency-key': `session-${orgId}-${index}` }),
        ),
      );
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]));
      assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_conversations, 200);
      const announced = await parley.database.sql<{ id: string }>(
        "SELECT payload->>'conversation_id' AS id FROM outbox WHERE org_id = $1 AND name = 'conversation.started'",
        [orgId],
      );
      assert.deepEqual(
        announced.map(({ id }) => id).sort(),
        responses.map(({ body }) => body.session_id).sort(),
      );
    });

    const ends: [string, string][] = [
      ['deleted', 'deleted_at = now()'],
      ['paused', "status = 'paused'"],
      ['made private', 'is_public = false'],
    ];
    for (const [what, change] of ends) {
      it(`returns no session of a bot that was ${what} meanwhile, and starts those of other bots`, async () => {
        const { bot, orgId } = await buildActiveBot(parley);
        const other = await buildActiveBot(parley);
        const startSession = (key: string) => parley.client().post(`/api/public/bots/${key}/sessions`, {});
        const [sessions] = await parley.database.transaction(async (tx) => {
          await tx.sql(`UPDATE bots SET ${change} WHERE id = $1`, [bot.id]);
          const asked = [
            startSession(bot.public_key),
            startSession(bot.public_key),
            startSession(other.bot.public_key),
          ];
          await waitUntilBlocked(tx, 'a session');
          return [Promise.all(asked)];
        });
        assert.deepEqual(
          (await sessions!).map(({ status }) => status),
          [404, 404, 201],
        );
        assert.deepEqual(await findOutboxEvents(parley, orgId), []);
        assert.deepEqual(await findOutboxEvents(parley, other.orgId), ['conversation.started']);
      });
    }
  });

  describe('visitor tokens', () => {
    it('give access only to their own session', async () => {
      const { session, visitor, path } = await buildSession(parley);
      const other = await buildSession(parley);
      assert.equal((await visitor.get(path)).status, 200);
      assert.equal((await visitor.get(other.path)).status, 403);
      assert.equal((await visitor.get('/api/bots')).status, 401);
      assert.equal((await parley.client().get(path)).status, 401);
      assert.equal((await parley.client(`${session.visitor_token}x`).get(path)).status, 401);
      const [payload, signature] = session.visitor_token.split('.');
      const forged = Buffer.from(JSON.stringify({ conversation_id: other.session.session_id })).toString(
        'base64url',
      );
      assert.equal((await parley.client(`${forged}.${signature}`).get(other.path)).status, 401);
      assert.equal((await parley.client(payload).get(path)).status, 401);
    });

    it('expire half an hour after their last use', async () => {
      const { session, visitor, path } = await buildSession(parley);
      const setSeenMinutesAgo = (minutes: number) =>
        parley.database.sql(
          `UPDATE conversations SET visitor_seen_at = now() - $2 * interval '1 minute' WHERE id = $1`,
          [session.session_id, minutes],
        );
      await setSeenMinutesAgo(29);
      assert.equal((await visitor.get(path)).status, 200);
      const [row] = await parley.database.sql<{ fresh: boolean }>(
        "SELECT visitor_seen_at > now() - interval '1 minute' AS fresh FROM conversations WHERE id = $1",
        [session.session_id],
      );
      assert.equal(row!.fresh, true);
      await setSeenMinutesAgo(31);
      assert.equal((await visitor.get(path)).status, 401);
    });
  });

  it('getWidgetSession returns the state for a reload; its form is due after the visitor’s second message', async () => {
    const { visitor, path, session } = await buildSession(parley, {
      lead_capture_config: {
        enabled: true,
        trigger: 'after_n_messages',
        trigger_value: 2,
        fields: [{ key: 'email', label: 'Email' }],
      },
    });
    const before = await visitor.get(path);
    assert.deepEqual(before.body, {
      session_id: session.session_id,
      visitor_id: session.visitor_id,
      status: 'active',
      handoff_enabled: false,
      agent_name: null,
      lead_form_due: false,
      consent: 'unknown',
      consent_at: null,
      message_count: 0,
      rating: null,
    });
    await visitor.post(`${path}/messages`, { content: 'Hi' });
    const { body: after } = await visitor.get(path);
    assert.deepEqual([after.message_count, after.lead_form_due], [2, false]);
    await visitor.post(`${path}/messages`, { content: 'When are you open?' });
    assert.equal((await visitor.get(path)).body.lead_form_due, true);
  });
});
