import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { request, type Page } from 'playwright-core';
import { buildPerson } from '../accounts/support.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { createEndpoint } from '../webhooks/support.ts';
import { useConsoles } from './support.ts';

const MAX_KILOBYTES = 200;
const MAX_REQUESTS = 10;
const MAX_MS = 1000;
/** Milliseconds that an idle machine needs to show the form without a slow network. */
const LOCAL_MS = 150;

/** Network of a phone: 1.6 Mbit/s with a latency of 150 ms. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** Content security policy of the console, which libraries must not weaken. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * Browser script that runs before the page's scripts, and stores the time at which the sign-in form is in the
 * document.
 */
const NOTE_TIME_OF_FORM = `new MutationObserver((_, observer) => {
  if (document.querySelector('input[name=email]') === null) return;
  window.timeOfForm = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })`;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const showForm = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();

describe('the console when it starts', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  it('has exactly the expected Content-Security-Policy on every page', async () => {
    for (const path of ['/console', '/console/inbox', '/sign-in', '/register']) {
      const { headers } = await parley.client().get(path);
      assert.equal(headers.get('content-security-policy'), POLICY, path);
    }
  });

  it(`loads at most ${MAX_KILOBYTES} KB and ${MAX_REQUESTS} files before the sign-in form is visible`, async () => {
    const page = await consoles().visit('about:blank');
    await page.addInitScript(NOTE_TIME_OF_FORM);
    await page.goto(`${parley.baseUrl}/sign-in`);
    await showForm(page);
    // Count only files that were loaded before the form: the script of the console's shell is loaded later,
    // while the user types.
    const files = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').filter((file) => file.startTime <= timeOfForm).map((file) => file.name)`,
    );
    const urls = [page.url(), ...files];
    const loader = await request.newContext({ extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } });
    const sizes = await Promise.all(
      urls.map(async (url) => (await loader.get(url)).headers()['content-length'] ?? '0'),
    );
    await loader.dispose();
    const kilobytes = sizes.reduce((sum, size) => sum + Number(size), 0) / 1000;
    assert.ok(urls.length <= MAX_REQUESTS, urls.join('\n'));
    assert.ok(kilobytes > 20 && kilobytes <= MAX_KILOBYTES, `${kilobytes} KB`);
  });

  /** Returns the milliseconds until the sign-in form is in the document of a new browser. */
  async function measureForm(isSlow: boolean): Promise<number> {
    const page = await consoles().visit('about:blank');
    if (isSlow) {
      const network = await page.context().newCDPSession(page);
      await network.send('Network.enable');
      await network.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    }
    await page.addInitScript(NOTE_TIME_OF_FORM);
    await page.goto(`${parley.baseUrl}/sign-in`, { waitUntil: 'commit' });
    await showForm(page);
    return page.evaluate<number>('timeOfForm');
  }

  itInSoak(`shows the sign-in form within ${MAX_MS} ms on a slow network`, async () => {
    const attempts: string[] = [];
    let isFast = false;
    while (!isFast && attempts.length < 5) {
      const localMs = await measureForm(false);
      const slowMs = await measureForm(true);
      // Allow for other processes that slow the browser down: the time that it loses without a slow network
      // does not count.
      isFast = slowMs < MAX_MS + Math.max(0, localMs - LOCAL_MS);
      attempts.push(`${Math.round(slowMs)} ms, locally ${Math.round(localMs)} ms`);
    }
    assert.ok(isFast, attempts.join('; '));
  });

  it('requests nothing twice when a signed-in person opens a page', async () => {
    const person = await buildPerson(parley);
    const page = await consoles().openAsPerson(parley, person, '/webhooks');
    await page.getByText('No endpoints yet').waitFor();
    await page.locator('.workspace-name').getByText('Acme').waitFor();
    await page.goto(`${parley.baseUrl}/llms.txt`);
    const urls: string[] = [];
    page.on('request', (sent) => {
      if (sent.method() === 'GET' && sent.url().includes('/api/')) urls.push(sent.url());
    });
    await page.goto(`${parley.baseUrl}/console/webhooks`);
    await page.getByText('No endpoints yet').waitFor();
    await page.locator('.workspace-name').getByText('Acme').waitFor();
    assert.deepEqual(
      urls.filter((url, index) => urls.indexOf(url) !== index),
      [],
    );
    assert.ok(urls.length > 2, urls.join());
  });

  itInSoak('has no violations of accessibility rules in light and dark mode', async () => {
    const person = await buildPerson(parley);
    await createEndpoint(person, 'http://127.0.0.1:1/hook');
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await consoles().visit(`${parley.baseUrl}/sign-in`, { colorScheme });
      await showForm(visitor);
      assert.deepEqual(await findViolations(visitor), [], `sign-in, ${colorScheme}`);
      const page = await consoles().openAsPerson(parley, person, '/webhooks', { colorScheme });
      await page.getByRole('link', { name: 'http://127.0.0.1:1/hook' }).waitFor();
      assert.deepEqual(await findViolations(page), [], `webhooks, ${colorScheme}`);
    }
  });

  itInSoak('opens links of earlier releases, which have the page in the fragment', async () => {
    const person = await buildPerson(parley);
    const page = await consoles().openAsPerson(parley, person, '#/webhooks/deliveries?status=failed');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    assert.equal(page.url(), `${parley.baseUrl}/console/webhooks/deliveries?status=failed`);
    await page.evaluate("location.hash = '#/bots'");
    await page.getByRole('heading', { name: 'Bots', exact: true }).waitFor();
    assert.equal(page.url(), `${parley.baseUrl}/console/bots`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  });

  itInSoak('finds pages with the command palette, and keeps the chosen theme', async () => {
    const person = await buildPerson(parley);
    const page = await consoles().openAsPerson(parley, person);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('Control+K');
    await page
      .getByRole('textbox', { name: 'Search pages, bots, conversations, contacts and actions' })
      .fill('webh');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.locator('.user-button').click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.reload();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  });
});

/** Returns the accessibility rules of axe that the page violates. */
async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(`${axe}; undefined`);
  return page.evaluate<string[]>(
    `axe.run(document, { resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
}
