import assert from 'node:assert/strict';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { openNewBot } from './new-bot.ts';
import { goToPlace, assertSignedInAs, useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('bot settings in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  const openBot = (part: string, config: object = {}) => openNewBot(consoles(), parley, part, config);

  it('create, change, activate and delete a bot, and show errors at their field', async () => {
    const { key, client, userId } = await parley.buildOrg();
    const page = await consoles().openWithKey(parley, key, '#/bots');
    await page.getByRole('button', { name: 'Start empty' }).click();
    await page.getByLabel('Name of a new bot').and(page.locator(':focus')).fill('Harbour Bikes');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Harbour Bikes' }).waitFor();
    await page.getByLabel('Prompt').fill('You are short and friendly.');
    await page.getByLabel('Welcome').fill('Ahoy!');
    await page.getByLabel('Starter questions').fill('What does it cost?\n\n Where are you? ');
    await page.getByLabel('Visitors can ask for a person').check();
    await page.getByLabel('While a visitor waits').fill('Ten minutes, please.');
    await page
      .getByLabel('Hours in which people answer')
      .fill('Mon – Wed, fri 9:00-17:00\nsunday 20:00-24:00');
    await page.getByLabel('Time zone of these hours').fill('Europe/Berlin');
    await page.getByLabel('Outside these hours', { exact: true }).fill('The office is closed.');
    await page.getByLabel('Take requests outside').uncheck();
    await page
      .getByRole('group', { name: 'Mail when a visitor waits' })
      .getByRole('checkbox')
      .first()
      .check();
    await page.getByLabel('Only on certain hosts').check();
    await page.getByLabel('Hosts', { exact: true }).fill('shop.example.com\nnot a host');
    await page.getByLabel('Hours in which people answer').fill('mon 9:00-17:00\nsome day');
    await page.getByRole('button', { name: 'Save' }).click();
    const hours = page.getByRole('textbox', {
      name: 'Hours in which people answer',
      description: /This, number 2, must /,
    });
    await hours.and(page.locator(':focus[aria-invalid="true"]')).waitFor();
    const hosts = page.getByRole('textbox', { name: 'Hosts', description: /This, number 2, must look like/ });
    await waitUntilEqual(() => hosts.inputValue(), 'shop.example.com\nnot a host');
    await waitUntilEqual(() => page.getByRole('alert').count(), 0);
    await hosts.fill('shop.example.com');
    await hours.fill('Mon – Wed, fri 9:00-17:00\nsunday 20:00-24:00');
    await page.getByLabel('Longest answer').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Longest answer').and(page.locator(':focus:invalid')).waitFor();
    await page.getByLabel('Longest answer').fill('1024');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The bot is saved.').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    const [bot] = (await client.get('/api/bots')).body.items;
    const { status, system_prompt, welcome_message, starter_questions, handoff_enabled, allowed_domains } =
      bot!;
    assert.deepEqual(
      { status, system_prompt, welcome_message, starter_questions, handoff_enabled, allowed_domains },
      {
        status: 'active',
        system_prompt: 'You are short and friendly.',
        welcome_message: 'Ahoy!',
        starter_questions: ['What does it cost?', 'Where are you?'],
        handoff_enabled: true,
        allowed_domains: ['shop.example.com'],
      },
    );
    assert.deepEqual(bot!.handoff_config, {
      waiting_message: 'Ten minutes, please.',
      closed_message: 'The office is closed.',
      hours: {
        timezone: 'Europe/Berlin',
        periods: [
          { days: ['monday', 'tuesday', 'wednesday', 'friday'], opens: '09:00', closes: '17:00' },
          { days: ['sunday'], opens: '20:00', closes: '24:00' },
        ],
      },
      accepts_when_closed: false,
      notify: [userId],
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('permanently deleted').waitFor();
    const hasFocus = page.getByRole('button', { name: 'Delete' }).and(page.locator(':focus'));
    // Presses again at the moment when the button regains focus.
    await page
      .getByRole('button', { name: 'Delete' })
      .first()
      .evaluate((button) => button.addEventListener('focus', () => button.click(), { once: true }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await hasFocus.waitFor();
    assert.equal((await client.get(`/api/bots/${bot!.id}`)).status, 200);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no bots yet.').waitFor();
  });

  itInSoak(
    'keep unsaved changes while another page is open, warn before the tab is closed, and fit their cards with longer words and on a phone',
    async () => {
      const { page, bot, url, client } = await openBot('settings', { language: 'pt-BR' });
      await page.getByLabel('Welcome').fill('Ahoy!');
      await page.getByLabel('Language').selectOption('German');
      await page.getByText('Not saved yet.').waitFor();
      await page.getByRole('link', { name: 'Embed' }).click();
      await page.getByRole('link', { name: 'Settings (not saved)' }).waitFor();
      await page.getByRole('link', { name: 'Inbox' }).click();
      await client.patch(url, { description: 'Changed by a colleague.' });
      await goToPlace(page, `bots/${bot.id}`);
      await page.getByLabel('Welcome').waitFor();
      await waitUntilEqual(
        async () => [
          await page.getByLabel('Welcome').inputValue(),
          await page.getByLabel('Language').inputValue(),
        ],
        ['Ahoy!', 'de'],
      );
      await waitUntilEqual(() => page.getByLabel('Description').inputValue(), 'Changed by a colleague.');
      const asked = page.waitForEvent('dialog');
      // Playwright never resolves a reload that the page's dialog cancels.
      void page.reload().catch(() => {});
      const dialog = await asked;
      assert.equal(dialog.type(), 'beforeunload');
      await dialog.dismiss();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The bot is saved.').waitFor();
      await page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
      const { body: saved } = await client.get(url);
      assert.deepEqual(
        [saved.welcome_message, saved.language, saved.description],
        ['Ahoy!', 'de', 'Changed by a colleague.'],
      );
      await page.reload();
      await page.getByLabel('Welcome').fill('Hello!');
      await page.getByRole('button', { name: 'Undo' }).click();
      await waitUntilEqual(() => page.getByLabel('Welcome').inputValue(), 'Ahoy!');

      const word = 'Donaudampfschifffahrt'.repeat(8);
      await client.patch(url, { name: word, description: word });
      await page.reload();
      await page.setViewportSize({ width: 390, height: 844 });
      for (const place of [`#/bots/${bot.id}`, '#/bots']) {
        await page.goto(`${parley.baseUrl}/console${place}`);
        await page.getByText(word).first().waitFor();
        const wide = await page
          .locator('.card, main')
          .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
        assert.equal(wide, 0, place);
      }
    },
  );

  itInSoak('hide from viewers the actions that their role does not allow', async () => {
    const { orgId, client } = await parley.buildOrg();
    await client.post('/api/bots', { name: 'Help desk' });
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    const page = await consoles().openWithKey(parley, viewer.key, '#/bots');
    await page.getByRole('link', { name: 'Help desk' }).waitFor();
    await waitUntilEqual(() => page.getByRole('button', { name: 'Start empty' }).count(), 0);
    await waitUntilEqual(() => page.getByRole('link', { name: 'New bot' }).count(), 0);
    await goToPlace(page, 'bots/new');
    await page.getByText('It takes a member of the workspace').waitFor();
    await goToPlace(page, 'bots');
    await page.getByRole('link', { name: 'Help desk' }).click();
    await page.getByText('You may see the settings, but not change them.').waitFor();
    await waitUntilEqual(() => page.getByLabel('Prompt').isDisabled(), true);
    const buttons = page.getByRole('main').getByRole('button');
    await waitUntilEqual(() => buttons.allInnerTexts(), []);
    await waitUntilEqual(() => page.locator('input[type=file]').count(), 0);
    await waitUntilEqual(() => page.getByRole('link', { name: 'Playground' }).count(), 0);
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByText('There are no documents yet.', { exact: true }).waitFor();
    await waitUntilEqual(() => buttons.allInnerTexts(), ['Refresh']);
    await assertSignedInAs(page, 'Ada Okafor');
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await waitUntilEqual(
      () => navigation.getByRole('link').allInnerTexts(),
      ['Inbox', 'Conversations', 'Bookings', 'Bots', 'Analytics', 'Members', 'Alerts', 'Usage & billing'],
    );
  });

  itInSoak('delete a bot for admins only', async () => {
    const { orgId, client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
    const member = await parley.buildOrg({ orgId, role: 'member' });
    const page = await consoles().openWithKey(parley, member.key, `#/bots/${bot.id}`);
    await page.getByRole('button', { name: 'Activate' }).waitFor();
    await waitUntilEqual(() => page.getByRole('button', { name: 'Delete' }).count(), 0);
  });

  itInSoak('keep keys of handoff_config that they do not show', async () => {
    const { page, client, url } = await openBot('settings');
    const own = { routing: { queue: 'b' }, note: null };
    await client.patch(url, { handoff_enabled: true, handoff_config: { ...own, waiting_message: 'Wait.' } });
    await page.reload();
    await page.getByLabel('While a visitor waits').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved yet.').waitFor({ state: 'detached' });
    assert.deepEqual((await client.get(url)).body.handoff_config, {
      ...own,
      waiting_message: null,
      closed_message: null,
      hours: null,
      accepts_when_closed: true,
      notify: null,
    });
  });

  itInSoak(
    'ask visitors for the chosen contact details, and keep fields that only the API sets',
    async () => {
      const { page, client, url } = await openBot('settings');
      const leads = async () => (await client.get(url)).body.lead_capture_config!;
      const save = async () => {
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Not saved yet.').waitFor({ state: 'detached' });
      };
      await page.getByLabel('Ask visitors for contact details').check();
      await page.getByLabel('Heading of the form').fill('Wer sind Sie?');
      await page.getByLabel('After so many messages').fill('3');
      const field = (number: number) => page.getByRole('group', { name: `Field ${number}` });
      await field(1).getByLabel('Called').fill('Ihr Name');
      await page.getByRole('button', { name: 'Add a field' }).click();
      await field(3).getByLabel('Called').fill('Größe (cm)');
      await field(3).getByLabel('Asks for').selectOption('Number');
      await field(3).getByLabel('Needed').check();
      await save();
      const name = { key: 'name', label: 'Ihr Name', type: 'text', required: false };
      const email = { key: 'email', label: 'E-mail', type: 'email', required: true };
      const { fields, ...rest } = await leads();
      assert.deepEqual(rest, {
        enabled: true,
        title: 'Wer sind Sie?',
        trigger: 'after_n_messages',
        trigger_value: 3,
        intro: null,
      });
      assert.deepEqual(fields, [
        name,
        email,
        { key: 'gro_e_cm', label: 'Größe (cm)', type: 'number', required: true },
      ]);
      const colour = { key: 'colour', label: 'Colour', type: 'select', required: false, placeholder: 'Any' };
      await client.patch(url, { lead_capture_config: { ...rest, fields: [name, colour] } });
      await page.reload();
      await page.getByLabel('When to ask').selectOption('Before the first message');
      await page.getByRole('button', { name: 'Remove Ihr Name' }).click();
      await save();
      const { fields: left, trigger } = await leads();
      assert.deepEqual([left, trigger], [[colour], 'before_chat']);
      await page.getByLabel('Ask visitors for contact details').uncheck();
      await save();
      assert.deepEqual([(await leads()).enabled, (await leads()).fields], [false, [colour]]);
    },
  );
});
