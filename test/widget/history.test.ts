import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { DatabaseLink } from '../support/database-link.ts';
import { takePicture } from '../support/pictures.ts';
import { untilSaid, WidgetVisits, type WidgetPage } from '../support/widget-page.ts';
import { DAY_PASS, widgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';

const ANSWER = 'assistant: A day pass costs 12 euros.';
const COUNTING = 'One two three four five six seven eight nine ten';

describe('the widget: history, tabs and lost connections', () => {
  /** Names somebody, proves nothing. */
  const tokenOf = (sub: string) => `e30.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.x`;
  const scene = widgetScene();
  const overLinks: { link: DatabaseLink; visits: WidgetVisits }[] = [];
  afterEach(async () => {
    for (const { link, visits } of overLinks.splice(0)) {
      await visits.closeAll();
      await link.down();
    }
  });

  /** Visits over a connection that can be cut. */
  async function overLink() {
    const link = new DatabaseLink(scene.parley.baseUrl);
    await link.up();
    const baseUrl = link.url.replace(/\/$/, '');
    const one = { link, visits: new WidgetVisits({ baseUrl }, scene.browser, scene.site) };
    overLinks.push(one);
    return one;
  }

  const conversationsOf = async (client: { get(path: string): Promise<{ body: any }> }) =>
    (await client.get('/api/conversations')).body.items;

  it('shows the conversation again when the page is loaded again, and stays open', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Hello');
    await untilSaid(visit, ['user: Hello', ANSWER]);
    await visit.page.reload();
    await untilSaid(visit, ['user: Hello', ANSWER]);
    await visit.say('Again');
    await untilSaid(visit, ['user: Hello', ANSWER, 'user: Again', ANSWER]);
    assert.equal((await conversationsOf(client)).length, 1);
  });

  it('goes on with an answer in whose middle the page was loaded again, and asks nothing twice', async () => {
    scene.answer = { text: COUNTING, tokenDelayMs: 300 };
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Count');
    await visit.sees(/^One two/);
    await visit.page.reload();
    await untilSaid(visit, ['user: Count', `assistant: ${COUNTING}`]);
    assert.equal((await conversationsOf(client))[0].message_count, 2);
    assert.equal(
      scene.model.requests.filter(({ body }) => body.messages.at(-1)?.content === 'Count').length,
      1,
    );
  });

  it('begins a new session quietly when the old one has expired, and still shows what was said', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Hello');
    await untilSaid(visit, ['user: Hello', ANSWER]);
    await scene.parley.database.sql(
      "UPDATE conversations SET visitor_seen_at = now() - interval '2 hours' WHERE bot_id = $1",
      [bot.id],
    );
    await visit.page.reload();
    await untilSaid(visit, ['user: Hello', ANSWER]);
    await visit.say('Anybody there?');
    await untilSaid(visit, ['user: Hello', ANSWER, 'user: Anybody there?', ANSWER]);
    assert.equal((await conversationsOf(client)).length, 2);
    await visit.panel.locator('.separator').waitFor();
    assert.equal(await visit.panel.locator('.separator').count(), 1);
    await visit.page.reload();
    await untilSaid(visit, ['user: Hello', ANSWER, 'user: Anybody there?', ANSWER]);
    await visit.panel.locator('.separator').waitFor();
    assert.equal(await visit.panel.locator('.failure').count(), 0);
  });

  it('replaces a session that expires, or ends by itself, while the page is open', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    // The page hears of neither.
    await visit.page.route('**/events', (route) => route.abort());
    await visit.open();
    const sql = (change: string) =>
      scene.parley.database.sql(`UPDATE conversations SET ${change} WHERE bot_id = $1`, [bot.id]);
    await visit.say('one');
    await untilSaid(visit, ['user: one', ANSWER]);
    await sql("visitor_seen_at = now() - interval '2 hours'");
    await visit.say('two');
    await untilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER]);
    await sql("status = 'ended', ended_at = now()");
    await visit.say('three');
    await untilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER, 'user: three', ANSWER]);
    assert.equal((await conversationsOf(client)).length, 3);
    assert.equal(await visit.panel.locator('.separator').count(), 2);
    assert.equal(await visit.panel.locator('.failure').count(), 0);
  });

  it('tells the visitor of a conversation that has ended by itself', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('one');
    await untilSaid(visit, ['user: one', ANSWER]);
    await visit.launcher.click();
    await scene.parley.database.sql(
      "UPDATE conversations SET status = 'ended', ended_at = now() WHERE bot_id = $1",
      [bot.id],
    );
    await visit.open();
    await visit.sees('This conversation has ended.');
    assert.equal(await visit.input.isVisible(), false);
  });

  it('shows nothing more of a conversation that was removed, in no tab and not after a reload', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const one = await scene.visits.visit(bot);
    await one.open();
    await one.say('Hello');
    await untilSaid(one, ['user: Hello', ANSWER]);
    const two = await scene.visits.visit(bot, { context: one.page.context() });
    await two.open();
    await untilSaid(two, ['user: Hello', ANSWER]);
    const [{ id }] = await conversationsOf(client);
    await client.delete(`/api/conversations/${id}`);
    for (const tab of [one, two]) await untilSaid(tab, []);
    assert.equal(await one.page.evaluate("Object.values(localStorage).join().includes('Hello')"), false);
    await one.page.reload();
    await one.input.waitFor();
    assert.deepEqual(await one.said(), []);
    await one.say('Again');
    for (const tab of [one, two]) await untilSaid(tab, ['user: Again', ANSWER]);
  });

  for (const isExpired of [false, true]) {
    const when = isExpired ? ', and whose session had expired before' : '';
    it(`shows nothing of a conversation that was removed while no page was open${when}`, async () => {
      const { bot, client } = await buildActiveBot(scene.parley);
      const context = await scene.visits.newContext();
      const first = await scene.visits.visit(bot, { context });
      await first.open();
      await first.say('Hello');
      await untilSaid(first, ['user: Hello', ANSWER]);
      // What has no whole answer yet would be sent again.
      await first.page.waitForFunction(`Object.values(localStorage).join().includes('"pending":[]')`);
      await first.close();
      const [{ id }] = await conversationsOf(client);
      if (isExpired) {
        await scene.parley.database.sql(
          "UPDATE conversations SET visitor_seen_at = now() - interval '2 hours' WHERE id = $1",
          [id],
        );
        const between = await scene.visits.visit(bot, { context });
        await between.open();
        await untilSaid(between, ['user: Hello', ANSWER]);
        await between.close();
      }
      await client.delete(`/api/conversations/${id}`);
      const later = await scene.visits.visit(bot, { context });
      await later.open();
      await untilSaid(later, []);
      assert.equal(await later.page.evaluate("Object.values(localStorage).join().includes('Hello')"), false);
      await later.say('Again');
      await untilSaid(later, ['user: Again', ANSWER]);
    });
  }

  it('keeps two tabs in step', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const one = await scene.visits.visit(bot);
    await one.open();
    const two = await scene.visits.visit(bot, { context: one.page.context() });
    await two.open();
    await one.say('Hello');
    await untilSaid(one, ['user: Hello', ANSWER]);
    await untilSaid(two, ['user: Hello', ANSWER]);
    await two.say('Again');
    await untilSaid(two, ['user: Hello', ANSWER, 'user: Again', ANSWER]);
    await untilSaid(one, ['user: Hello', ANSWER, 'user: Again', ANSWER]);
    assert.equal((await conversationsOf(client)).length, 1);
    await one.choose('End the conversation');
    await one.button('End the conversation').click();
    await two.sees('This conversation has ended.');
    await two.button('Start a new conversation').click();
    await one.input.waitFor();
    assert.deepEqual(await one.said(), []);
  });

  it('shows in the other tab that an answer is being made', async () => {
    scene.answer = { text: COUNTING, tokenDelayMs: 300 };
    const { bot } = await buildActiveBot(scene.parley);
    const one = await scene.visits.visit(bot);
    await one.open();
    const two = await scene.visits.visit(bot, { context: one.page.context() });
    await two.open();
    await one.say('Count');
    await two.panel.locator('.typing').waitFor();
    await untilSaid(two, ['user: Count', `assistant: ${COUNTING}`]);
    await two.panel.locator('.typing').waitFor({ state: 'hidden' });
  });

  it('reads on where it was when the connection is cut in the middle of an answer', async () => {
    scene.answer = { text: COUNTING, tokenDelayMs: 250 };
    const { link, visits } = await overLink();
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await visits.visit(bot);
    const resumed: (string | undefined)[] = [];
    visit.page.on('request', (request) => {
      if (request.url().endsWith('/stream')) resumed.push(request.headers()['last-event-id']);
    });
    await visit.open();
    await visit.say('Count');
    await visit.sees(/^One two three/);
    await link.down();
    await visit.sees('The connection is lost; trying to reconnect …');
    await link.up();
    await untilSaid(visit, ['user: Count', `assistant: ${COUNTING}`]);
    await visit.panel.getByText('The connection is lost').waitFor({ state: 'hidden' });
    assert.equal(resumed[0], undefined);
    assert.match(resumed.at(-1)!, /^[0-9a-f-]{36}:\d+:\w+$/);
    assert.equal((await conversationsOf(client))[0].message_count, 2);
    await visits.closeAll();
  });

  it('hears what a person said while the connection was cut', async () => {
    const { link, visits } = await overLink();
    const { bot, client } = await buildActiveBot(scene.parley, { handoff_enabled: true });
    const visit = await visits.visit(bot);
    await visit.open();
    await visit.button('Talk to a person').click();
    await visit.sees('Waiting for a person.');
    const [{ id }] = await conversationsOf(client);
    await client.post(`/api/inbox/${id}/reply`, { content: 'one' });
    await untilSaid(visit, ['agent: one']);
    await link.down();
    await client.post(`/api/inbox/${id}/reply`, { content: 'two' });
    await client.post(`/api/inbox/${id}/reply`, { content: 'three' });
    await link.up();
    await untilSaid(visit, ['agent: one', 'agent: two', 'agent: three']);
    await visits.closeAll();
  });

  it('says that the visitor is offline, and sends what was written once the connection is back', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('one');
    await untilSaid(visit, ['user: one', ANSWER]);
    await visit.page.context().setOffline(true);
    await visit.sees('You are offline. What you write is sent when the connection is back.');
    await visit.say('two');
    await visit.sees('Sending …');
    await takePicture(visit.page, 'widget-offline');
    await visit.page.context().setOffline(false);
    await untilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER]);
    await visit.panel.getByText('You are offline').waitFor({ state: 'hidden' });
    assert.equal((await conversationsOf(client))[0].message_count, 4);
  });

  it('sends a message that failed again, which is then there once', async () => {
    const { bot, client } = await buildActiveBot(scene.parley, { rate_limit_per_minute: 1 });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('one');
    await untilSaid(visit, ['user: one', ANSWER]);
    await visit.say('two');
    await visit.sees(/^That was a lot at once/);
    await client.patch(`/api/bots/${bot.id}`, { rate_limit_per_minute: 100 });
    await visit.button('Try again').click();
    await untilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER]);
    assert.equal(await visit.button('Try again').count(), 0);
    assert.equal((await conversationsOf(client))[0].message_count, 4);
  });

  it('takes no message for another one’s retry', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    for (let times = 0; times < 3; times += 1) await visit.say('same');
    await untilSaid(visit, ['user: same', ANSWER, 'user: same', ANSWER, 'user: same', ANSWER]);
    assert.equal((await conversationsOf(client))[0].message_count, 6);
  });

  it('forgets a conversation when another person signs in on the page', async () => {
    scene.answer = DAY_PASS;
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot, { attributes: `data-identity-token="${tokenOf('ada')}"` });
    const asked: string[] = [];
    visit.page.on('request', (request) => {
      if (request.url().endsWith('/sessions')) asked.push(JSON.parse(request.postData()!).identity_token);
    });
    await visit.open();
    await visit.say('Hello');
    await untilSaid(visit, ['user: Hello', ANSWER]);
    // A token that the bot cannot verify identifies nobody.
    assert.deepEqual(asked, [tokenOf('ada'), undefined]);
    await visit.page.reload();
    await untilSaid(visit, ['user: Hello', ANSWER]);
    await visit.page.evaluate(`Parley.identify(${JSON.stringify(tokenOf('grace'))})`);
    await untilSaid(visit, []);
    assert.equal(await visit.page.evaluate("Object.values(localStorage).join().includes('Hello')"), false);
  });

  it('shows nobody what is read of a conversation that the page has left', async () => {
    scene.answer = DAY_PASS;
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot, { attributes: `data-identity-token="${tokenOf('ada')}"` });
    await visit.open();
    await visit.say('Hello');
    await untilSaid(visit, ['user: Hello', ANSWER]);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await visit.page.route(/\/messages\?/, async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await visit.page.reload();
    await untilSaid(visit, ['user: Hello', ANSWER]);
    await visit.page.evaluate(`Parley.identify(${JSON.stringify(tokenOf('grace'))})`);
    await untilSaid(visit, []);
    const read = visit.page.waitForResponse(/\/messages\?/);
    release();
    await (await read).finished();
    await visit.page.evaluate('new Promise((done) => setTimeout(done, 100))');
    await untilSaid(visit, []);
  });

  it('shows the end of a long conversation, and what was said earlier to whoever asks for it', async () => {
    const { bot, client, orgId } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Hello');
    await untilSaid(visit, ['user: Hello', ANSWER]);
    const [{ id }] = await conversationsOf(client);
    await scene.parley.database.sql(
      "UPDATE messages SET created_at = created_at - interval '2 minutes' WHERE conversation_id = $1",
      [id],
    );
    await scene.parley.database.sql(
      `INSERT INTO messages (id, org_id, conversation_id, role, content, state, created_at)
       SELECT gen_random_uuid(), $1, $2, 'agent', 'reply ' || n, 'complete',
              now() - interval '1 minute' + n * interval '1 ms'
       FROM generate_series(1, 1100) n`,
      [orgId, id],
    );
    await visit.page.evaluate(`for (const key of Object.keys(localStorage)) {
      const { history, ...kept } = JSON.parse(localStorage[key]);
      localStorage[key] = JSON.stringify(kept);
    }`);
    await visit.page.reload();
    await visit.sees('reply 1100');
    const replies = (first: number) =>
      Array.from({ length: 1101 - first }, (_, index) => `agent: reply ${first + index}`);
    assert.deepEqual(await visit.said(), replies(601));
    const earlier = visit.button('Earlier messages');
    const place = () => visit.panel.getByText('reply 601', { exact: true }).boundingBox();
    await earlier.scrollIntoViewIfNeeded();
    const before = await place();
    await earlier.click();
    await untilSaid(visit, replies(101));
    assert.ok(Math.abs((await place())!.y - before!.y) < 60, 'what was read has moved');
    await earlier.click();
    await untilSaid(visit, ['user: Hello', ANSWER, ...replies(1)]);
    assert.equal(await earlier.isVisible(), false);
    assert.equal(await visit.panel.locator('.separator').count(), 0);
    await visit.say('Thank you');
    await untilSaid(visit, ['user: Hello', ANSWER, ...replies(1), 'user: Thank you', ANSWER]);
  });

  it('works where the browser keeps nothing', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const context = await scene.visits.newContext();
    await context.addInitScript(`
      const refuse = { get() { throw new DOMException('denied', 'SecurityError'); } };
      Object.defineProperty(window, 'localStorage', refuse);
      Object.defineProperty(window, 'sessionStorage', refuse);`);
    const visit = await scene.visits.visit(bot, { context });
    await visit.open();
    await visit.say('one');
    await untilSaid(visit, ['user: one', ANSWER]);
    await visit.say('two');
    await untilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER]);
  });

  it('sends a first message that was written offline once the connection is back', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.page.context().setOffline(true);
    await visit.say('one');
    await visit.sees('Sending …');
    await visit.page.context().setOffline(false);
    await untilSaid(visit, ['user: one', ANSWER]);
    await visit.panel.getByText('You are offline').waitFor({ state: 'hidden' });
    assert.equal((await conversationsOf(client)).length, 1);
  });

  it('begins one session when the answer to its beginning is lost', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    let tries = 0;
    await visit.page.route('**/sessions', async (route) => {
      tries += 1;
      if (tries > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await visit.say('one');
    await untilSaid(visit, ['user: one', ANSWER]);
    assert.equal(tries, 2);
    assert.equal((await conversationsOf(client)).length, 1);
  });

  it('shows the same in two tabs that talk at the same time', async () => {
    scene.answer = (question) => ({ text: `re ${question}`, delayMs: question === 'A1' ? 1500 : 0 });
    const { bot, client } = await buildActiveBot(scene.parley);
    const one = await scene.visits.visit(bot);
    await one.open();
    await one.say('first');
    await untilSaid(one, ['user: first', 'assistant: re first']);
    const two = await scene.visits.visit(bot, { context: one.page.context() });
    await untilSaid(two, []);
    await two.open();
    await untilSaid(two, ['user: first', 'assistant: re first']);
    await Promise.all([one.say('A1'), two.say('B1')]);
    await one.sees('re A1');
    await two.sees('re B1');
    const [{ id }] = await conversationsOf(client);
    const { body } = await client.get(`/api/conversations/${id}/messages`);
    const expected = body.map((each: { role: string; content: string }) => `${each.role}: ${each.content}`);
    assert.equal(expected.length, 6);
    await untilSaid(one, expected);
    await untilSaid(two, expected);
  });

  describe('in two tabs that begin at the same time', () => {
    /** Two tabs that say their first messages at once, and what the only conversation with messages has in the end. */
    async function beginTwice(context?: BrowserContext, prepare?: (tabs: WidgetPage[]) => Promise<void>) {
      scene.answer = (question) => ({ text: `re ${question}`, tokenDelayMs: 20 });
      const { bot, client } = await buildActiveBot(scene.parley);
      const one = await scene.visits.visit(bot, context && { context });
      const two = await scene.visits.visit(bot, { context: one.page.context() });
      const tabs = [one, two];
      for (const tab of tabs) await tab.open();
      await prepare?.(tabs);
      await Promise.all([one.say('A1'), two.say('B1')]);
      for (const tab of tabs) {
        await tab.sees('re A1');
        await tab.sees('re B1');
      }
      const conversations = await conversationsOf(client);
      const [{ id }] = conversations.filter((each: { message_count: number }) => each.message_count > 0);
      const { body } = await client.get(`/api/conversations/${id}/messages`);
      const said = body.map((each: { role: string; content: string }) => `${each.role}: ${each.content}`);
      return { bot, tabs, conversations, said };
    }

    it('there is one conversation, and both show all of it', async () => {
      const { tabs, conversations, said } = await beginTwice();
      assert.equal(conversations.length, 1);
      assert.equal(said.length, 4);
      for (const tab of tabs) await untilSaid(tab, said);
      await tabs[1]!.say('C1');
      for (const tab of tabs) await untilSaid(tab, [...said, 'user: C1', 'assistant: re C1']);
    });

    it('there is one on pages without https, too, whose browsers have no locks', async () => {
      const context = await scene.visits.newContext();
      await context.addInitScript('delete Navigator.prototype.locks');
      const { tabs, conversations, said } = await beginTwice(context, async ([, two]) => {
        await two!.page.route('**/sessions', async (route) => {
          await two!.page.waitForTimeout(400);
          await route.continue();
        });
      });
      assert.equal(conversations.length, 1);
      assert.equal(said.length, 4);
      for (const tab of tabs) await untilSaid(tab, said);
    });

    it('one session takes the place of one that has expired', async () => {
      const { bot, tabs, said } = await beginTwice();
      // Tabs are told milliseconds: two answers of the same one have no order that they could know.
      scene.answer = (question) => ({ text: `re ${question}`, delayMs: question === 'A2' ? 300 : 0 });
      await scene.parley.database.sql(
        "UPDATE conversations SET visitor_seen_at = now() - interval '2 hours' WHERE bot_id = $1",
        [bot.id],
      );
      await Promise.all([tabs[0]!.say('A2'), tabs[1]!.say('B2')]);
      for (const tab of tabs) {
        await tab.sees('re A2');
        await tab.sees('re B2');
      }
      const rows = await scene.parley.database.sql<{ role: string; content: string }>(
        `SELECT m.role, m.content FROM messages m JOIN conversations c ON c.id = m.conversation_id
         WHERE c.bot_id = $1 ORDER BY m.created_at, m.id`,
        [bot.id],
      );
      const expected = rows.map(({ role, content }) => `${role}: ${content}`);
      assert.equal(expected.length, said.length + 4);
      const sessions = await scene.parley.database.sql('SELECT id FROM conversations WHERE bot_id = $1', [
        bot.id,
      ]);
      assert.equal(sessions.length, 2);
      for (const tab of tabs) {
        await untilSaid(tab, expected);
        assert.equal(await tab.panel.locator('.separator:visible').count(), 1);
      }
    });
  });
});
