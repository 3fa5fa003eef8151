import assert from 'node:assert/strict';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { openNewBot, openSection } from './new-bot.ts';
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
    await page.getByRole('button', { name: 'Start from scratch' }).click();
    await page.getByLabel('Bot name').and(page.locator(':focus')).fill('Harbour Bikes');
    await page.getByRole('dialog').getByRole('button', { name: 'Create bot' }).click();
    await page.getByRole('heading', { name: 'Harbour Bikes' }).waitFor();
    const section = (name: string) => openSection(page, name);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await section('Instructions');
    await page.getByLabel('Prompt').fill('You are short and friendly.');
    await section('Appearance');
    await page.getByLabel('Welcome').fill('Ahoy!');
    await page.getByLabel('Starter questions').fill('What does it cost?\n\n Where are you? ');
    await section('Handoff');
    await page.getByLabel('Allow handoff to a human').check();
    await page.getByLabel('Waiting message').fill('Ten minutes, please.');
    await page.getByLabel('Notify by email').first().click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Limit handoff to business hours').check();
    await page.getByRole('switch', { name: 'Thursday' }).uncheck();
    await page.getByRole('switch', { name: 'Sunday' }).check();
    await page.getByLabel('Sunday from').selectOption('20:00');
    await page.getByLabel('Sunday to').selectOption('24:00');
    await page.getByLabel('Time zone').first().fill('Berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await page.getByLabel('Out-of-office message').fill('The office is closed.');
    await page.getByLabel('Accept handoff requests outside').uncheck();
    await section('Deploy');
    await page.getByLabel('Restrict to allowed domains').check();
    const hosts = page.getByRole('textbox', { name: 'Allowed domains' });
    await hosts.fill('shop.example.com\nnot a host');
    await save.click();
    const refused = page.getByRole('textbox', {
      name: 'Allowed domains',
      description: /This, number 2, must look like/,
    });
    await refused.and(page.locator(':focus[aria-invalid="true"]')).waitFor();
    await waitUntilEqual(() => page.getByRole('alert').count(), 0);
    await hosts.fill('shop.example.com');
    await section('Instructions');
    await page.getByLabel('Max response length').fill('');
    await save.click();
    await page.getByLabel('Max response length').and(page.locator(':focus:invalid')).waitFor();
    await page.getByLabel('Max response length').fill('1024');
    await save.click();
    await page.getByText('Changes saved').waitFor();
    await waitUntilEqual(() => page.getByRole('region', { name: 'Unsaved changes' }).count(), 0);
    await page.getByRole('switch', { name: 'Live' }).check();
    await page.getByText('Bot is now live').waitFor();
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
    const askToDelete = async () => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete bot' }).click();
      await page.getByRole('dialog').getByText('permanently deletes').waitFor();
    };
    await askToDelete();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await client.get(`/api/bots/${bot!.id}`)).status, 200);
    await askToDelete();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete bot' }).click();
    await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
  });

  itInSoak(
    'keep unsaved changes while another page is open, warn before the tab is closed, and fit their cards with longer labels and on a phone',
    async () => {
      const { page, bot, url, client } = await openBot('settings', { language: 'pt-BR' });
      await page.getByLabel('Language').selectOption('German');
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor();
      await openSection(page, 'Appearance');
      await page.getByLabel('Welcome').fill('Ahoy!');
      await openSection(page, 'Deploy');
      await page.getByRole('link', { name: 'Instructions Unsaved changes' }).waitFor();
      await page.getByRole('link', { name: 'Appearance Unsaved changes' }).waitFor();
      await page.getByRole('link', { name: 'Inbox' }).click();
      await client.patch(url, { description: 'Changed by a colleague.' });
      await goToPlace(page, `bots/${bot.id}/settings`);
      await waitUntilEqual(() => page.getByLabel('Language').inputValue(), 'de');
      await waitUntilEqual(() => page.getByLabel('Description').inputValue(), 'Changed by a colleague.');
      await openSection(page, 'Appearance');
      await waitUntilEqual(() => page.getByLabel('Welcome').inputValue(), 'Ahoy!');
      const asked = page.waitForEvent('dialog');
      // Do not wait for the reload: Playwright never resolves a reload that the page's dialog cancels.
      void page.reload().catch(() => {});
      const dialog = await asked;
      assert.equal(dialog.type(), 'beforeunload');
      await dialog.dismiss();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Changes saved').waitFor();
      await page.getByRole('link', { name: 'Appearance', exact: true }).waitFor();
      const { body: saved } = await client.get(url);
      assert.deepEqual(
        [saved.welcome_message, saved.language, saved.description],
        ['Ahoy!', 'de', 'Changed by a colleague.'],
      );
      await page.reload();
      await page.getByLabel('Welcome').fill('Hello!');
      await page.getByRole('button', { name: 'Discard' }).click();
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
      await page.goto(`${parley.baseUrl}/console#/bots/${bot.id}/knowledge`);
      await page.getByRole('heading', { name: 'No knowledge yet' }).waitFor();
      const select = (await page.locator('.studio-select').boundingBox())!;
      const content = (await page.locator('.studio-content').boundingBox())!;
      assert.equal(content.y - select.y - select.height, 12, 'gap below the field of sections');
    },
  );

  itInSoak('hide from viewers the actions that their role does not allow', async () => {
    const { orgId, client } = await parley.buildOrg();
    await client.post('/api/bots', { name: 'Help desk' });
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    const page = await consoles().openWithKey(parley, viewer.key, '#/bots');
    await page.getByRole('link', { name: 'Help desk' }).waitFor();
    await waitUntilEqual(() => page.getByRole('button', { name: 'Start from scratch' }).count(), 0);
    await waitUntilEqual(() => page.getByRole('link', { name: 'Create bot' }).count(), 0);
    await goToPlace(page, 'bots/new');
    await page.getByText("You can't create bots").waitFor();
    await goToPlace(page, 'bots');
    await page.getByRole('link', { name: 'Help desk' }).click();
    await openSection(page, 'Instructions');
    await page.getByText('You have view-only access.').waitFor();
    await waitUntilEqual(() => page.getByLabel('Prompt').isDisabled(), true);
    const buttons = page.getByRole('main').getByRole('button');
    await waitUntilEqual(() => buttons.allInnerTexts(), ['Open preview']);
    await openSection(page, 'Appearance');
    await page.getByLabel('Welcome').waitFor();
    await waitUntilEqual(() => page.locator('input[type=file]').count(), 0);
    await openSection(page, 'Test');
    await page.getByLabel('Test question').waitFor();
    await waitUntilEqual(() => page.getByLabel('Message', { exact: true }).count(), 0);
    await openSection(page, 'Knowledge');
    await page.getByRole('heading', { name: 'No knowledge yet' }).waitFor();
    await waitUntilEqual(
      () => buttons.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)),
      ['Refresh'],
    );
    await assertSignedInAs(page, 'Ada Okafor');
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await waitUntilEqual(
      () => navigation.getByRole('link').allInnerTexts(),
      [
        'Home',
        'Inbox',
        'Conversations',
        'Contacts',
        'Bookings',
        'Bots',
        'Analytics',
        'Members',
        'Alerts',
        'Usage & billing',
      ],
    );
  });

  itInSoak('delete a bot for admins only', async () => {
    const { orgId, client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
    const member = await parley.buildOrg({ orgId, role: 'member' });
    const page = await consoles().openWithKey(parley, member.key, `#/bots/${bot.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    await waitUntilEqual(() => page.getByRole('menuitem', { name: 'Delete' }).count(), 0);
  });

  itInSoak('keep keys of handoff_config that they do not show', async () => {
    const { page, client, url } = await openBot('handoff');
    const own = { routing: { queue: 'b' }, note: null };
    await client.patch(url, { handoff_enabled: true, handoff_config: { ...own, waiting_message: 'Wait.' } });
    await page.reload();
    await page.getByLabel('Waiting message').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
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
    'let bots ask visitors for the chosen contact details, and keep fields that only the API sets',
    async () => {
      const { page, client, url } = await openBot('leads');
      const leads = async () => (await client.get(url)).body.lead_capture_config!;
      const save = async () => {
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
      };
      await page.getByLabel('Collect contact details').check();
      await page.getByLabel('Form title').fill('Wer sind Sie?');
      await page.getByLabel('Visitor messages').fill('3');
      const field = (number: number) => page.getByRole('group', { name: `Field ${number}` });
      await field(1).getByLabel('Label').fill('Ihr Name');
      await page.getByRole('button', { name: 'Add field' }).click();
      await field(3).getByLabel('Label').fill('Größe (cm)');
      await field(3).getByLabel('Field type').selectOption('Number');
      await field(3).getByLabel('Required').check();
      await save();
      const name = { key: 'name', label: 'Ihr Name', type: 'text', required: false };
      const email = { key: 'email', label: 'Email', type: 'email', required: true };
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
      await page.getByLabel('Show form').selectOption('Before the first message');
      await page.getByRole('button', { name: 'Remove Ihr Name' }).click();
      await save();
      const { fields: left, trigger } = await leads();
      assert.deepEqual([left, trigger], [[colour], 'before_chat']);
      await page.getByLabel('Collect contact details').uncheck();
      await save();
      assert.deepEqual([(await leads()).enabled, (await leads()).fields], [false, [colour]]);
    },
  );
});
