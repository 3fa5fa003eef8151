import assert from 'node:assert/strict';
import { startOwnKeys, type OwnKeys } from '../encryption/own-key.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntilSaid, WidgetPage } from '../support/widget-page.ts';
import { DAY_PASS, useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const QUESTION = 'What does a day pass cost?';
const ANSWER = 'A day pass costs 12 euros.';

describe('the widget in a conversation', () => {
  const scene = useWidgetScene();
  let keys: OwnKeys | undefined;
  after(() => keys?.stop());

  it('shows only the launcher until it is opened, and then welcome message, starter questions and answers', async () => {
    const { bot } = await buildActiveBot(scene.parley, {
      name: 'Harbour Bikes',
      welcome_message: 'Hello! Ask me about **bikes**.',
      starter_questions: [QUESTION, 'When are you open?'],
    });
    const visit = await scene.visits.visit(bot);
    await visit.launcher.waitFor();
    await waitUntilEqual(() => visit.panel.isVisible(), false);
    await waitUntilEqual(() => visit.page.locator('body > *:not(h1, p, script)').count(), 0);
    await visit.open();
    await visit.waitForText('Hello! Ask me about');
    assert.deepEqual(await scene.parley.database.sql('SELECT id FROM conversations'), []);
    await visit.button(QUESTION).click();
    await waitUntilSaid(visit, [`user: ${QUESTION}`, `assistant: ${ANSWER}`]);
    await waitUntilEqual(
      () => visit.input.evaluate((field) => field === field.getRootNode().activeElement),
      true,
    );
    await waitUntilEqual(() => visit.panel.locator('.items strong').textContent(), '12 euros');
    await waitUntilEqual(() => visit.button(QUESTION).isVisible(), false);
    await visit.say('And a week?');
    const both = [`user: ${QUESTION}`, `assistant: ${ANSWER}`, 'user: And a week?', `assistant: ${ANSWER}`];
    await waitUntilSaid(visit, both);
    await takePicture(visit.page, 'widget-light');
    assert.deepEqual(visit.errors, []);
  });

  itInSoak(
    'shows the bot’s name and a greeting in the visitor’s language if the bot has no welcome message',
    async () => {
      const { bot } = await buildActiveBot(scene.parley, {
        name: 'Harbour Bikes',
        starter_questions: [QUESTION],
      });
      const visit = await scene.visits.visit(bot);
      await visit.open();
      const opening = visit.panel.locator('.opening');
      await waitUntilEqual(() => opening.innerText(), 'H\nHarbour Bikes\n\nHi! How can I help?');
      await takePicture(visit.page, 'widget-opening');
      await visit.button(QUESTION).click();
      await waitUntilSaid(visit, [`user: ${QUESTION}`, `assistant: ${ANSWER}`]);
      await waitUntilEqual(() => visit.panel.getByText('Hi! How can I help?').isVisible(), false);
    },
  );

  it('shows an answer while it is generated', async () => {
    const [begun, seen] = [createOneTimeSignal(), createOneTimeSignal()];
    scene.answer = {
      text: 'One two three four five',
      after: begun.happened,
      pause: { after: 2, until: seen.happened },
    };
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Count');
    await visit.panel.getByRole('img', { name: 'Help desk is typing…' }).waitFor();
    begun.happen();
    await waitUntil(
      async () => (await visit.readMessages())[1] === 'assistant: One two',
      'the first two words',
    );
    seen.happen();
    await waitUntilSaid(visit, ['user: Count', 'assistant: One two three four five']);
    await waitUntilEqual(() => visit.panel.locator('.typing').isVisible(), false);
  });

  itInSoak('keeps line breaks, sends no blank message, and refuses more than 20,000 characters', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('   ');
    await visit.input.fill('first');
    await visit.input.press('Shift+Enter');
    await visit.input.pressSequentially('second');
    await visit.button('Send').click();
    await waitUntilSaid(visit, ['user: first\nsecond', `assistant: ${ANSWER}`]);
    await visit.say('😀'.repeat(20_001));
    await visit.waitForText('This message is too long: 20001 of 20000 characters.');
    await waitUntilEqual(async () => (await visit.input.inputValue()).length, 40_002);
    assert.deepEqual(await visit.readMessages(), ['user: first\nsecond', `assistant: ${ANSWER}`]);
    await visit.say('😀'.repeat(20_000));
    await waitUntilSaid(visit, [
      'user: first\nsecond',
      `assistant: ${ANSWER}`,
      `user: ${'😀'.repeat(20_000)}`,
      `assistant: ${ANSWER}`,
    ]);
  });

  itInSoak(
    'scrolls to the first line of a long answer while it is generated, at its end and after a reload',
    async () => {
      const lines = Array.from({ length: 60 }, (_, line) => `Line ${line} of a long answer.`);
      scene.answer = { text: lines.join('\n\n'), tokenDelayMs: 2 };
      const { bot } = await buildActiveBot(scene.parley, { handoff_enabled: true });
      const visit = await scene.visits.visit(bot);
      await visit.open();
      await visit.say('Everything, please');
      const first = visit.panel.locator('.items').getByText('Line 0 of a long answer.');
      const last = visit.panel.locator('.items').getByText('Line 59 of a long answer.');
      const isInView = (line: typeof first) =>
        line.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          // The element has no frame while it is detached, when the complete answer replaces its partial
          // text.
          const frame = element.closest('.messages')?.getBoundingClientRect();
          return frame !== undefined && top >= frame.top && bottom <= frame.bottom;
        });
      await last.waitFor({ state: 'attached' });
      await visit.panel.getByRole('button', { name: 'Talk to a human' }).waitFor();
      const isAtStart = async () => (await isInView(first)) && !(await isInView(last));
      await waitUntil(isAtStart, 'the first line in view');
      // The widget must not scroll a visitor back up who has scrolled down.
      await visit.panel.locator('.messages').evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
      await visit.choose('Rate this chat');
      await visit.button('4 of 5').first().click();
      await visit.waitForText('Thanks for your feedback!');
      assert.equal(await isInView(last), true);
      await visit.page.reload();
      await last.waitFor({ state: 'attached' });
      await waitUntil(isAtStart, 'the first line in view again');
      scene.answer = 'Short.';
      await visit.say('And in short?');
      await visit.waitForText('Short.');
      const short = visit.panel.locator('.items').getByText('Short.');
      await waitUntil(() => isInView(short), 'the short answer in view');
    },
  );

  itInSoak('scrolls a wide table within its bubble, even on a phone', async () => {
    const cells = [
      'Electric city bike',
      'Twelve euros a day',
      'At every harbour of the city',
      'From 16 years on',
    ];
    const toTableRow = (texts: string[]) => `| ${texts.join(' | ')} |`;
    scene.answer = [
      toTableRow(['Bicycle', 'Price', 'Where', 'For whom']),
      toTableRow(['---', '---', '---', '---']),
      toTableRow(cells),
      toTableRow(cells),
    ].join('\n');
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot, { viewport: { width: 390, height: 700 } });
    await visit.open();
    await visit.say('Which bicycles?');
    await visit.panel
      .getByRole('cell', { name: cells.at(-1)! })
      .nth(1)
      .waitFor();
    const heights = await visit.panel
      .getByRole('cell')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    // Table cells wrap at most once; in an earlier version, each word had a separate line.
    assert.ok(Math.max(...heights) < 56, heights.join());
    const table = visit.panel.locator('.table');
    await waitUntilEqual(() => table.evaluate((frame) => frame.scrollWidth > frame.clientWidth), true);
    const messages = visit.panel.locator('.messages');
    await waitUntilEqual(() => messages.evaluate((frame) => frame.scrollWidth <= frame.clientWidth), true);
    await takePicture(visit.page, 'widget-table');
    await table.evaluate((frame) => frame.scrollTo(frame.scrollWidth, 0));
  });

  itInSoak(
    'reports a failed model with a button to ask again, a used-up monthly quota, and an inactive bot',
    async () => {
      scene.answer = { raw: { status: 400, contentType: 'application/json', body: '{}' } };
      const { bot, client } = await buildActiveBot(scene.parley);
      const visit = await scene.visits.visit(bot);
      await visit.open();
      await visit.say(QUESTION);
      await visit.button('Ask again').waitFor();
      await waitUntilEqual(() => visit.panel.locator('.message.error').count(), 1);
      scene.answer = DAY_PASS;
      await visit.button('Ask again').click();
      await visit.waitForText('A day pass costs');
      await waitUntilEqual(() => visit.button('Ask again').count(), 0);
      await client.patch(`/api/bots/${bot.id}`, { monthly_message_cap: 0 });
      await visit.say('two');
      await visit.waitForText("The assistant isn't available right now.");
      await client.patch(`/api/bots/${bot.id}`, { monthly_message_cap: null, status: 'paused' });
      await visit.say('three');
      await visit.waitForText('Chat is currently unavailable.');
    },
  );

  itInSoak(
    'reports an inactive bot while its workspace’s key is withdrawn, and sends the message once the key is available again',
    async () => {
      const org = await buildActiveBot(scene.parley);
      keys = await startOwnKeys(scene.parley);
      await keys.seal(org);
      const visit = await scene.visits.visit(org.bot);
      await visit.open();
      await visit.say('one');
      await waitUntilSaid(visit, ['user: one', `assistant: ${ANSWER}`]);
      keys.withdraw(org);
      await visit.page.reload();
      await visit.panel.waitFor();
      await waitUntilSaid(visit, ['user: one', `assistant: ${ANSWER}`]);
      await visit.say('two');
      await visit.waitForText('Chat is currently unavailable.');
      await waitUntilEqual(() => visit.panel.getByText('The connection is lost').count(), 0);
      keys.restore(org);
      await visit.button('Try again').click();
      await waitUntilSaid(visit, ['user: one', `assistant: ${ANSWER}`, 'user: two', `assistant: ${ANSWER}`]);
      const { body } = await org.client.get('/api/conversations');
      assert.deepEqual(
        body.items.map(({ message_count }) => message_count),
        [4],
      );
    },
  );

  itInSoak(
    'shows on the demo page, if that is enabled, the bot in the URL or else the newest bot of the first workspace',
    async () => {
      assert.equal((await fetch(`${scene.parley.baseUrl}/demo`)).status, 404);
      const { baseUrl, stop } = await scene.parley.startAnother({
        demoPage: true,
        baseUrl: 'http://localhost:3000',
      });
      const { bot, client } = await buildActiveBot(scene.parley, {
        name: 'Harbour Bikes',
        description: 'Answers riders & their guests.',
        starter_questions: [QUESTION],
        handoff_enabled: true,
      });
      try {
        const context = await scene.visits.createContext({ viewport: { width: 1100, height: 700 } });
        const visit = new WidgetPage(await context.newPage());
        await visit.page.goto(`${baseUrl}/demo?bot=${bot.public_key}`);
        await visit.page.getByRole('heading', { name: 'Harbour Bikes' }).waitFor();
        await visit.page.getByText('Answers riders & their guests.').waitFor();
        await visit.open();
        await visit.button(QUESTION).click();
        await waitUntilSaid(visit, [`user: ${QUESTION}`, `assistant: ${ANSWER}`]);
        await takePicture(visit.page, 'demo-page');
        assert.deepEqual(visit.errors, []);
        const { body: session } = await client.get('/api/conversations');
        assert.equal(session.total, 1);

        await scene.parley.database.sql('UPDATE orgs SET created_at = now() WHERE id <> $1', [bot.org_id]);
        await scene.parley.database.sql("UPDATE orgs SET created_at = '2020-01-01' WHERE id = $1", [
          bot.org_id,
        ]);
        await visit.page.goto(`${baseUrl}/demo`);
        await visit.page.getByRole('heading', { name: 'Harbour Bikes' }).waitFor();
        await client.patch(`/api/bots/${bot.id}`, { status: 'paused' });
        await visit.page.reload();
        await visit.page.getByRole('heading', { name: 'No bot is active yet' }).waitFor();
        await visit.page.getByText('To see a bot of another workspace, open /demo?bot=pk_…').waitFor();
        await visit.page.goto(`${baseUrl}/demo?bot=${bot.public_key}`);
        await visit.page.getByRole('heading', { name: 'No such bot is active' }).waitFor();
      } finally {
        await stop();
      }
    },
  );

  itInSoak('renders an answer of a megabyte without freezing the page', async () => {
    scene.answer = 'word **bold** [1] `x` '.repeat(45_000);
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Everything, please');
    await visit.panel.locator('.message.other').first().waitFor();
    const startedAt = Date.now();
    await visit.input.fill('still here');
    assert.ok(Date.now() - startedAt < 20_000);
  });
});
