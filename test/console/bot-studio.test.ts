import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import type { PageElement } from '../support/page-element.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { openNewBot, openSection } from './new-bot.ts';
import { goToPlace, useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

/** Time in milliseconds within which a change in the form must show in the preview. */
const PREVIEW_MS = 300;

/** Extra milliseconds for the rendering of a browser without a graphics card on a busy machine. */
const SLOW_MACHINE_MS = 1500;

const STORED_KEYS = `Object.keys(localStorage).filter((key) => key.startsWith('parley:')).length`;

const WIDE = { width: 1440, height: 900 };

describe('the bot studio', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  const openStudio = async (part: string, config: object = {}) => {
    const built = await openNewBot(consoles(), parley, part, config);
    await built.page.setViewportSize(WIDE);
    return { ...built, preview: built.page.getByRole('complementary', { name: 'Preview' }) };
  };

  it('shows unsaved changes in the real widget within 300 ms, and calls no public API', async () => {
    const { page, client, url, preview } = await openStudio('appearance', {
      welcome_message: 'Hello!',
      starter_questions: ['Where are you?'],
    });
    const publicCalls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/public/')) publicCalls.push(request.url());
    });
    await preview.getByText('Hello!').waitFor();
    await page.getByLabel('Welcome message').fill('Ahoy!');
    await preview.getByText('Ahoy!').waitFor({ timeout: PREVIEW_MS + SLOW_MACHINE_MS });
    await page.getByLabel('Starter questions').fill('Do you rent boats?');
    await preview.getByRole('button', { name: 'Do you rent boats?' }).waitFor();
    await page.getByLabel('Brand color', { exact: true }).fill('#0f766e');
    const header = () => preview.locator('.header').evaluate(readBackground);
    await waitUntilEqual(header, 'rgb(15, 118, 110)');
    await page.getByLabel('Position').selectOption('Bottom left');
    await preview.locator('.widget.left').waitFor({ state: 'attached' });
    assert.deepEqual(publicCalls, []);
    assert.equal((await client.get(url)).body.welcome_message, 'Hello!');
    await openSection(page, 'Instructions');
    await page.getByLabel('Name', { exact: true }).fill('Captain');
    await preview.getByText('Captain', { exact: true }).waitFor();
  });

  itInSoak('shows the widget on a phone and in dark mode, and resets its chat', async () => {
    const { page, preview } = await openStudio('appearance', { welcome_message: 'Hello!' });
    await preview.getByText('Hello!').waitFor();
    const panelWidth = () => preview.locator('.panel').evaluate((element) => Math.round(element.clientWidth));
    // Wait for the width, because the widget's panel has none before its style sheet applies.
    await waitUntilEqual(panelWidth, 356);
    await preview.locator('label', { hasText: 'Phone' }).click();
    await waitUntilEqual(panelWidth, 324);
    const background = () => preview.locator('.messages').evaluate(readBackground);
    const light = await background();
    await preview.locator('label', { hasText: 'Dark' }).click();
    await waitUntilEqual(async () => (await background()) !== light, true);
    const message = preview.getByRole('textbox');
    await message.fill('Where are you?');
    await message.press('Enter');
    await preview.locator('.bubble').getByText('Where are you?').waitFor();
    await preview.getByRole('button', { name: 'Reset chat' }).click();
    await waitUntilEqual(() => preview.locator('.bubble').getByText('Where are you?').count(), 0);
    assert.equal(await page.evaluate(STORED_KEYS), 0);
  });

  itInSoak('saves the launcher’s label, the panel’s width and a message beside the launcher', async () => {
    const { page, preview, client, url } = await openStudio('appearance');
    await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Ask us');
    await preview.locator('.launcher').getByText('Ask us').waitFor({ state: 'attached' });
    await page.getByLabel('Panel width').fill('420');
    await page.getByRole('button', { name: 'Add message' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Questions about our prices?');
    await page.getByLabel('Pages').fill('/pricing*\n/plans*');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changes saved').waitFor();
    const { launcher, panel, greetings } = (await client.get(url)).body.widget_theme;
    assert.deepEqual(
      { launcher, panel, greetings },
      {
        launcher: { label: 'Ask us' },
        panel: { width: 420 },
        greetings: [
          { text: 'Questions about our prices?', pages: ['/pricing*', '/plans*'], after_seconds: 5 },
        ],
      },
    );
  });

  itInSoak('opens the URLs of earlier releases', async () => {
    const { page, bot } = await openStudio('overview');
    for (const [earlier, section] of [
      ['draft', 'Overview'],
      ['settings', 'Instructions'],
      ['documents', 'Knowledge'],
      ['playground', 'Test'],
      ['search', 'Test'],
      ['embed', 'Deploy'],
    ] as const) {
      await goToPlace(page, `bots/${bot.id}/${earlier}`);
      await waitUntilEqual(() => findCurrentSection(page), section);
    }
    for (const unknown of ['nothing', 'constructor']) {
      await goToPlace(page, `bots/${bot.id}/${unknown}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
  });

  itInSoak('edits business hours by day, and copies them to all days', async () => {
    const { page, client, url } = await openStudio('handoff', { handoff_enabled: true });
    await page.getByLabel('Limit handoff to business hours').check();
    await page.getByLabel('Monday to').selectOption('12:00');
    await page.getByRole('button', { name: 'Add hours on Monday' }).click();
    await page.getByLabel('Monday from').nth(1).selectOption('14:00');
    await page.getByLabel('Monday to').nth(1).selectOption('18:30');
    await page.getByRole('button', { name: 'Copy to all Monday' }).click();
    await page.getByRole('switch', { name: 'Sunday' }).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changes saved').waitFor();
    const { hours } = (await client.get(url)).body.handoff_config as { hours: { periods: object[] } };
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
    assert.deepEqual(hours.periods, [
      { days, opens: '09:00', closes: '12:00' },
      { days, opens: '14:00', closes: '18:30' },
    ]);
  });

  itInSoak('reorders lead fields, and stores captured fields and directory entries', async () => {
    const { page, client, url } = await openStudio('leads');
    await page.getByLabel('Collect contact details').check();
    await page.getByRole('button', { name: 'Move up: Email' }).click();
    await page.getByRole('button', { name: 'Add auto-captured field' }).click();
    const captured = page.getByRole('group', { name: 'Captured field 1' });
    await captured.getByLabel('Label').fill('Boat type');
    await captured.getByLabel('Field type').selectOption('Choice');
    await captured.getByLabel('Options').fill('Canoe\n\nKayak ');
    await openSection(page, 'Directory');
    await page.getByLabel('Show the directory').check();
    await page.getByRole('button', { name: 'Add entry' }).click();
    const entry = page.getByRole('group', { name: 'Entry 1' });
    await entry.getByLabel('Name').fill('Ana');
    await entry.getByLabel('Link').fill('https://book.example.com/ana');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changes saved').waitFor();
    const { body } = await client.get(url);
    const { fields } = body.lead_capture_config as { fields: { key: string }[] };
    assert.deepEqual(
      fields.map(({ key }) => key),
      ['email', 'name'],
    );
    assert.deepEqual(body.contact_fields_config, [
      { key: 'boat_type', label: 'Boat type', type: 'select', options: ['Canoe', 'Kayak'] },
    ]);
    const { enabled, entries } = body.directory_config as { enabled: boolean; entries: object[] };
    assert.deepEqual(
      [enabled, entries],
      [true, [{ name: 'Ana', category: '', link: 'https://book.example.com/ana' }]],
    );
  });

  itInSoak('stores a key and an endpoint of the workspace’s own model, and tests the provider', async () => {
    const { page, client, url } = await openStudio('instructions');
    await page.getByLabel('Provider').selectOption('Your own API key');
    await page.getByLabel('API key', { exact: true }).fill('sk-own');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changes saved').waitFor();
    const { llm_provider: provider, has_api_key: hasKey } = (await client.get(url)).body;
    assert.deepEqual([provider, hasKey], ['byok', true]);
    await page.getByText('A key is stored.').waitFor();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.locator('.provider-test .status').waitFor();
  });
});

function readBackground(element: PageElement): string | undefined {
  return element.ownerDocument.defaultView.getComputedStyle(element)['backgroundColor'];
}

function findCurrentSection(page: Page): Promise<string> {
  return page.getByRole('navigation', { name: 'Sections of the bot' }).locator('[aria-current]').innerText();
}
