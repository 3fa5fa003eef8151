import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { errorCodes } from '../../core/errors/error-codes.ts';
import { openSharedBrowser } from '../support/browser.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { waitUntilEqual } from '../support/wait-until.ts';

describe('the server', function () {
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

  it('returns HTML pages for error codes, for the list of error codes, and for unknown URLs', async () => {
    const page = await context!.newPage();
    const blocked: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) blocked.push(message.text());
    });
    await page.goto(`${parley.baseUrl}/`);
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console`);
    const missing = await page.goto(`${parley.baseUrl}/no/such/page`);
    assert.equal(missing?.status(), 404);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
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

  it('returns problem details to programs, even for unknown URLs', async () => {
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
