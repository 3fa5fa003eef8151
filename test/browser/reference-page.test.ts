import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { operations } from '../../api/registry.ts';
import { sharedBrowser } from '../support/browser.ts';
import { startParley, type TestParley } from '../support/parley.ts';

describe('the reference page', function () {
  this.timeout(60_000);
  let context: BrowserContext | undefined;
  let parley: TestParley;
  before(async function () {
    context = await (await sharedBrowser())?.newContext({ viewport: { width: 1280, height: 900 } });
    if (context === undefined) this.skip();
    parley = await startParley();
  });
  after(async () => {
    await context?.close();
    await parley?.stop();
  });

  it('shows every operation, asks no other server, and reports no error', async () => {
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
    await page.waitForSelector('.opblock');
    assert.equal(await page.locator('.opblock').count(), operations.length);
    await page.locator('#operations-bots-createBot button').first().click();
    await page.waitForSelector('#operations-bots-createBot .opblock-body');
    if (process.env['SCREENSHOTS'])
      await page.screenshot({ path: `${process.env['SCREENSHOTS']}/reference.png` });
    assert.deepEqual([...hosts], [new URL(parley.baseUrl).host]);
    assert.deepEqual(failures, []);
  });
});
