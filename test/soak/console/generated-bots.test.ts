import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { BusinessSite, DESCRIPTION, PARTS } from '../../bots/generation-support.ts';
import { startModelServer, type ModelScript, type ModelServer } from '../../support/model-server.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntil, waitUntilEqual } from '../../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { openSection } from '../../console/new-bot.ts';
import { goToPlace, MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

describe('bots that are described in the console', function () {
  const consoles = useConsoles(this);
  const site = new BusinessSite();
  let model: ModelServer;
  let parley: TestParleyWithWorker;
  let answer: () => string | ModelScript;

  before(async () => {
    model = await startModelServer({ answer: () => answer() });
    await site.start();
    parley = await startParleyWithWorker({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL: 'gpt-4o-mini',
    });
  });
  after(async () => {
    await parley?.stop();
    await site.servers.close();
    await model?.close();
  });
  beforeEach(() => {
    answer = () => JSON.stringify(PARTS);
    site.show({});
  });

  const describeBot = async (page: Page, description: string, website = ''): Promise<void> => {
    await page.getByLabel('What should your bot do?').fill(description);
    await page.getByLabel('Website (optional)').fill(website);
    await page.getByRole('button', { name: 'Generate bot' }).click();
  };

  it('are created once even if the page is reloaded, and are reviewed and changed before activation', async () => {
    const { client, key } = await parley.buildOrg();
    let open = (): void => {};
    const after = new Promise<void>((resolve) => (open = resolve));
    answer = () => ({ text: JSON.stringify(PARTS), after });
    site.show({
      '/': `<title>Acme</title><meta name="theme-color" content="#b3261e"><script type="application/ld+json">${JSON.stringify(
        {
          '@type': 'Organization',
          name: 'Acme Bikes',
          employee: [{ '@type': 'Person', name: 'Ana Sousa', url: '/ana' }],
        },
      )}</script><main><h2>Do you rent bikes?</h2><p>Yes, by the hour.</p><a href="/ana">Ana</a></main>`,
      '/ana': '<title>Ana</title><main><p>Ana repairs brakes.</p></main>',
    });
    const page = await consoles().openWithKey(parley, key, '#/bots');
    await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
    await page.getByRole('link', { name: 'Create bot' }).first().click();
    await page.getByRole('heading', { name: 'Create bot' }).waitFor();
    await waitUntilEqual(() => page.evaluate(NAMELESS), []);
    await describeBot(page, DESCRIPTION, site.base);
    await page.getByText(`Read up to five pages of ${site.base}`).waitFor();
    await waitUntil(() => model.requests.length > 0, 'the model to be asked');
    await page.reload();
    await page.getByRole('heading', { name: 'Generating your bot…' }).waitFor();
    await page.getByRole('link', { name: 'Bots', exact: true }).click();
    await page.getByRole('link', { name: 'Create bot' }).first().click();
    await page.getByRole('heading', { name: 'Generating your bot…' }).waitFor();
    open();
    await page.getByRole('heading', { name: 'Draft: only visible' }).waitFor();
    const { items } = (await client.get('/api/bots')).body;
    assert.deepEqual(
      items.map(({ name, status }) => [name, status]),
      [['Acme Bikes', 'draft']],
    );
    assert.equal(model.requests.length, 1);
    const url = `/api/bots/${items[0]!.id}` as const;
    await page.getByText('gpt-4o-mini').waitFor();
    await page.getByText(/The description and \d pages? of 127\.0\.0\.1/).waitFor();
    await page.getByText('Suggested topics: Repairs').waitFor();
    await page.locator('.imported').getByText('Ready').waitFor();
    await page.getByText(/\d of \d pages? imported/).waitFor();
    await page.getByText('No knowledge yet').waitFor({ state: 'detached' });
    await waitUntilEqual(
      async () => [await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)],
      [[], []],
    );
    await takePicture(page, 'console-draft');
    await openSection(page, 'Appearance');
    const color = page.getByLabel('Brand color', { exact: true });
    await waitUntilEqual(() => color.inputValue(), '#b3261e');
    await waitUntilEqual(() => page.getByLabel('Starter questions').inputValue(), 'What does a repair cost?');
    await page.getByLabel('Welcome').fill('Ahoy from Acme!');
    await color.fill('#123456');
    await openSection(page, 'Directory');
    await page.getByLabel('Show the directory').uncheck();
    await page.getByRole('button', { name: 'Remove Ana Sousa' }).click();
    await openSection(page, 'Overview');
    await page.setViewportSize({ width: 360, height: 780 });
    await waitUntilEqual(() => page.evaluate('document.documentElement.scrollWidth'), 360);
    await page.getByRole('button', { name: 'Save and go live' }).click();
    await page.getByRole('heading', { name: 'Embed code' }).waitFor();
    const { body: bot } = await client.get(url);
    const { status, welcome_message: welcome, widget_theme: theme, directory_config: directory } = bot;
    assert.deepEqual(
      [status, welcome, theme['primary_color'], directory],
      ['active', 'Ahoy from Acme!', '#123456', null],
    );
  });

  it('show that rules drafted them and why, and restore the description when they are discarded', async () => {
    const { client, key } = await parley.buildOrg();
    answer = () => ({ raw: { status: 500, contentType: 'application/json', body: '{}' } });
    const page = await consoles().openWithKey(parley, key, '#/bots/new');
    await describeBot(page, 'Too short');
    const description = page
      .getByLabel('What should your bot do?')
      .and(page.locator(':focus[aria-invalid="true"]'));
    await description.waitFor();
    await waitUntilEqual(() => description.inputValue(), 'Too short');
    await describeBot(page, DESCRIPTION, 'http://169.254.169.254/latest');
    await page.getByLabel('Website (optional)').and(page.locator(':focus[aria-invalid="true"]')).waitFor();
    await waitUntilEqual(() => page.getByRole('alert').count(), 0);
    await describeBot(page, DESCRIPTION);
    await page.getByText('Template (no AI model) (rules-1)').waitFor();
    await page.getByText('Drafted by rules, without a language model:').waitFor();
    await page.getByText('No documents yet').waitFor();
    await page.getByRole('link', { name: 'Add knowledge' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'View all documents' }).count(), 0);
    assert.equal(await page.getByText('The bot is a draft').count(), 0);
    await page.getByRole('button', { name: 'Delete draft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click();
    await page.getByLabel('What should your bot do?').waitFor();
    await waitUntilEqual(() => page.getByLabel('What should your bot do?').inputValue(), DESCRIPTION);
    assert.deepEqual((await client.get('/api/bots')).body.items, []);
  });

  it('show when the next draft is allowed, and that no model is configured', async () => {
    const { key, client } = await parley.buildOrg();
    const strict = await parley.startAnother({
      generationsPerHour: 1,
      generationTimeoutMs: 100,
      modelBaseUrl: '',
    });
    try {
      const page = await consoles().openWithKey(strict, key, '#/bots/new');
      await page.getByText('No AI model is configured, so we draft the bot with a template').waitFor();
      await describeBot(page, DESCRIPTION);
      await page.getByRole('heading', { name: 'Draft: only visible' }).waitFor();
      await goToPlace(page, 'bots/new');
      await page.getByText('Your last draft: Acme Bikes').waitFor();
      await describeBot(page, DESCRIPTION);
      await page.getByRole('alert').getByText('You can try again at').waitFor();
      await waitUntilEqual(() => page.getByLabel('What should your bot do?').inputValue(), DESCRIPTION);
      assert.equal((await client.get('/api/bots')).body.total, 1);
    } finally {
      await strict.stop();
    }
  });
});
