import assert from 'node:assert/strict';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { waitUntilSaid, type WidgetPage } from '../support/widget-page.ts';
import { DAY_PASS, useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { ANSWER, listAllConversations, COUNTING } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

/** Browser script that counts the message drafts that the tab has stored. */
const DRAFTS = "Object.keys(sessionStorage).filter((key) => key.startsWith('parley-draft:')).length";
const HAS_ALL_ANSWERS = `Object.values(localStorage).join().includes('"pending":[]')`;

const waitForTyped = (visit: WidgetPage, text: string) =>
  waitUntil(async () => (await visit.input.inputValue()) === text, `“${text}” in the box`);

const isWhole = ({ scrollHeight, clientHeight }: { scrollHeight: number; clientHeight: number }) =>
  clientHeight > 20 && scrollHeight <= clientHeight;

describe('the widget with a history', () => {
  /** Builds a visitor's identity token with an invalid signature. */
  const buildUnsignedToken = (sub: string) =>
    `e30.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.x`;
  const scene = useWidgetScene();
  it('keeps messages through reloads and ratings until the visitor ends the conversation and starts a new conversation', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Hello');
    await waitUntilSaid(visit, ['user: Hello', ANSWER]);
    await visit.page.reload();
    await waitUntilSaid(visit, ['user: Hello', ANSWER]);
    await visit.say('Again');
    await waitUntilSaid(visit, ['user: Hello', ANSWER, 'user: Again', ANSWER]);
    assert.equal((await listAllConversations(client)).length, 1);

    const readRating = async () => (await listAllConversations(client))[0]!.rating;
    await visit.choose('Rate this chat');
    await visit.button('4 of 5').click();
    await visit.waitForText('Thanks for your feedback!');
    assert.equal(await readRating(), 4);
    await visit.choose('Rate this chat');
    await waitUntilEqual(() => visit.button('4 of 5').getAttribute('aria-pressed'), 'true');
    await visit.button('5 of 5').click();
    await visit.panel.getByText('How was this chat?').waitFor({ state: 'detached' });
    assert.equal(await readRating(), 5);

    await visit.choose('End chat');
    await visit.button('Cancel').click();
    await waitUntilEqual(() => visit.input.isVisible(), true);
    await visit.choose('End chat');
    await visit.button('End chat').click();
    await visit.waitForText('This conversation has ended.');
    await waitUntilEqual(() => visit.input.isVisible(), false);
    await visit.button('2 of 5').click();
    await visit.panel.locator('.ended .star.on').nth(2).waitFor({ state: 'detached' });
    await waitUntilEqual(() => visit.panel.locator('.ended .star.on').count(), 2);
    const [ended] = await listAllConversations(client);
    assert.deepEqual([ended!.status, ended!.rating], ['ended', 2]);
    await visit.page.reload();
    await visit.waitForText('This conversation has ended.');
    await visit.button('Start a new conversation').click();
    await waitUntilSaid(visit, []);
    await visit.say('Once more');
    await waitUntilSaid(visit, ['user: Once more', ANSWER]);
    assert.equal((await listAllConversations(client)).length, 2);
  });

  itInSoak('keeps a message draft for the next page of the tab until it is sent', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.input.pressSequentially('How much');
    await visit.page.reload();
    await waitForTyped(visit, 'How much');
    await waitUntilEqual(() => visit.input.evaluate(isWhole), true);
    const said: string[] = [];
    for (const width of [900, 360]) {
      await visit.page.setViewportSize({ width, height: 640 });
      const reloadPage = async () => {
        await visit.page.reload();
        if (width === 360) await visit.open();
      };
      await visit.input.fill('And\nfor two');
      await reloadPage();
      await waitForTyped(visit, 'And\nfor two');
      await waitUntilEqual(() => visit.input.evaluate(isWhole), true);
      await visit.say('And for two?');
      said.push('user: And for two?', ANSWER);
      await reloadPage();
      await waitUntilSaid(visit, said);
      await waitUntilEqual(() => visit.input.inputValue(), '');
      await waitUntilEqual(() => visit.page.evaluate(DRAFTS), 0);
    }
    assert.equal((await listAllConversations(client)).length, 1);
  });

  itInSoak('deletes the draft when another user is identified, or its conversation has ended', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const context = await scene.visits.createContext();
    const visit = await scene.visits.visit(bot, { context });
    await visit.open();
    await visit.say('Hello');
    await waitUntilSaid(visit, ['user: Hello', ANSWER]);
    await visit.input.fill('a secret');
    await visit.button('Close').first().click();
    const ada = JSON.stringify(buildUnsignedToken('ada'));
    await visit.page.evaluate(`Parley.identify(${ada})`);
    await visit.page.addInitScript(`window.ParleySettings = { identityToken: ${ada} }`);
    await visit.page.reload();
    await visit.open();
    await waitUntilEqual(
      async () => [await visit.input.inputValue(), await visit.page.evaluate(DRAFTS)],
      ['', 0],
    );
    await visit.say('Again');
    await waitUntilSaid(visit, ['user: Again', ANSWER]);
    await visit.input.fill('of this conversation');
    const html = `<script>window.ParleySettings = { identityToken: ${ada} }</script>`;
    const other = await scene.visits.visit(bot, { context, page: { html } });
    await other.open();
    await waitUntilSaid(other, ['user: Again', ANSWER]);
    await visit.page.goto('about:blank');
    await other.choose('End chat');
    await other.button('End chat').click();
    await other.button('Start a new conversation').click();
    await waitUntilSaid(other, []);
    await visit.page.goBack();
    await waitUntilSaid(visit, []);
    await waitUntilEqual(() => visit.input.inputValue(), '');
  });

  itInSoak('continues an answer after a reload, and sends the question once', async () => {
    const left = createOneTimeSignal();
    scene.answer = { text: COUNTING, pause: { after: 2, until: left.happened } };
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Count');
    await visit.waitForText(/^One two/);
    await visit.page.reload();
    left.happen();
    await waitUntilSaid(visit, ['user: Count', `assistant: ${COUNTING}`]);
    assert.equal((await listAllConversations(client))![0]!.message_count, 2);
    assert.equal(
      scene.model.requests.filter(({ body }) => body.messages.at(-1)?.content === 'Count').length,
      1,
    );
  });

  itInSoak(
    'starts a new session after the previous session has expired, and still shows its messages',
    async () => {
      const { bot, client } = await buildActiveBot(scene.parley);
      const visit = await scene.visits.visit(bot);
      await visit.open();
      await visit.say('Hello');
      await waitUntilSaid(visit, ['user: Hello', ANSWER]);
      const url = visit.page.url();
      // Leave the page, because a page with an open event stream keeps its session alive.
      await visit.page.goto('about:blank');
      await scene.parley.database.sql(
        "UPDATE conversations SET visitor_seen_at = now() - interval '2 hours' WHERE bot_id = $1",
        [bot.id],
      );
      let letRead!: () => void;
      const mayRead = new Promise<void>((resolve) => (letRead = resolve));
      const readings = /\/sessions\/[^/]+(\/messages\?[^/]*)?$/;
      await visit.page.route(readings, (route) => mayRead.then(() => route.continue()), { times: 2 });
      await visit.page.goto(url);
      await waitUntilSaid(visit, ['user: Hello', ANSWER]);
      await visit.say('Anybody there?');
      const said = ['user: Hello', ANSWER, 'user: Anybody there?', ANSWER];
      await waitUntilSaid(visit, said);
      letRead();
      await visit.say('Thank you');
      said.push('user: Thank you', ANSWER);
      await waitUntilSaid(visit, said);
      assert.equal((await listAllConversations(client)).length, 2);
      await visit.panel.locator('.separator').waitFor();
      await waitUntilEqual(() => visit.panel.locator('.separator').count(), 1);
      await visit.page.reload();
      await waitUntilSaid(visit, said);
      await visit.panel.locator('.separator').waitFor();
      await waitUntilEqual(() => visit.panel.locator('.failure').count(), 0);
      await visit.launcher.click();
      await scene.parley.database.sql(
        "UPDATE conversations SET status = 'ended', ended_at = now() WHERE bot_id = $1",
        [bot.id],
      );
      await visit.open();
      await visit.waitForText('This conversation has ended.');
      await waitUntilEqual(() => visit.input.isVisible(), false);
    },
  );

  itInSoak(
    'replaces a session that expires or ends while the page is open, and refuses a late rating',
    async () => {
      const { bot, client } = await buildActiveBot(scene.parley);
      const visit = await scene.visits.visit(bot);
      // Block the event stream, so that the page is not notified that the session has expired or ended.
      await visit.page.route('**/events', (route) => route.abort());
      await visit.open();
      const updateConversations = (change: string) =>
        scene.parley.database.sql(`UPDATE conversations SET ${change} WHERE bot_id = $1`, [bot.id]);
      await visit.say('one');
      await waitUntilSaid(visit, ['user: one', ANSWER]);
      await updateConversations("visitor_seen_at = now() - interval '2 hours'");
      await visit.say('two');
      await waitUntilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER]);
      await updateConversations("status = 'ended', ended_at = now()");
      await visit.say('three');
      await waitUntilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER, 'user: three', ANSWER]);
      assert.equal((await listAllConversations(client)).length, 3);
      await waitUntilEqual(() => visit.panel.locator('.separator').count(), 2);
      await waitUntilEqual(() => visit.panel.locator('.failure').count(), 0);
      await updateConversations("visitor_seen_at = now() - interval '2 hours'");
      await visit.choose('Rate this chat');
      await visit.button('4 of 5').click();
      await visit.waitForText('Ratings are closed for this conversation.');
      assert.ok((await listAllConversations(client)).every(({ rating }) => rating === null));
      await visit.say('four');
      await waitUntilSaid(
        visit,
        ['one', 'two', 'three', 'four'].flatMap((text) => [`user: ${text}`, ANSWER]),
      );
    },
  );

  itInSoak('shows nothing of a deleted conversation, in any tab or after a reload', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const one = await scene.visits.visit(bot);
    await one.open();
    await one.say('Hello');
    await waitUntilSaid(one, ['user: Hello', ANSWER]);
    const two = await scene.visits.visit(bot, { context: one.page.context() });
    await two.open();
    await waitUntilSaid(two, ['user: Hello', ANSWER]);
    const { id } = (await listAllConversations(client))[0]!;
    await client.delete(`/api/conversations/${id}`);
    for (const tab of [one, two]) await waitUntilSaid(tab, []);
    await waitUntilEqual(
      () => one.page.evaluate("Object.values(localStorage).join().includes('Hello')"),
      false,
    );
    await one.page.reload();
    await one.input.waitFor();
    assert.deepEqual(await one.readMessages(), []);
    await one.say('Again');
    for (const tab of [one, two]) await waitUntilSaid(tab, ['user: Again', ANSWER]);
  });

  itInSoak(
    'shows nothing of a conversation that was deleted while no page was open, whether or not its session had expired',
    async () => {
      const { bot, client } = await buildActiveBot(scene.parley);
      const visit = await scene.visits.visit(bot);
      const url = visit.page.url();
      /** Leaves the page once all answers are complete: the next page would send an unanswered message again. */
      const leavePage = async () => {
        await waitUntil(() => visit.page.evaluate<boolean>(HAS_ALL_ANSWERS), 'nothing pending');
        await visit.page.goto('about:blank');
      };
      const deleteConversation = async () =>
        client.delete(`/api/conversations/${(await listAllConversations(client))[0]!.id}`);
      await visit.open();
      await visit.say('Hello');
      await waitUntilSaid(visit, ['user: Hello', ANSWER]);
      await leavePage();
      await deleteConversation();
      await visit.page.goto(url);
      await visit.input.waitFor();
      await waitUntilSaid(visit, []);
      await waitUntilEqual(
        () => visit.page.evaluate("Object.values(localStorage).join().includes('Hello')"),
        false,
      );
      await visit.say('Again');
      await waitUntilSaid(visit, ['user: Again', ANSWER]);
      await leavePage();
      await scene.parley.database.sql(
        "UPDATE conversations SET visitor_seen_at = now() - interval '2 hours' WHERE bot_id = $1",
        [bot.id],
      );
      await visit.page.goto(url);
      await waitUntilSaid(visit, ['user: Again', ANSWER]);
      await visit.page.goto('about:blank');
      await deleteConversation();
      await visit.page.goto(url);
      await visit.input.waitFor();
      await waitUntilSaid(visit, []);
      await waitUntilEqual(
        () => visit.page.evaluate("Object.values(localStorage).join().includes('Again')"),
        false,
      );
      await visit.say('Once more');
      await waitUntilSaid(visit, ['user: Once more', ANSWER]);
    },
  );

  it('removes a conversation when another user signs in on the page, even if it is still being loaded', async () => {
    scene.answer = DAY_PASS;
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot, {
      attributes: `data-identity-token="${buildUnsignedToken('ada')}"`,
    });
    const asked: string[] = [];
    visit.page.on('request', (request) => {
      if (request.url().endsWith('/sessions')) asked.push(JSON.parse(request.postData()!).identity_token);
    });
    await visit.open();
    await visit.say('Hello');
    await waitUntilSaid(visit, ['user: Hello', ANSWER]);
    // The second request has no identity token: a token that the bot cannot verify identifies no user.
    assert.deepEqual(asked, [buildUnsignedToken('ada'), undefined]);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await visit.page.route(/\/messages\?/, async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const reading = visit.page.waitForRequest(/\/messages\?/);
    await visit.page.reload();
    await waitUntilSaid(visit, ['user: Hello', ANSWER]);
    await reading;
    await visit.page.evaluate(`Parley.identify(${JSON.stringify(buildUnsignedToken('grace'))})`);
    await waitUntilSaid(visit, []);
    await waitUntilEqual(
      () => visit.page.evaluate("Object.values(localStorage).join().includes('Hello')"),
      false,
    );
    const read = visit.page.waitForResponse(/\/messages\?/);
    release();
    await (await read).finished();
    await visit.page.evaluate('new Promise((done) => setTimeout(done, 100))');
    await waitUntilSaid(visit, []);
    await waitUntilEqual(
      () => visit.page.evaluate("Object.values(localStorage).join().includes('Hello')"),
      false,
    );
  });

  itInSoak('shows the end of a long conversation, and earlier messages on demand', async () => {
    const { bot, client, orgId } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Hello');
    await waitUntilSaid(visit, ['user: Hello', ANSWER]);
    const { id } = (await listAllConversations(client))[0]!;
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
    const expectReplies = (first: number) =>
      Array.from({ length: 1101 - first }, (_, index) => `agent: reply ${first + index}`);
    await waitUntilSaid(visit, expectReplies(601));
    const earlier = visit.button('Earlier messages');
    const findPosition = () => visit.panel.getByText('reply 601', { exact: true }).boundingBox();
    await earlier.scrollIntoViewIfNeeded();
    const before = await findPosition();
    await earlier.click();
    await waitUntilSaid(visit, expectReplies(101));
    assert.ok(Math.abs((await findPosition())!.y - before!.y) < 60, 'what was read has moved');
    await earlier.click();
    await waitUntilSaid(visit, ['user: Hello', ANSWER, ...expectReplies(1)]);
    await waitUntilEqual(() => earlier.isVisible(), false);
    await waitUntilEqual(() => visit.panel.locator('.separator').count(), 0);
    await visit.say('Thank you');
    await waitUntilSaid(visit, ['user: Hello', ANSWER, ...expectReplies(1), 'user: Thank you', ANSWER]);
  });

  itInSoak('shows its history during the visit if the browser blocks its storage', async () => {
    const context = await scene.visits.createContext();
    await context.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });`);
    const visit = await scene.visits.visit((await buildActiveBot(scene.parley)).bot, { context });
    await visit.open();
    await visit.say('one');
    await waitUntilSaid(visit, ['user: one', ANSWER]);
    await visit.say('two');
    await waitUntilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER]);
  });
});
