import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { buildFlowBot, OPTIONS, type DrawnFlow } from '../flows/flow-visits.ts';
import type { ApiClient } from '../support/api-client.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { waitUntilSaid, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { listAllConversations } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const CHOICES = OPTIONS.map(({ label }) => label);
const ASK = { text: 'What is it about?', input: 'choice', options: OPTIONS };
const ASKED = ['user: Hello', 'assistant: What is it about?'];
const NOTED = buildNode('end', { message: 'Noted.' });
const ASKING = buildGraph([buildNode('question', ASK, 'ask'), NOTED], 'ask end');
const GREETING = buildGraph(
  [buildNode('message', { text: 'Welcome to **Harbour Bikes**.' }), buildNode('question', ASK, 'ask'), NOTED],
  'message ask',
  'ask end',
);

const hasFocus = (place: Locator) =>
  place.evaluate((element) => element === element.getRootNode().activeElement);

describe('flow questions in the widget', () => {
  const scene = useWidgetScene();

  const findChips = (visit: WidgetPage) =>
    visit.panel.getByRole('group', { name: 'Please choose' }).getByRole('button');
  const waitForChoices = (visit: WidgetPage, labels: string[]) =>
    waitUntil(
      async () => String(await findChips(visit).allTextContents()) === String(labels),
      `the choices ${labels.join(', ')}`,
    );
  /** Returns the texts and the chosen options that the visitor has sent. */
  const listSent = async (client: Pick<ApiClient, 'get'>) => {
    const { id } = (await listAllConversations(client))[0]!;
    return scene.parley.database.sql<{ content: string; option_id: string | null }>(
      "SELECT content, option_id FROM messages WHERE conversation_id = $1 AND role = 'user' ORDER BY created_at",
      [id],
    );
  };

  /** Starts a conversation in which a flow, started by the first message, has asked its question. */
  async function startAskedConversation(graph: DrawnFlow['graph'] = ASKING, overrides: object = {}) {
    const built = await buildFlowBot(scene.parley, [{ graph, trigger: 'first_message' }], overrides);
    const visit = await scene.visits.visit(built.bot);
    await visit.open();
    await visit.say('Hello');
    return { ...built, visit };
  }

  it('show the flow’s messages first, and the choices as buttons that work once', async () => {
    const { bot, client } = await buildFlowBot(
      scene.parley,
      [{ graph: GREETING, trigger: 'conversation_started' }],
      { welcome_message: 'Not this', starter_questions: ['Nor this'] },
    );
    const visit = await scene.visits.visit(bot);
    await visit.launcher.waitFor();
    const requests: string[] = [];
    visit.page.on('request', (request) => requests.push(request.url()));
    await visit.open();
    await visit.waitForText('Welcome to Harbour Bikes.');
    await waitForChoices(visit, CHOICES);
    const names = requests.map((url) => new URL(url).pathname.split('-')[0]);
    assert.deepEqual(names, ['/widget/markdown']);
    await waitUntilEqual(() => visit.panel.getByText(/this/).filter({ visible: true }).count(), 0);
    await takePicture(visit.page, 'widget-choices');
    await visit.button('A refund').focus();
    await visit.page.keyboard.press('Tab');
    await waitUntilEqual(() => hasFocus(visit.button('Something else')), true);
    await visit.button('Something else').evaluate((chip) => {
      chip.click();
      chip.click();
    });
    await waitUntilSaid(visit, ['user: Something else', 'assistant: Noted.']);
    await waitUntilEqual(() => findChips(visit).count(), 0);
    await waitUntilEqual(() => hasFocus(visit.input), true);
    assert.deepEqual(await listSent(client), [{ content: 'Something else', option_id: 'other' }]);
  });

  itInSoak('are asked again below the earlier conversation when a visitor returns', async () => {
    const { bot, client } = await buildFlowBot(scene.parley, [
      { graph: GREETING, trigger: 'conversation_started' },
    ]);
    const visit = await scene.visits.visit(bot);
    const url = visit.page.url();
    await visit.open();
    await visit.button('A refund').click();
    const before = ['user: A refund', 'assistant: Noted.'];
    await waitUntilSaid(visit, before);
    await visit.page.goto('about:blank');
    await scene.parley.database.sql(
      "UPDATE conversations SET visitor_seen_at = now() - interval '2 hours' WHERE bot_id = $1",
      [bot.id],
    );
    await visit.page.goto(url);
    await waitForChoices(visit, CHOICES);
    const readLines = async () =>
      (await visit.panel.locator('.messages').innerText()).split('\n').filter(Boolean);
    assert.deepEqual(await readLines(), [
      'You:',
      'A refund',
      'Help desk:',
      'Noted.',
      'New conversation',
      'Help desk:',
      'Welcome to Harbour Bikes.',
      'What is it about?',
      ...CHOICES,
    ]);
    await visit.button('Something else').click();
    await waitUntilSaid(visit, [...before, 'user: Something else', 'assistant: Noted.']);
    assert.deepEqual((await readLines()).slice(4, -4), [
      'New conversation',
      'Help desk:',
      'Welcome to Harbour Bikes.',
      'What is it about?',
    ]);
    assert.equal((await listAllConversations(client)).length, 2);
  });

  itInSoak(
    'continue after a reload and in other tabs, until the visitor has answered in one tab',
    async () => {
      const nodes = [
        buildNode('question', ASK, 'ask'),
        buildNode('model_answer', { instructions: 'Be brief.' }),
        NOTED,
      ];
      const { bot, client, visit } = await startAskedConversation(
        buildGraph(nodes, 'ask model_answer', 'model_answer end', 'model_answer error end'),
      );
      await waitUntilSaid(visit, ASKED);
      await visit.page.reload();
      await waitForChoices(visit, CHOICES);
      const two = await scene.visits.visit(bot, { context: visit.page.context() });
      await two.open();
      await waitForChoices(two, CHOICES);
      const seen = createOneTimeSignal();
      scene.answer = { text: 'I see.', after: seen.happened };
      await two.button('A refund').click();
      for (const tab of [two, visit]) await waitForChoices(tab, []);
      seen.happen();
      for (const tab of [two, visit])
        await waitUntilSaid(tab, [...ASKED, 'user: A refund', 'assistant: I see.Noted.']);
      assert.deepEqual((await listSent(client)).at(-1), { content: 'A refund', option_id: 'refund' });
    },
  );

  itInSoak('offer no choices after a handoff request or the end of the conversation', async () => {
    const asked = { ...ASK, input: 'email', options: undefined };
    const { visit } = await startAskedConversation(
      buildGraph([buildNode('question', asked, 'ask'), NOTED], 'ask end'),
      {
        handoff_enabled: true,
      },
    );
    await visit.panel.locator('.composer input').waitFor();
    await visit.button('Talk to a human').click();
    await visit.input.waitFor();
    const { visit: other } = await startAskedConversation();
    await waitForChoices(other, CHOICES);
    await other.choose('End chat');
    await other.button('End chat').click();
    await waitForChoices(other, []);
  });

  itInSoak('send the picked option again after a failure', async () => {
    const { bot, client, visit } = await startAskedConversation();
    await waitForChoices(visit, CHOICES);
    await client.patch(`/api/bots/${bot.id}`, { status: 'paused' });
    await visit.button('A refund').click();
    await visit.waitForText('Chat is currently unavailable.');
    await waitUntilEqual(() => findChips(visit).count(), 0);
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    await visit.button('Try again').click();
    await waitUntilSaid(visit, [...ASKED, 'user: A refund', 'assistant: Noted.']);
    assert.deepEqual((await listSent(client)).at(-1), { content: 'A refund', option_id: 'refund' });
  });

  itInSoak('are announced together with their choices', async () => {
    const { visit } = await startAskedConversation();
    await waitForChoices(visit, CHOICES);
    await waitUntilEqual(
      () => visit.panel.locator('.unseen[role=status]').textContent(),
      'Help desk: What is it about? Please choose: A refund; Something else',
    );
  });

  itInSoak('keep a message that the visitor is typing when they appear', async () => {
    const asked = { text: 'When?', input: 'date' };
    const graph = buildGraph([buildNode('question', asked, 'ask'), NOTED], 'ask end');
    const { bot } = await buildFlowBot(scene.parley, [{ graph, trigger: 'first_message' }]);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.input.fill('half');
    const other = await scene.visits.visit(bot, { context: visit.page.context() });
    await other.open();
    await other.say('Hello');
    await waitForChoices(visit, ['Something else']);
    await waitUntilEqual(() => visit.input.inputValue(), 'half');
    await visit.input.fill('');
    await visit.panel.locator('.composer input[type=date]').waitFor();
  });

  itInSoak(
    'show the right input field, reject an invalid value once, and accept other messages',
    async () => {
      const kinds = ['email', 'phone', 'number', 'date'] as const;
      const questions = kinds.map((input) =>
        buildNode('question', { text: `Your ${input}?`, input, on_other: 'retry' }, input),
      );
      const graph = buildGraph(
        [...questions, NOTED],
        'email phone',
        'phone number',
        'number date',
        'date end',
      );
      const { visit } = await startAskedConversation(graph);
      const field = visit.panel.locator('.composer input');
      const said = ['user: Hello', 'assistant: Your email?'];
      const sendText = async (text: string, next: string) => {
        await field.press('Enter');
        said.push(`user: ${text}`, `assistant: ${next}`);
        await waitUntilSaid(visit, said);
      };
      const findField = (...names: string[]) => Promise.all(names.map((name) => field.getAttribute(name)));
      await waitUntilSaid(visit, said);
      assert.deepEqual(await findField('type', 'autocomplete', 'aria-label'), [
        'email',
        'email',
        'Your message',
      ]);
      await waitUntilEqual(() => hasFocus(field), true);
      await field.fill('nobody');
      await field.press('Enter');
      await visit.waitForText('Enter a valid email, e.g. ada@example.com. Or send it as is.');
      assert.deepEqual(await findField('aria-invalid'), ['true']);
      await takePicture(visit.page, 'widget-email');
      await sendText('nobody', 'Your email?');
      await field.fill('ada@example.com');
      await sendText('ada@example.com', 'Your phone?');
      assert.deepEqual(await findField('type', 'autocomplete'), ['tel', 'tel']);
      await field.fill('+31 20 123 4567');
      await sendText('+31 20 123 4567', 'Your number?');
      assert.deepEqual(await findField('inputmode'), ['decimal']);
      await field.fill('Why?');
      await sendText('Why?', 'Your number?');
      await field.fill('-1,5');
      await sendText('-1,5', 'Your date?');
      await field.pressSequentially('03');
      await field.press('Enter');
      await visit.waitForText('This field is required.');
      await visit.button('Something else').click();
      await waitUntilEqual(() => hasFocus(visit.input), true);
      await waitUntilEqual(() => findChips(visit).count(), 0);
      await visit.say('next week');
      said.push('user: next week', 'assistant: Your date?');
      await waitUntilSaid(visit, said);
      assert.deepEqual(await findField('type'), ['date']);
      await field.fill('2026-12-24');
      await sendText('2026-12-24', 'Noted.');
      await waitUntilEqual(() => visit.input.isVisible(), true);
    },
  );

  itInSoak(
    'show a flow’s form until it is sent or declined, or the visitor writes something else',
    async () => {
      const graph = buildGraph(
        [
          buildNode('lead_form', { text: 'Who are you?' }, 'form'),
          NOTED,
          buildNode('end', { message: 'As you like.' }, 'refused'),
        ],
        'form submitted end',
        'form refused refused',
      );
      const lead_capture_config = {
        enabled: true,
        trigger: 'manual',
        title: 'About you',
        fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
      };
      const asked = ['user: Hello', 'assistant: Who are you?'];
      const { bot, client, visit } = await startAskedConversation(graph, { lead_capture_config });
      await waitUntilSaid(visit, asked);
      await visit.page.reload();
      await visit.waitForText('About you');
      await visit.panel.getByLabel('Email').fill('ada@example.com');
      await visit.panel.getByLabel(/^I agree/).check();
      await visit.button('Send').first().click();
      await waitUntilSaid(visit, [...asked, 'user: Contact details sent', 'assistant: Noted.']);
      assert.deepEqual((await listSent(client)).at(-1), {
        content: 'Contact details sent',
        option_id: 'submitted',
      });
      for (const answer of ['Skip', 'No']) {
        const another = await scene.visits.visit(bot);
        await another.open();
        await another.say('Hello');
        await another.waitForText('About you');
        if (answer === 'No') await another.say(answer);
        else await another.button(answer).click();
        await waitUntilSaid(another, [...asked, `user: ${answer}`, 'assistant: As you like.']);
        await waitUntilEqual(() => another.panel.getByText('About you').count(), 0);
        await waitUntilEqual(() => hasFocus(another.input), true);
      }
    },
  );
});
