import assert from 'node:assert/strict';
import { takePicture } from '../support/pictures.ts';
import { waitUntilSaid, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { ANSWER, listAllConversations } from './support.ts';
import type { ApiClient } from '../support/api-client.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const CONSENT = 'I agree to the storage of my contact details so you can get back to me.';

const buildLeadCapture = (overrides: object = {}) => ({
  lead_capture_config: {
    enabled: true,
    title: 'Before we begin',
    intro: 'So that we can reach you.',
    trigger: 'before_chat',
    fields: [
      { key: 'name', label: 'Name', placeholder: 'Ada Lovelace' },
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'size', label: 'Bike size', type: 'select' },
      { key: 'riders', label: 'Riders', type: 'number' },
    ],
    ...overrides,
  },
  contact_fields_config: [{ key: 'size', label: 'Bike size', type: 'select', options: ['S', 'M', 'L'] }],
});

describe('forms in the widget', () => {
  const scene = useWidgetScene();
  const listConsents = async (client: ApiClient) =>
    (await listAllConversations(client)).map(({ consent }) => consent);

  it('ask for contact details before the chat, validate them, and store them with the visitor’s consent', async () => {
    const { bot, client } = await buildActiveBot(scene.parley, buildLeadCapture());
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.waitForText('Before we begin');
    await visit.waitForText('So that we can reach you.');
    await waitUntilEqual(() => visit.input.isVisible(), false);
    await takePicture(visit.page, 'widget-lead-form');

    const email = visit.panel.getByLabel('Email');
    const submit = visit.panel.locator('form.card button[type=submit]');
    assert.deepEqual(await visit.panel.locator('form.card :is(input, select):visible').count(), 1);
    await submit.click();
    await visit.waitForText('This field is required.');
    await waitUntilEqual(() => email.evaluate((field) => field === field.getRootNode().activeElement), true);
    await email.fill('ada');
    await submit.click();
    await visit.waitForText('Enter a valid email, e.g. ada@example.com.');
    await waitUntilEqual(() => visit.panel.getByLabel('Name').isVisible(), false);
    await email.fill('ada@exa..mple.com');
    await submit.click();
    const nameField = visit.panel.getByLabel('Name');
    await waitUntilEqual(
      () => nameField.evaluate((field) => field === field.getRootNode().activeElement),
      true,
    );
    await submit.click();
    await visit.waitForText('Please tick the box to continue, or skip.');
    await visit.panel.getByLabel(CONSENT).check();
    // The API refuses the email address, although the browser accepts it.
    await submit.click();
    await visit.waitForText('must be an email address such as ada@example.com');
    await waitUntilEqual(() => email.getAttribute('aria-invalid'), 'true');

    await nameField.fill(' Ada Lovelace ');
    await email.fill('ada@example.com');
    await visit.panel.getByLabel('Bike size').selectOption('M');
    await visit.panel.getByLabel('Riders').fill('2');
    await submit.click();
    await visit.waitForText("Thanks! We'll be in touch.");
    await waitUntilEqual(() => visit.input.isVisible(), true);

    const { body } = await client.get('/api/contacts');
    const { name, email: address, custom_fields, is_lead } = body.items[0]!;
    assert.deepEqual(
      { name, address, custom_fields, is_lead },
      {
        name: 'Ada Lovelace',
        address: 'ada@example.com',
        custom_fields: { size: 'M', riders: 2 },
        is_lead: true,
      },
    );
    await visit.page.reload();
    await visit.say('Hello');
    await waitUntilSaid(visit, ['user: Hello', 'assistant: A day pass costs 12 euros.']);
  });

  itInSoak('offer a handoff to the team, and keep the filled-in values after it is requested', async () => {
    const { bot, client } = await buildActiveBot(scene.parley, {
      ...buildLeadCapture(),
      handoff_enabled: true,
    });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.panel.getByLabel('Email').fill('ada');
    await visit.button('Talk to a human').click();
    await visit.waitForText('Connecting you to the team… You can keep typing.');
    await waitUntilEqual(() => visit.panel.getByLabel('Email').inputValue(), 'ada');
    assert.equal((await listAllConversations(client))[0]!.status, 'waiting_human');
    await visit.button('Skip').click();
    await visit.input.waitFor();
  });

  itInSoak(
    'let visitors skip the form, then offer starter questions, store nothing and do not ask again',
    async () => {
      const { bot, client } = await buildActiveBot(scene.parley, {
        ...buildLeadCapture(),
        starter_questions: ['When are you open?'],
      });
      const visit = await scene.visits.visit(bot);
      await visit.open();
      await visit.waitForText('Before we begin');
      await waitUntilEqual(() => visit.button('When are you open?').isVisible(), false);
      await visit.button('Skip').click();
      assert.deepEqual(await listAllConversations(client), []);
      await visit.button('When are you open?').click();
      await waitUntilSaid(visit, ['user: When are you open?', ANSWER]);
      assert.deepEqual(await listConsents(client), ['unknown']);
      await visit.page.reload();
      await visit.waitForText('A day pass costs');
      await waitUntilEqual(() => visit.panel.getByText('Before we begin').count(), 0);
    },
  );

  itInSoak(
    'ask after the configured number of the visitor’s messages, next to the conversation',
    async () => {
      const form = buildLeadCapture({ trigger: 'after_n_messages', trigger_value: 3 });
      const { bot } = await buildActiveBot(scene.parley, form);
      const visit = await scene.visits.visit(bot);
      await visit.open();
      await visit.say('one');
      await visit.waitForText('A day pass costs');
      await waitUntilEqual(() => visit.panel.getByText('Before we begin').count(), 0);
      await visit.say('two');
      await visit.panel.locator('.items .message').nth(3).waitFor();
      await waitUntilEqual(() => visit.panel.getByText('Before we begin').count(), 0);
      await visit.say('three');
      await visit.waitForText('Before we begin');
      await waitUntilEqual(() => visit.input.isVisible(), true);
      await visit.button('Skip').click();
      await waitUntilEqual(() => visit.panel.getByText('Before we begin').count(), 0);
      await visit.say('four');
      await visit.panel.locator('.items .message').nth(7).waitFor();
      await waitUntilEqual(() => visit.panel.getByText('Before we begin').count(), 0);
    },
  );

  itInSoak('let visitors grant and withdraw consent, even before the first message', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.choose('Privacy');
    await visit.button(/^Allow$/).click();
    await visit.say('Hello');
    await visit.waitForText('A day pass costs');
    assert.deepEqual(await listConsents(client), ['granted']);
    await visit.choose('Privacy');
    await visit.button("Don't allow").click();
    await visit.waitForText("Saved. We won't store your contact details.");
    assert.deepEqual(await listConsents(client), ['withdrawn']);
    await visit.choose('Privacy');
    await visit.button(/^Allow$/).click();
    await visit.waitForText('Saved. We may store your contact details.');
    assert.deepEqual(await listConsents(client), ['granted']);
  });

  itInSoak('let the conversation continue if the form was disabled in the meantime', async () => {
    const { bot, client } = await buildActiveBot(scene.parley, buildLeadCapture());
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await client.patch(`/api/bots/${bot.id}`, { lead_capture_config: { enabled: false } });
    await visit.panel.getByLabel('Email').fill('ada@example.com');
    await visit.button('Continue').click();
    await visit.panel.getByLabel(CONSENT).check();
    await visit.panel.locator('.card button.primary').click();
    await visit.waitForText('This form is no longer available.');
    await visit.say('Hello');
    await waitUntilSaid(visit, ['user: Hello', ANSWER]);
  });

  itInSoak('submit the form once, however many actions wait for it', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('one');
    await waitUntilSaid(visit, ['user: one', ANSWER]);
    const [asked, held] = [createOneTimeSignal(), createOneTimeSignal()];
    let count = 0;
    await visit.page.route('**/consent', async (route) => {
      count += 1;
      asked.happen();
      await held.happened;
      await route.continue();
    });
    await visit.choose('Privacy');
    await visit.button("Don't allow").click();
    await asked.happened;
    await visit.say('two');
    await visit.waitForText('Sending…');
    held.happen();
    await waitUntilSaid(visit, ['user: one', ANSWER, 'user: two', ANSWER]);
    assert.deepEqual([count, await listConsents(client)], [1, ['withdrawn']]);
  });

  const listEmails = async (client: ApiClient) =>
    (await client.get('/api/contacts')).body.items.map(({ email }) => email);

  itInSoak('submit a refusal before the first message, after any number of attempts', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.choose('Privacy');
    await visit.button("Don't allow").click();
    await visit.page.route('**/consent', (route) => route.abort());
    await visit.say('My address is ada@example.org');
    await visit.button('Try again').waitFor();
    assert.deepEqual(await listConsents(client), ['unknown']);
    await visit.page.unroute('**/consent');
    await visit.button('Try again').click();
    await visit.waitForText('A day pass costs');
    assert.deepEqual(await listConsents(client), ['denied']);
    assert.deepEqual((await listEmails(client)).filter(Boolean), []);
  });

  const leaveAddress = async (visit: WidgetPage) => {
    await visit.open();
    await visit.panel.getByLabel('Email').fill('ada@example.org');
    await visit.button('Continue').click();
    await visit.panel.getByLabel(CONSENT).check();
    await visit.panel.locator('.card button.primary').click();
    await visit.waitForText("Thanks! We'll be in touch.");
  };

  for (const reloads of [false, true]) {
    itInSoak(
      `delete the data of an expired session when the visitor withdraws consent${reloads ? ' on the next page' : ''}`,
      async () => {
        const { bot, client } = await buildActiveBot(scene.parley, buildLeadCapture());
        const visit = await scene.visits.visit(bot);
        await leaveAddress(visit);
        assert.deepEqual(await listEmails(client), ['ada@example.org']);
        await scene.parley.database.sql(
          "UPDATE conversations SET visitor_seen_at = now() - interval '2 hours' WHERE bot_id = $1",
          [bot.id],
        );
        if (reloads) await visit.page.reload();
        await visit.choose('Privacy');
        await visit.button("Don't allow").click();
        await visit.waitForText("Saved. We won't store your contact details.");
        assert.deepEqual((await listEmails(client)).filter(Boolean), []);
      },
    );
  }

  itInSoak(
    'do not confirm a refusal that the API did not receive, and submit it on the next page',
    async () => {
      const { bot, client } = await buildActiveBot(scene.parley, buildLeadCapture());
      const visit = await scene.visits.visit(bot);
      await leaveAddress(visit);
      await visit.page.route('**/consent', (route) => route.abort());
      await visit.choose('Privacy');
      await visit.button("Don't allow").click();
      await visit.waitForText('Something went wrong. Please try again.');
      await waitUntilEqual(
        () => visit.panel.getByText("Saved. We won't store your contact details.").count(),
        0,
      );
      await visit.page.unroute('**/consent');
      await visit.page.reload();
      await visit.say('Hello');
      await visit.waitForText('A day pass costs');
      assert.deepEqual(await listConsents(client), ['withdrawn']);
      assert.deepEqual((await listEmails(client)).filter(Boolean), []);
    },
  );

  itInSoak(
    'open when the page or the visitor’s menu requests it, and submit once after a double click',
    async () => {
      const { bot, client } = await buildActiveBot(scene.parley, {
        ...buildLeadCapture({ trigger: 'manual', title: null }),
        starter_questions: ['When are you open?'],
        handoff_enabled: true,
      });
      const visit = await scene.visits.visit(bot);
      const posts: string[] = [];
      visit.page.on('request', (request) => {
        if (request.method() === 'POST') posts.push(request.url().split('/').at(-1)!);
      });
      await visit.open();
      const form = visit.panel.getByText('How can we reach you?');
      await waitUntilEqual(() => form.count(), 0);
      await visit.page.evaluate('Parley.showLeadForm()');
      await form.waitFor();
      await visit.page.keyboard.press('Escape');
      await waitUntilEqual(() => form.count(), 0);
      await visit.button('When are you open?').dblclick();
      await waitUntilSaid(visit, ['user: When are you open?', ANSWER]);
      await visit.choose('Share contact details');
      await form.waitFor();
      await visit.panel.getByLabel('Email').fill('ada@example.org');
      await visit.button('Continue').click();
      await visit.panel.getByLabel('Name').fill('Ada');
      await visit.button('Talk to a human').dblclick();
      await visit.waitForText('Connecting you to the team…');
      assert.equal((await listAllConversations(client))[0]!.status, 'waiting_human');
      await waitUntilEqual(() => visit.panel.getByLabel('Name').inputValue(), 'Ada');
      await visit.panel.getByLabel(CONSENT).check();
      await visit.panel.locator('.card button.primary').dblclick();
      await visit.waitForText("Thanks! We'll be in touch.");
      assert.deepEqual(posts, ['sessions', 'stream', 'handoff', 'consent', 'lead']);
    },
  );
});
