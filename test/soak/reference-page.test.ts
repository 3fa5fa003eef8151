import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { operations } from '../../api/registry.ts';
import { errorCodes } from '../../core/errors/error-codes.ts';
import { openSharedBrowser } from '../support/browser.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';

/** Runs in the browser. */
const readElementIds = (elements: { id: string }[]) => elements.map(({ id }) => id);

describe('the reference page', function () {
  let context: BrowserContext | undefined;
  let parley: TestParley;
  before(async function () {
    context = await (
      await openSharedBrowser()
    )?.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    if (context === undefined) this.skip();
    parley = await startParley();
  });
  after(async () => {
    await context?.close();
    await parley?.stop();
  });

  it('shows every operation, requests no other server, and logs no error', async () => {
    const page = await context!.newPage();
    const failures: string[] = [];
    const hosts = new Set<string>();
    page.on('pageerror', (error) => failures.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') failures.push(message.text());
    });
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:') hosts.add(url.host);
    });
    await page.goto(`${parley.baseUrl}/docs`);
    // The page renders only the visible part of a document this long.
    const shown = new Set<string>();
    await waitUntil(async () => {
      for (const id of await page.locator('.opblock').evaluateAll(readElementIds)) shown.add(id);
      await page.mouse.wheel(0, 400);
      return shown.size === operations.length;
    }, 'every operation');
    await page.goto('about:blank');
    await page.goto(`${parley.baseUrl}/docs#/bots/createBot`);
    await page.waitForSelector('#operations-bots-createBot .opblock-body');
    assert.deepEqual([...hosts], [new URL(parley.baseUrl).host]);
    assert.deepEqual(failures, []);
    await page.close();
  });

  it('has HTML pages for error codes, their list, and missing pages', async () => {
    const page = await context!.newPage();
    const blocked: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) blocked.push(message.text());
    });
    await page.goto(`${parley.baseUrl}/`);
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console`);
    const missing = await page.goto(`${parley.baseUrl}/no/such/page`);
    assert.equal(missing?.status(), 404);
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    await page.getByText('There is nothing at /no/such/page.').waitFor();
    await page.getByRole('link', { name: 'not_found' }).click();
    await page.getByText('Check the path and the id.').waitFor();
    await page.getByRole('link', { name: 'All error codes' }).click();
    await page.waitForURL(`${parley.baseUrl}/errors`);
    await waitUntilEqual(() => page.locator('li code').allInnerTexts(), Object.keys(errorCodes));
    const font = 'getComputedStyle(document.querySelector("h1")).fontFamily';
    await waitUntilEqual(() => page.evaluate(font), 'system-ui, sans-serif');
    await page.getByRole('link', { name: 'Parley', exact: true }).click();
    await page.waitForURL(`${parley.baseUrl}/console`);
    assert.deepEqual(blocked, []);
  });

  it('returns problems to programs, also for missing pages', async () => {
    for (const [path, accept] of [
      ['/no/such/page', 'application/json'],
      ['/no/such/page', '*/*'],
      ['/api/no/such/page', 'text/html'],
    ] as const) {
      const { status, headers, body } = await parley.client().get(path, { accept });
      assert.equal(formatOutcome({ status, body }), '404 not_found');
      assert.equal(headers.get('content-type'), 'application/problem+json');
    }
    const { body } = await parley.client().get('/errors', { accept: 'application/json' });
    const [first] = Object.entries(errorCodes);
    assert.deepEqual((body as object[])[0], { code: first?.[0], ...first?.[1] });
  });
});
