import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { openSharedBrowser } from '../support/browser.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('the guides in a browser', () => {
  let parley: SharedParley;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  before(async function () {
    browser = (await openSharedBrowser()) ?? this.skip();
    parley = await startSharedParley();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    complaints = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(parley.baseUrl) || request.url().startsWith('data:');
      if (!isOurs) complaints.push(request.url());
    });
    await page.goto(`${parley.baseUrl}/docs/guides`);
  });
  afterEach(async () => {
    await page.close();
    assert.deepEqual(complaints, []);
  });

  const listFound = () => page.getByRole('option').locator('strong').allTextContents();
  const listChosen = () => page.locator('[role=option][aria-selected=true] strong').allTextContents();

  it('can be searched with the keyboard alone', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('create a bot with curl');
    await waitUntilEqual(async () => (await listFound())[0], 'Quickstart with curl › Create a bot');
    await page.keyboard.press('ArrowDown');
    await waitUntilEqual(listChosen, ['Quickstart with curl › Create a bot']);
    await page.keyboard.press('ArrowUp');
    await waitUntilEqual(listChosen, [(await listFound()).at(-1) ?? '']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/docs/guides/quickstart-curl#create-a-bot`);
  });

  it('find error codes, and sections that lack a word of the question', async () => {
    const box = page.getByRole('combobox', { name: 'Search the guides' });
    await box.fill('406');
    await waitUntilEqual(async () => (await listFound())[0], 'Troubleshooting errors › 406 not_acceptable');
    await box.fill('webhook clock xylophone');
    await waitUntilEqual(
      async () => (await listFound())[0],
      "Troubleshooting errors › The webhook's signature does not match",
    );
  });

  itInSoak('report if nothing matches, and close the list of results', async () => {
    const box = page.getByRole('combobox', { name: 'Search the guides' });
    await box.fill('xylophone');
    await waitUntilEqual(() => page.getByRole('status').textContent(), 'No results for “xylophone”.');
    await box.fill('webhook');
    await waitUntilMatches(async () => (await listFound()).join(), /webhook/i);
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('Escape');
    await waitUntilEqual(listFound, []);
    assert.equal(await box.getAttribute('aria-expanded'), 'false');
  });

  itInSoak('offer to copy commands, but not output', async () => {
    await page.goto(`${parley.baseUrl}/docs/guides/quickstart-curl`);
    const counts = await Promise.all(
      ['figure.code', 'figure.code button', 'figure.output button'].map((selector) =>
        page.locator(selector).count(),
      ),
    );
    assert.ok(counts[0]! > 5);
    assert.deepEqual(counts.slice(1), [counts[0], 0]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await waitUntilEqual(() => page.locator('figure.code button').first().textContent(), 'Copied');
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^export PARLEY_URL=/);
  });

  itInSoak('link from page to page, and fit on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const address of ['/docs/guides', '/docs/guides/quickstart-curl', '/docs/pages/operating']) {
      await page.goto(`${parley.baseUrl}${address}`);
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 360, address);
    }
    await page.getByText('All guides').click();
    await page
      .getByRole('navigation', { name: 'Guides' })
      .getByRole('link', { name: 'Quickstart with curl' })
      .click();
    await waitUntilEqual(() => page.locator('h1').textContent(), 'Quickstart with curl');
    await page.getByRole('link', { name: /^Next/ }).click();
    await waitUntilEqual(
      () => page.getByRole('link', { name: /^Previous/ }).textContent(),
      'PreviousQuickstart with curl',
    );
  });
});
