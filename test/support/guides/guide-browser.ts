import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { openSharedBrowser } from '../browser.ts';
import { PATIENCE_MS } from '../wait-until.ts';
import { WidgetPage } from '../widget-page.ts';
import { toTextPattern } from './expected-output.ts';

const TYPED = '> ';

/** Browser of a guide's reader. It keeps the storage of pages between visits. */
export class GuideBrowser {
  #context: BrowserContext | undefined;

  /**
   * Opens a page with the widget and talks to the bot as the guide shows.
   * @param talk lines that begin with `> ` are typed; all other lines are awaited
   * @throws AssertionError if the page logs errors
   */
  async visit(address: string, talk: string): Promise<void> {
    const context = await this.#open();
    const visited = new WidgetPage(await context.newPage());
    await visited.page.goto(address);
    await visited.launcher.waitFor();
    if (!(await visited.panel.isVisible())) await visited.open();
    for (const line of talk.trim().split('\n'))
      if (line.startsWith(TYPED)) await visited.say(line.slice(TYPED.length));
      else await visited.waitForText(toTextPattern(line));
    await visited.close();
    assert.deepEqual(visited.errors, []);
  }

  async close(): Promise<void> {
    await this.#context?.close();
  }

  async #open(): Promise<BrowserContext> {
    if (this.#context) return this.#context;
    const browser = await openSharedBrowser();
    assert.ok(browser, 'There is no browser.');
    this.#context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    this.#context.setDefaultTimeout(PATIENCE_MS);
    return this.#context;
  }
}
