import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { operations } from '../../api/registry.ts';
import { openSharedBrowser } from '../support/browser.ts';
import { buildPassage } from '../support/knowledge.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { buildActiveBot } from '../support/widget.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const VIOLATIONS = `axe.run().then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => id + ' ' + nodes[0].html))`;
/**
 * Maximum CPU time in seconds until the page shows an operation: half of the two seconds that readers may
 * have to wait.
 */
const MAX_FIRST_OPERATION_CPU_S = 1;

describe('the reference page', function () {
  let contexts: BrowserContext[] = [];
  let parley: SharedParley;
  before(async function () {
    if (!(await openSharedBrowser())) return this.skip();
    parley = await startSharedParley();
  });
  afterEach(async () => {
    for (const context of contexts) await context.close();
    contexts = [];
  });

  /** Opens a new browser page, and collects its errors and requests to other servers. */
  async function openPage(
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const context = await (await openSharedBrowser())!.newContext({ reducedMotion: 'reduce', ...options });
    contexts.push(context);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(parley.baseUrl) || request.url().startsWith('data:');
      if (!isOurs) complaints.push(request.url());
    });
    return { page, complaints };
  }

  async function openReference(hash = '', options: BrowserContextOptions = {}) {
    const opened = await openPage(options);
    await opened.page.goto(`${parley.baseUrl}/docs${hash}`);
    return opened;
  }

  /** Opens an operation on the API reference page, and its form “Try it”. */
  async function openTrial(page: Page, id: string) {
    await page.goto(`${parley.baseUrl}/docs#${id}`);
    const operation = page.locator(`#${id}`);
    await operation.getByText('Try it', { exact: true }).click();
    const respond = async () => {
      await operation.getByRole('button', { name: 'Send request' }).click();
      await waitUntilMatches(() => operation.getByRole('status').innerText(), /^\d{3} |failed/);
      return {
        status: (await operation.getByRole('status').innerText()).slice(0, 3),
        body: await operation.getByLabel('Response').innerText(),
      };
    };
    return { operation, respond };
  }

  it('has the id of every operation as text before any script runs, in the order of tasks', async () => {
    const { page, complaints } = await openReference('', { javaScriptEnabled: false });
    const ids = await page.locator('.operation h3').allTextContents();
    assert.deepEqual(ids.toSorted(), operations.map(({ id }) => id).toSorted());
    assert.deepEqual(await page.locator('nav li code').allTextContents(), ids);
    assert.deepEqual(await page.locator('nav h2').allTextContents(), [
      'Start',
      'Bots',
      'Knowledge',
      'Widget',
      'Conversations',
      'Handoff',
      'Webhooks',
      'Alerts and bookings',
      'Analytics and archives',
      'Administration',
      // The extensions.
      'Start',
      'Bots',
      'Knowledge',
      'Widget',
      'Conversations',
      'Handoff',
      'Webhooks',
      'Analytics and archives',
      'Administration',
    ]);
    assert.deepEqual(complaints, []);
  });

  itInSoak('lets the browser’s text search find the id of any operation', async () => {
    const { page } = await openReference();
    for (const id of ['createWebhook', 'getMeta', 'listBots', 'putDocumentFile']) {
      await page.evaluate('getSelection().removeAllRanges()');
      assert.equal(await page.evaluate(`window.find('${id}')`), true, id);
    }
  });

  it('opens the operation in the fragment of a URL, even in the former format, and links to its guide', async () => {
    const { page, complaints } = await openReference('#createWebhook');
    const operation = page.locator('#createWebhook');
    const isInView = () =>
      operation.evaluate((element) => {
        const { top } = element.getBoundingClientRect();
        return element.hasAttribute('open') && top >= 0 && top < 200;
      });
    await waitUntilEqual(isInView, true);
    await operation.getByText('x-webhook-signature', { exact: true }).waitFor();
    await operation.getByText('HMAC-SHA256').waitFor();
    await operation.getByRole('link', { name: 'Guide: verify signatures of webhooks' }).click();
    await page.waitForURL(`${parley.baseUrl}/docs/guides/webhooks#without-an-sdk`);
    await page.goto('about:blank');
    await page.goto(`${parley.baseUrl}/docs#/webhooks/createWebhook`);
    await waitUntilEqual(isInView, true);
    await page.locator('nav a[href="#tag/webhooks"]').click();
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/docs#tag/webhooks`);
    assert.deepEqual(complaints, []);
  });

  it('finds operations and extensions by id, summary, path and field', async () => {
    const { page } = await openReference();
    const box = page.getByRole('searchbox', { name: 'Search operations and fields' });
    const shown = page.locator('nav li:visible code');
    for (const [words, id] of [
      ['rotatewebhooksecret', 'rotateWebhookSecret'],
      ['/api/webhooks post', 'createWebhook'],
      ['signing secret only', 'createWebhook'],
      ['listsavedreplies', 'listSavedReplies'],
      ['requests last seven days', 'listRequests'],
      ['/api/ext/bots put', 'putDocument'],
      ['external_id deduplicate', 'putDocumentFile'],
      ['handoff_enabled temperature', 'createBot'],
    ] as const) {
      await page.keyboard.press('/');
      await box.fill(words);
      await waitUntilMatches(
        async () => (await shown.allTextContents()).join(' '),
        new RegExp(`\\b${id}\\b`),
      );
    }
    assert.match(await page.locator('nav li:visible small').first().innerText(), /^fields: .*temperature/);
    await box.fill('createbot');
    await box.press('Enter');
    await page.locator('#createBot[open]').waitFor();
    await box.fill('no such word');
    await waitUntilEqual(() => page.getByText('0 operations').count(), 1);
  });

  itInSoak('follows the system’s color scheme until the button switches it', async () => {
    const { page } = await openReference('', { colorScheme: 'dark' });
    const readBackground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await waitUntilEqual(readBackground, 'rgb(18, 21, 28)');
    await page.getByRole('button', { name: 'Light' }).click();
    await waitUntilEqual(readBackground, 'rgb(255, 255, 255)');
    await page.reload();
    await waitUntilEqual(readBackground, 'rgb(255, 255, 255)');
    await page.getByRole('button', { name: 'Dark' }).waitFor();
  });

  it('sends listBots and createBot with the entered key, and stores the key nowhere', async () => {
    const { key, bot, client } = await buildActiveBot(parley);
    const { page, complaints } = await openReference();
    await page.getByLabel('Key', { exact: true }).fill(key);
    const { status, body } = await (await openTrial(page, 'listBots')).respond();
    assert.equal(status, '200');
    assert.equal((JSON.parse(body) as { items: { id: string }[] }).items[0]?.id, bot.id);
    const created = await (await openTrial(page, 'createBot')).respond();
    assert.equal(created.status, '201');
    const { id, name } = JSON.parse(created.body) as { id: string; name: string };
    assert.equal((await client.get(`/api/bots/${id}`)).body.name, name);
    const stored = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
    assert.deepEqual(stored, [0, 0, '']);
    assert.deepEqual(complaints, []);
  });

  itInSoak('uploads a file, and shows the events of a stream', async () => {
    const { key, bot, orgId } = await buildActiveBot(parley);
    const { page } = await openReference();
    await page.getByLabel('Key', { exact: true }).fill(key);
    const upload = await openTrial(page, 'uploadDocument');
    await upload.operation.getByLabel('bot_id (path)').fill(bot.id);
    await upload.operation.getByLabel('file (form)').setInputFiles({
      name: 'prices.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('A day pass costs 12 euros.'),
    });
    const { status, body } = await upload.respond();
    assert.equal(status, '201', body);
    assert.equal((JSON.parse(body) as { mime_type: string }).mime_type, 'text/markdown');
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs 12 euros.');
    const stream = await openTrial(page, 'tryBot');
    await stream.operation.getByLabel('bot_id (path)').fill(bot.id);
    await stream.operation.getByLabel('Accept').selectOption('text/event-stream');
    const streamed = await stream.respond();
    assert.equal(streamed.status, '200');
    assert.match(streamed.body, /event: delta[^]*12 euros[^]*event: done/);
  });

  itInSoak(
    'shows samples of each operation in the chosen language, and can be used with the keyboard',
    async () => {
      const { page } = await openReference('#createBot');
      const readFocusedText = () => page.evaluate('document.activeElement.textContent');
      const samples = page.locator('#createBot .samples');
      await samples.getByRole('tab', { name: 'TypeScript' }).click();
      assert.match(await samples.locator('pre').innerText(), /await client\.bots\.create\(\{ name: /);
      await page.keyboard.press('ArrowRight');
      await waitUntilEqual(readFocusedText, 'Python');
      assert.match(
        await samples.getByRole('tabpanel', { name: 'Python' }).innerText(),
        /client\.bots\.create\(name=/,
      );
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await waitUntilEqual(readFocusedText, 'curl');
      await page.locator('#listBots > summary').click();
      const others = page.locator('#listBots .samples');
      assert.match(await others.getByRole('tabpanel', { name: 'curl' }).innerText(), /^curl 'http/);
      assert.equal(await others.getByRole('tab', { selected: true }).innerText(), 'curl');
    },
  );

  itInSoak('opens every operation without an error, and nested fields one by one', async () => {
    const { page, complaints } = await openReference();
    await page.evaluate("document.querySelectorAll('.operation').forEach((each) => { each.open = true; })");
    await waitUntilEqual(() => page.locator('.operation .trial').count(), operations.length);
    await waitUntilEqual(() => page.locator('main [role=alert]').count(), 0);
    const list = page.locator('#listBots');
    await list.getByText('Fields of items', { exact: true }).click();
    await list.getByText('public_key', { exact: true }).waitFor();
    const login = page.locator('#login');
    await login.getByText(/^Form 2 of 2/).click();
    await login.getByText('challenge_token', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390])
      itInSoak(
        `has no serious violation of axe and fits the window, ${width} pixels wide and ${colorScheme}`,
        async () => {
          const { page } = await openReference('#createBot', {
            colorScheme,
            viewport: { width, height: 844 },
            bypassCSP: true,
          });
          await page.locator('#createBot .trial > summary').click();
          await page.locator('#createBot .response > summary').last().click();
          await page.addScriptTag({ path: AXE });
          assert.deepEqual(await page.evaluate(VIOLATIONS), []);
          assert.equal(await page.evaluate(OVERFLOW), 0);
          if (width > 800) return;
          const menu = page.locator('nav > details');
          await waitUntilEqual(() => menu.getAttribute('open'), null);
          await menu.locator('> summary').click();
          await page.getByRole('searchbox').fill('rotate');
          await page
            .locator('nav')
            .getByRole('link', { name: /rotateWebhookSecret/ })
            .click();
          await waitUntilEqual(() => menu.getAttribute('open'), null);
          await page.locator('#rotateWebhookSecret[open]').waitFor();
        },
      );

  itInSoak('draws the first operation with less than a second of CPU time in the browser', async () => {
    const { page } = await openPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
    await session.send('Performance.enable');
    await page.goto(`${parley.baseUrl}/docs`, { waitUntil: 'commit' });
    await page.locator('.operation h3').first().waitFor();
    const { metrics } = await session.send('Performance.getMetrics');
    const cpuSeconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity;
    assert.ok(cpuSeconds < MAX_FIRST_OPERATION_CPU_S, `${cpuSeconds} s`);
  });

  it('is compressed and revalidated by an ETag, and runs only its own scripts', async () => {
    const policy = /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/;
    const sizes = [];
    for (const path of ['/docs', '/docs/reference.js', '/docs/reference.css']) {
      const response = await fetch(parley.baseUrl + path, { headers: { 'accept-encoding': 'br' } });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-encoding'), 'br');
      sizes.push(Number(response.headers.get('content-length')));
      if (path === '/docs') assert.match(response.headers.get('content-security-policy') ?? '', policy);
      const headers = {
        'accept-encoding': 'br',
        'if-none-match': response.headers.get('etag')!,
        'cache-control': 'max-age=0',
      };
      assert.equal((await fetch(parley.baseUrl + path, { headers })).status, 304);
    }
    assert.ok(sizes.reduce((sum, size) => sum + size) < 40_000, sizes.join(', '));
  });
});
