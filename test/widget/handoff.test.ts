import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { startParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntilSaid } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot, startSession } from '../support/widget.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { ANSWER, COUNTING } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const WAITING = 'Connecting you to the team… You can keep typing.';

describe('handoffs in the widget', () => {
  // Allow two event streams per session, so that a third tab closes the oldest stream.
  const scene = useWidgetScene((env) => startParley({ ...env, streamsPerSession: 2 }));

  /** Builds a bot that can hand over to the team. `conversation` reads the only conversation of its workspace. */
  async function buildHandoffBot(overrides: object = {}) {
    const org = await buildActiveBot(scene.parley, { handoff_enabled: true, ...overrides });
    const conversation = async () => {
      const { body } = await org.client.get('/api/conversations');
      assert.equal(body.items.length, 1);
      return body.items[0]!;
    };
    return { ...org, conversation };
  }

  it('connect the visitor to an agent, whose replies arrive live, and back to the bot', async () => {
    const { bot, client, conversation } = await buildHandoffBot({ name: 'Harbour Bikes' });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('What does a day pass cost?');
    await visit.waitForText('A day pass costs');
    await visit.button('Talk to a human').click();
    await visit.waitForText(WAITING);
    await waitUntilEqual(() => visit.button('Talk to a human').isVisible(), false);
    await visit.say('It is urgent');
    await waitUntilSaid(visit, ['user: What does a day pass cost?', ANSWER, 'user: It is urgent']);
    await waitUntilEqual(() => visit.panel.locator('.typing').isVisible(), false);

    const { id } = await conversation();
    await client.post(`/api/inbox/${id}/claim`);
    await visit.waitForText('Ada joined the chat');
    await visit.panel.locator('.header .subtitle').getByText('Ada', { exact: true }).waitFor();
    await client.post(`/api/inbox/${id}/reply`, { content: 'Hello, I am **Ada**.' });
    await waitUntilSaid(visit, [
      'user: What does a day pass cost?',
      ANSWER,
      'user: It is urgent',
      'agent: Hello, I am Ada.',
    ]);
    await takePicture(visit.page, 'widget-handoff');
    await client.post(`/api/inbox/${id}/release`);
    await visit.waitForText("You're back with the assistant");
    await visit.say('Thanks');
    await waitUntilSaid(visit, [
      'user: What does a day pass cost?',
      ANSWER,
      'user: It is urgent',
      'agent: Hello, I am Ada.',
      'user: Thanks',
      ANSWER,
    ]);
    await visit.button('Talk to a human').waitFor();
    assert.deepEqual(visit.errors, []);
  });

  itInSoak('show the visitor’s place in the queue, and update it while the visitor waits', async () => {
    const built = await buildHandoffBot();
    const { bot, client } = built;
    const earlier = await startSession(scene.parley, built);
    await earlier.visitor.post(`${earlier.path}/handoff`, {});
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.button('Talk to a human').click();
    await visit.waitForText(`${WAITING} Your place in line: 2.`);
    await client.post(`/api/inbox/${earlier.session.session_id}/claim`);
    await visit.waitForText(`${WAITING} Your place in line: 1.`);
    assert.deepEqual(visit.errors, []);
  });

  itInSoak(
    'close the oldest tab’s stream at the limit; that tab polls, and reconnects when it gets the focus',
    async function () {
      this.timeout(120_000);
      const { bot, client, conversation } = await buildHandoffBot();
      const first = await scene.visits.visit(bot);
      const context = first.page.context();
      const streams = new Map<Page, Request[]>();
      context.on('request', (request) => {
        if (!/\/events(\?|$)/.test(request.url())) return;
        const page = request.frame().page();
        streams.set(page, [...(streams.get(page) ?? []), request]);
      });
      const countStreams = () => [...streams.values()].flat().length;
      await first.open();
      await first.button('Talk to a human').click();
      await first.waitForText(WAITING);
      const tabs = [first];
      while (tabs.length < 3) {
        const tab = await scene.visits.visit(bot, { context });
        tabs.push(tab);
        await tab.open();
        await tab.waitForText(WAITING);
        await waitUntil(() => countStreams() === tabs.length, 'the stream of each tab');
      }
      const { id } = await conversation();
      await client.post(`/api/inbox/${id}/claim`);
      await client.post(`/api/inbox/${id}/reply`, { content: 'Good morning!' });
      for (const tab of tabs.slice(1)) await tab.waitForText('Good morning!');
      // The first tab polls for messages, without closing another tab’s event stream.
      await first.waitForText('Good morning!');
      assert.equal(countStreams(), 3);
      await first.page.evaluate("window.dispatchEvent(new Event('focus'))");
      await waitUntil(() => countStreams() === 4, 'the stream of the tab that is looked at');
      await client.post(`/api/inbox/${id}/reply`, { content: 'Still there?' });
      for (const tab of [first, ...tabs.slice(2)]) await tab.waitForText('Still there?');
      assert.equal(streams.get(first.page)?.length, 2);
      assert.equal(streams.get(tabs[1]!.page)?.length, 1);
      assert.equal(countStreams(), 4);
    },
  );

  itInSoak(
    'outside the hours, show when the team returns and whether the request is accepted, even after a reload',
    async () => {
      const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
      const there = new Date(Date.now() + 3 * 24 * 60 * 60_000);
      const day = names[there.getUTCDay()]!;
      const hours = { timezone: 'Etc/UTC', periods: [{ days: [day], opens: '10:00', closes: '11:00' }] };
      const { bot, client, conversation } = await buildHandoffBot({
        handoff_config: { hours, closed_message: 'The office is closed.', accepts_when_closed: false },
      });
      const visit = await scene.visits.visit(bot);
      await visit.open();
      const subtitle = visit.panel.locator('.header .subtitle');
      await subtitle.getByText(new RegExp(`^Team back ${day}`, 'i')).waitFor();
      await takePicture(visit.page, 'widget-away');
      await visit.button('Talk to a human').click();
      await visit.waitForText('I can help in the meantime.');
      await visit.waitForText("The office is closed. We're away until");
      await visit.waitForText(new RegExp(day, 'i'));
      assert.equal((await conversation())!.status, 'active');
      await client.patch(`/api/bots/${bot.id}`, { handoff_config: { hours } });
      await visit.button('Talk to a human').click();
      await visit.waitForText("We'll reply then.");
      assert.equal((await conversation())!.status, 'waiting_human');
      await visit.page.reload();
      await visit.waitForText("We'll reply then.");
      // The weekday is in the language of the widget's sentence, not the browser’s.
      const german = await scene.visits.visit(bot, { attributes: 'data-language="de"', locale: 'en-GB' });
      await german.open();
      await german.button('Mit einem Menschen sprechen').click();
      await german.waitForText(
        `Wir sind bis ${there.toLocaleDateString('de', { weekday: 'long', timeZone: 'UTC' })}`,
      );
    },
  );

  itInSoak(
    'show system messages in place, with their time, in the visitor’s language, even after a reload',
    async () => {
      const { bot, client, conversation } = await buildHandoffBot();
      const visit = await scene.visits.visit(bot, { attributes: 'data-language="de"', locale: 'en-GB' });
      await visit.open();
      await visit.say('Was kostet ein Tag?');
      await visit.waitForText('A day pass costs');
      await visit.button('Mit einem Menschen sprechen').click();
      await visit.waitForText('Wir haben das Team benachrichtigt.');
      const { id } = await conversation();
      await client.post(`/api/inbox/${id}/reply`, { content: 'Guten Tag.' });
      await client.post(`/api/inbox/${id}/assign`, { assigned_to_id: null });
      await client.post(`/api/conversations/${id}/resolve`);
      await visit.waitForText('Das Team hat dieses Anliegen als erledigt markiert.');
      await client.post(`/api/conversations/${id}/reopen`);
      await visit.waitForText('Gespräch wieder geöffnet');
      const listShownItems = () =>
        visit.panel.locator('.items > *').evaluateAll((all) => all.map((each) => each.innerText));
      const time = String.raw`\d\d:\d\d`;
      const expected = [
        /Was kostet ein Tag\?$/,
        /A day pass costs 12 euros\.$/,
        new RegExp(`^Wir haben das Team benachrichtigt\\. ${time}$`),
        new RegExp(`^Ada ist dem Chat beigetreten ${time}$`),
        /^Ada\n+Guten Tag\.$/,
        new RegExp(`^Wir verbinden Sie mit jemand anderem… ${time}$`),
        new RegExp(`^Das Team hat dieses Anliegen als erledigt markiert\\. .* ${time}$`),
        new RegExp(`^Gespräch wieder geöffnet ${time}$`),
      ];
      const checkItems = async () => {
        await waitUntil(
          async () => (await listShownItems()).length === expected.length,
          'all that has happened',
        );
        const lines = await listShownItems();
        for (const [index, line] of lines.entries()) assert.match(line, expected[index]!);
      };
      await checkItems();
      await visit.page.reload();
      await visit.waitForText('Gespräch wieder geöffnet');
      await checkItems();
      assert.deepEqual(visit.errors, []);
    },
  );

  itInSoak('offer a person if the bot has handoffs, even before the first message', async () => {
    const { bot, client, conversation } = await buildHandoffBot({ handoff_enabled: false });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await waitUntilEqual(() => visit.button('Talk to a human').count(), 0);
    await client.patch(`/api/bots/${bot.id}`, { handoff_enabled: true });
    await visit.page.reload();
    await visit.button('Talk to a human').click();
    await visit.waitForText(WAITING);
    assert.equal((await conversation())!.status, 'waiting_human');
  });

  itInSoak(
    'show visitor and agent to each other, even after a reload, until the conversation is resolved',
    async () => {
      const { bot, client, conversation } = await buildHandoffBot();
      const visit = await scene.visits.visit(bot);
      await visit.open();
      await visit.button('Talk to a human').click();
      await visit.waitForText(WAITING);
      const { body: inbox } = await client.get('/api/inbox');
      assert.equal(inbox.items[0]!.visitor_present, true);
      const url = visit.page.url();
      await visit.page.goto('about:blank');
      const { id } = await conversation();
      await client.post(`/api/inbox/${id}/reply`, { content: 'One moment.' });
      await visit.page.goto(url);
      await waitUntilSaid(visit, ['agent: One moment.']);
      const subtitle = visit.panel.locator('.header .subtitle');
      await subtitle.getByText('Ada', { exact: true }).waitFor();
      await client.post(`/api/inbox/${id}/release`);
      await visit.waitForText("You're back with the assistant");
      await client.post(`/api/inbox/${id}/claim`);
      await subtitle.getByText('Ada', { exact: true }).waitFor();
      await client.post(`/api/inbox/${id}/reply`, { content: 'Good morning!' });
      await waitUntilSaid(visit, ['agent: One moment.', 'agent: Good morning!']);
      const listSpeakers = () => visit.panel.locator('.items .message > .author').allInnerTexts();
      assert.deepEqual(await listSpeakers(), ['Ada', 'Ada']);
      await visit.page.reload();
      await waitUntilSaid(visit, ['agent: One moment.', 'agent: Good morning!']);
      assert.deepEqual(await listSpeakers(), ['Ada', 'Ada']);
      await subtitle.getByText('Ada', { exact: true }).waitFor();
      await client.post(`/api/conversations/${id}/resolve`);
      await visit.waitForText('The team marked this as resolved. You can keep chatting with the assistant.');
      await waitUntilEqual(() => visit.input.isVisible(), true);
    },
  );

  itInSoak(
    'count replies while the panel is closed or the visitor is between pages, and announce changes of status',
    async () => {
      const { bot, client, conversation } = await buildHandoffBot();
      const visit = await scene.visits.visit(bot);
      const badge = visit.launcher.locator('.badge');
      const oneIsNew = visit.page.getByRole('button', { name: 'Open the chat with Help desk: 1 new' });
      await visit.open();
      await visit.say('Hello');
      await visit.waitForText('A day pass costs');
      await visit.launcher.click();
      const { id } = await conversation();
      await client.post(`/api/inbox/${id}/claim`);
      await client.post(`/api/inbox/${id}/reply`, { content: 'Are you still there?' });
      await oneIsNew.waitFor();
      await waitUntilEqual(() => badge.textContent(), '1');
      await visit.open();
      const said = ['user: Hello', ANSWER, 'agent: Are you still there?'];
      await waitUntilSaid(visit, said);
      await waitUntilEqual(() => badge.isVisible(), false);

      const waitForAnnouncement = (text: string) =>
        visit.panel
          .locator('[role=status].unseen')
          .getByText(text, { exact: true })
          .waitFor({ state: 'attached' });
      await client.post(`/api/inbox/${id}/release`);
      await waitForAnnouncement("You're back with the assistant");
      await visit.button('Talk to a human').click();
      await waitForAnnouncement("We've notified the team.");
      await client.post(`/api/inbox/${id}/claim`);
      await waitForAnnouncement('Ada joined the chat');
      await visit.launcher.click();
      await client.post(`/api/inbox/${id}/release`);
      await client.post(`/api/inbox/${id}/claim`);
      await client.post(`/api/inbox/${id}/reply`, { content: 'One moment.' });
      await oneIsNew.waitFor();
      await visit.open();
      await waitUntilSaid(visit, [...said, 'agent: One moment.']);

      await visit.page.setViewportSize({ width: 390, height: 800 });
      const url = visit.page.url();
      await visit.page.goto('about:blank');
      await client.post(`/api/inbox/${id}/reply`, { content: 'Your bike is ready.' });
      await visit.page.goto(url);
      await visit.launcher.getByText('1', { exact: true }).waitFor();
      await visit.open();
      await waitUntilSaid(visit, [...said, 'agent: One moment.', 'agent: Your bike is ready.']);
      await waitUntilEqual(() => badge.isVisible(), false);
    },
  );

  itInSoak('confirm consent choices, ratings and failures to a waiting visitor', async () => {
    const { bot } = await buildHandoffBot();
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.button('Talk to a human').click();
    await visit.waitForText(WAITING);
    await visit.choose('Privacy');
    await visit.button("Don't allow").click();
    await visit.waitForText("Saved. We won't store your contact details.");
    await visit.say('It is urgent');
    await visit.waitForText(WAITING);
    await visit.choose('Rate this chat');
    await visit.button('4 of 5').first().click();
    await visit.waitForText('Thanks for your feedback!');
    await visit.page.route('**/end', (route) => route.fulfill({ status: 500, body: '{}' }));
    await visit.choose('End chat');
    await visit.button('End chat').click();
    await visit.waitForText('Something went wrong. Please try again.');
  });

  itInSoak('remove a partial answer of the bot when an agent takes over', async () => {
    const taken = createOneTimeSignal();
    scene.answer = { text: COUNTING, pause: { after: 2, until: taken.happened } };
    const { bot, client, conversation } = await buildHandoffBot();
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Count');
    await visit.waitForText(/^One two/);
    const { id } = await conversation();
    await client.post(`/api/inbox/${id}/claim`);
    await visit.waitForText('Ada joined the chat');
    taken.happen();
    await waitUntilSaid(visit, ['user: Count']);
    await client.post(`/api/inbox/${id}/reply`, { content: 'I will count.' });
    await waitUntilSaid(visit, ['user: Count', 'agent: I will count.']);
  });

  itInSoak(
    'ask for a rating after the conversation is resolved, until the next message, and hide no messages',
    async () => {
      const { bot, client, conversation } = await buildHandoffBot();
      const visit = await scene.visits.visit(bot, { viewport: { width: 390, height: 640 } });
      await visit.open();
      for (const question of ['One?', 'Two?', 'Three?']) {
        await visit.say(question);
        await visit.panel.getByText(question).last().waitFor();
        await visit.panel.getByText('12 euros').nth(['One?', 'Two?', 'Three?'].indexOf(question)).waitFor();
      }
      await visit.button('Talk to a human').click();
      await visit.waitForText(WAITING);
      const { id } = await conversation();
      await client.post(`/api/inbox/${id}/reply`, { content: 'It is done.' });
      await visit.waitForText('It is done.');
      await client.post(`/api/conversations/${id}/resolve`);
      const question = visit.panel.getByText('How was this chat?');
      await question.waitFor();
      const isWhole = () =>
        visit.panel.locator('.items > :last-child').evaluate((element) => {
          const frame = element.closest('.messages').getBoundingClientRect();
          return element.getBoundingClientRect().bottom <= frame.bottom;
        });
      await waitUntil(isWhole, 'the newest in view');
      await visit.button('5 of 5').click();
      await visit.waitForText('Thanks for your feedback!');
      await visit.panel.getByRole('button', { name: '5 of 5', pressed: true }).waitFor();
      await waitUntil(isWhole, 'the newest in view still');
      assert.equal((await conversation())!.rating, 5);
      await takePicture(visit.page, 'widget-rating');
      await visit.say('One more thing');
      await question.waitFor({ state: 'detached' });
      assert.deepEqual(visit.errors, []);
    },
  );
});
