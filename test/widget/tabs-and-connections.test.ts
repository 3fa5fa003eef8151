import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { DatabaseLink } from '../support/database-link.ts';
import type { ApiClient } from '../support/api-client.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { waitUntilSaid, WidgetVisits, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { ANSWER, listAllConversations, COUNTING } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('the widget in several tabs and on lost connections', () => {
  const scene = useWidgetScene();
  const overLinks: { link: DatabaseLink; visits: WidgetVisits }[] = [];
  afterEach(async () => {
    for (const { link, visits } of overLinks.splice(0)) {
      await visits.closeAll();
      await link.cut();
    }
  });

  /** Builds visits of a page with the widget over a connection that a test can cut. */
  async function buildCuttableVisits() {
    const link = new DatabaseLink(scene.parley.baseUrl);
    await link.connect();
    const baseUrl = link.url.replace(/\/$/, '');
    const one = { link, visits: new WidgetVisits({ baseUrl }, scene.browser, scene.site) };
    overLinks.push(one);
    return one;
  }

  itInSoak('shows the same messages and answers in progress in two tabs', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const one = await scene.visits.visit(bot);
    await one.open();
    const two = await scene.visits.visit(bot, { context: one.page.context() });
    await two.open();
    await one.say('Hello');
    await waitUntilSaid(one, ['user: Hello', ANSWER]);
    await waitUntilSaid(two, ['user: Hello', ANSWER]);
    await two.say('Again');
    await waitUntilSaid(two, ['user: Hello', ANSWER, 'user: Again', ANSWER]);
    await waitUntilSaid(one, ['user: Hello', ANSWER, 'user: Again', ANSWER]);
    assert.equal((await listAllConversations(client)).length, 1);
    const seen = createOneTimeSignal();
    scene.answer = { text: COUNTING, after: seen.happened };
    await one.say('Count');
    await two.panel.locator('.typing').waitFor();
    seen.happen();
    const said = ['user: Hello', ANSWER, 'user: Again', ANSWER, 'user: Count', `assistant: ${COUNTING}`];
    await waitUntilSaid(two, said);
    await two.panel.locator('.typing').waitFor({ state: 'hidden' });
    await one.choose('End chat');
    await one.button('End chat').click();
    await two.waitForText('This conversation has ended.');
    await two.button('Start a new conversation').click();
    await one.input.waitFor();
    await waitUntilSaid(one, []);
  });

  /** Waits until a conversation has this many messages, and returns them as the API lists them. */
  async function waitForStored(client: Pick<ApiClient, 'get'>, id: string, count: number): Promise<string[]> {
    const readMessages = async () => (await client.get(`/api/conversations/${id}/messages`)).body;
    await waitUntil(async () => (await readMessages()).length === count, `${count} messages`);
    return (await readMessages()).map(
      (each: { role: string; content: string }) => `${each.role}: ${each.content}`,
    );
  }

  itInSoak('shows the same order in two tabs that write at the same time', async () => {
    scene.answer = (question) => ({ text: `re ${question}`, delayMs: question === 'A1' ? 1500 : 0 });
    const { bot, client } = await buildActiveBot(scene.parley);
    const one = await scene.visits.visit(bot);
    await one.open();
    await one.say('first');
    await waitUntilSaid(one, ['user: first', 'assistant: re first']);
    const two = await scene.visits.visit(bot, { context: one.page.context() });
    await waitUntilSaid(two, []);
    await two.open();
    await waitUntilSaid(two, ['user: first', 'assistant: re first']);
    await Promise.all([one.say('A1'), two.say('B1')]);
    await one.waitForText('re A1');
    await two.waitForText('re B1');
    const { id } = (await listAllConversations(client))[0]!;
    const expected = await waitForStored(client, id, 6);
    await waitUntilSaid(one, expected);
    await waitUntilSaid(two, expected);
  });

  describe('in two tabs that start at the same time', () => {
    /**
     * Sends the first messages of a conversation from two tabs at once. Returns the tabs and the messages of
     * the resulting conversation.
     */
    async function startInTwoTabs(context?: BrowserContext, prepare?: (tabs: WidgetPage[]) => Promise<void>) {
      scene.answer = (question) => ({ text: `re ${question}`, tokenDelayMs: 20 });
      const { bot, client } = await buildActiveBot(scene.parley);
      const one = await scene.visits.visit(bot, context && { context });
      const two = await scene.visits.visit(bot, { context: one.page.context() });
      const tabs = [one, two];
      for (const tab of tabs) await tab.open();
      await prepare?.(tabs);
      await Promise.all([one.say('A1'), two.say('B1')]);
      for (const tab of tabs) {
        await tab.waitForText('re A1');
        await tab.waitForText('re B1');
      }
      const conversations = await listAllConversations(client);
      const { id } = conversations.filter((each) => each.message_count > 0)[0]!;
      const said = await waitForStored(client, id, 4);
      return { bot, tabs, conversations, said };
    }

    it('starts one conversation, shown in both tabs, and one replacement after the session has expired', async () => {
      const { bot, tabs, conversations, said } = await startInTwoTabs();
      assert.equal(conversations.length, 1);
      assert.equal(said.length, 4);
      for (const tab of tabs) await waitUntilSaid(tab, said);
      await tabs[1]!.say('C1');
      for (const tab of tabs) await waitUntilSaid(tab, [...said, 'user: C1', 'assistant: re C1']);
      // Set the tabs offline, because tabs with open event streams would keep the session alive.
      const context = tabs[0]!.page.context();
      await context.setOffline(true);
      for (const tab of tabs) await tab.waitForText("You're offline.");
      await scene.parley.database.sql(
        "UPDATE conversations SET visitor_seen_at = now() - interval '2 hours' WHERE bot_id = $1",
        [bot.id],
      );
      await Promise.all([tabs[0]!.say('A2'), tabs[1]!.say('B2')]);
      await context.setOffline(false);
      for (const tab of tabs) {
        await tab.waitForText('re A2');
        await tab.waitForText('re B2');
      }
      const findStored = () =>
        scene.parley.database.sql<{ role: string; content: string }>(
          `SELECT m.role, m.content FROM messages m JOIN conversations c ON c.id = m.conversation_id
           WHERE c.bot_id = $1 AND m.state = 'complete' ORDER BY m.created_at, m.id`,
          [bot.id],
        );
      await waitUntil(
        async () => (await findStored()).length === said.length + 2 + 4,
        'all answers to be whole',
      );
      const expected = (await findStored()).map(({ role, content }) => `${role}: ${content}`);
      const sessions = await scene.parley.database.sql('SELECT id FROM conversations WHERE bot_id = $1', [
        bot.id,
      ]);
      assert.equal(sessions.length, 2);
      for (const tab of tabs) {
        await waitUntilSaid(tab, expected);
        await waitUntilEqual(() => tab.panel.locator('.separator:visible').count(), 1);
      }
    });

    itInSoak('starts one conversation if each tab sees the other’s storage events 1.5 s late', async () => {
      const context = await scene.visits.createContext();
      await context.addInitScript(SEE_OTHER_TABS_LATE);
      const { conversations, said } = await startInTwoTabs(context);
      assert.equal(conversations.length, 1);
      assert.equal(said.length, 4);
    });

    itInSoak('starts one conversation on pages without https, where browsers have no Web Locks', async () => {
      const context = await scene.visits.createContext();
      await context.addInitScript('delete Navigator.prototype.locks');
      const { tabs, conversations, said } = await startInTwoTabs(context, async ([, two]) => {
        await two!.page.route('**/sessions', async (route) => {
          await two!.page.waitForTimeout(400);
          await route.continue();
        });
      });
      assert.equal(conversations.length, 1);
      assert.equal(said.length, 4);
      for (const tab of tabs) await waitUntilSaid(tab, said);
    });
  });

  it('resumes an answer after a lost connection, and fetches replies that were sent in the meantime', async () => {
    const lost = createOneTimeSignal();
    scene.answer = { text: COUNTING, pause: { after: 3, until: lost.happened } };
    const { link, visits } = await buildCuttableVisits();
    const { bot, client } = await buildActiveBot(scene.parley, { handoff_enabled: true });
    const visit = await visits.visit(bot);
    const resumed: (string | undefined)[] = [];
    visit.page.on('request', (request) => {
      if (request.url().endsWith('/stream')) resumed.push(request.headers()['last-event-id']);
    });
    await visit.open();
    await visit.say('Count');
    await visit.waitForText(/^One two three/);
    await link.cut();
    await visit.waitForText('Reconnecting…');
    await link.connect();
    lost.happen();
    await waitUntilSaid(visit, ['user: Count', `assistant: ${COUNTING}`]);
    await visit.panel.getByText('The connection is lost').waitFor({ state: 'hidden' });
    assert.equal(resumed[0], undefined);
    assert.match(resumed.at(-1)!, /^[0-9a-f-]{36}:\d+:\w+$/);
    const [conversation] = await listAllConversations(client);
    assert.equal(conversation!.message_count, 2);
    await visit.button('Talk to a human').click();
    await visit.waitForText('Connecting you to the team…');
    const replyAsAgent = (content: string) =>
      client.post(`/api/inbox/${conversation!.id}/reply`, { content });
    await replyAsAgent('one');
    const said = ['user: Count', `assistant: ${COUNTING}`, 'agent: one'];
    await waitUntilSaid(visit, said);
    await link.cut();
    await replyAsAgent('two');
    await replyAsAgent('three');
    await link.connect();
    await waitUntilSaid(visit, [...said, 'agent: two', 'agent: three']);
    await visits.closeAll();
  });

  itInSoak(
    'shows that the visitor is offline, and later sends messages written meanwhile, even first messages',
    async () => {
      const { bot, client } = await buildActiveBot(scene.parley);
      const visit = await scene.visits.visit(bot);
      await visit.open();
      const said: string[] = [];
      for (const text of ['one', 'two']) {
        await visit.page.context().setOffline(true);
        await visit.waitForText("You're offline. We'll send your message when you're back online.");
        await visit.say(text);
        await visit.waitForText('Sending…');
        if (text === 'two') await takePicture(visit.page, 'widget-offline');
        await visit.page.context().setOffline(false);
        said.push(`user: ${text}`, ANSWER);
        await waitUntilSaid(visit, said);
        await visit.panel.getByText("You're offline").waitFor({ state: 'hidden' });
      }
      const counts = (await listAllConversations(client)).map((each) => each.message_count);
      assert.deepEqual(counts, [4]);
    },
  );

  itInSoak('sends a failed message again, which is then stored once', async () => {
    const { bot, client } = await buildActiveBot(scene.parley, { rate_limit_per_minute: 1 });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('one');
    await waitUntilSaid(visit, ['user: one', ANSWER]);
    await visit.say('two');
    await visit.waitForText(/^You're sending messages too quickly\. Try again in \d+ s\.$/);
    await client.patch(`/api/bots/${bot.id}`, { rate_limit_per_minute: 100 });
    await visit.button('Try again').click();
    await waitUntilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER]);
    await waitUntilEqual(() => visit.button('Try again').count(), 0);
    assert.equal((await listAllConversations(client))![0]!.message_count, 4);
  });

  itInSoak('starts one session if the visitor leaves the page before the response arrives', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    const keys: (string | undefined)[] = [];
    await visit.page.route('**/sessions', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      await visit.page.reload();
    });
    await visit.say('one');
    await waitUntilSaid(visit, ['user: one', ANSWER]);
    assert.deepEqual(keys, [keys[0], keys[0]]);
    assert.deepEqual(
      (await listAllConversations(client)).map((each) => each.message_count),
      [2],
    );
  });

  itInSoak(
    'starts one session if the response is lost, and treats equal texts as separate messages',
    async () => {
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
      await waitUntilSaid(visit, ['user: one', ANSWER]);
      assert.equal(tries, 2);
      for (let times = 0; times < 3; times += 1) await visit.say('same');
      const same = ['user: same', ANSWER];
      await waitUntilSaid(visit, ['user: one', ANSWER, ...same, ...same, ...same]);
      const counts = (await listAllConversations(client)).map((each) => each.message_count);
      assert.deepEqual(counts, [8]);
    },
  );
});

/**
 * Browser script that runs in each page before its scripts. Delays storage events of other tabs by 1.5 s, as
 * a busy browser does.
 */
const SEE_OTHER_TABS_LATE = `
  if (location.protocol !== 'about:') {
    const { setItem, removeItem } = Storage.prototype;
    const seen = new Map(Object.entries(localStorage));
    const store = (key, value) => (value === null ? seen.delete(key) : seen.set(key, value));
    const delayed = new WeakSet();
    addEventListener('storage', (event) => {
      if (delayed.has(event)) return;
      event.stopImmediatePropagation();
      setTimeout(() => {
        const { key, newValue } = event;
        store(key, newValue);
        const again = new StorageEvent('storage', { key, newValue });
        delayed.add(again);
        dispatchEvent(again);
      }, 1500);
    });
    Storage.prototype.getItem = (key) => seen.get(key) ?? null;
    Storage.prototype.setItem = function (key, value) {
      setItem.call(this, key, value);
      store(key, value);
    };
    Storage.prototype.removeItem = function (key) {
      removeItem.call(this, key);
      store(key, null);
    };
  }
`;
