import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { HostPage, HostSite } from './host-site.ts';
import type { TestParley } from './parley.ts';
import { PATIENCE_MS, until } from './until.ts';

export interface OpenOptions extends BrowserContextOptions {
  /** Attributes of the snippet besides those that getBotEmbed gives. */
  attributes?: string;
  /** What else is on the page; the snippet is put at its end. */
  page?: Partial<HostPage>;
  /** Opens another tab of the same visitor's browser. */
  context?: BrowserContext;
}

/** A page with the widget, in a visitor's browser. */
export class WidgetPage {
  readonly page: Page;
  /** What the browser has complained of. */
  readonly complaints: string[] = [];
  readonly launcher: Locator;
  readonly panel: Locator;
  readonly input: Locator;

  constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
    this.launcher = page.locator('parley-widget .launcher');
    this.panel = page.locator('parley-widget [role=dialog]');
    this.input = this.panel.locator('textarea');
  }

  async open(): Promise<void> {
    await this.launcher.click();
    await this.panel.waitFor();
  }

  /** Writes a message and sends it. */
  async say(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Waits for a text in the panel. */
  async sees(text: string | RegExp): Promise<void> {
    await this.panel.getByText(text).filter({ visible: true }).first().waitFor();
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole('button', { name });
  }

  /** An entry of the menu. */
  async choose(name: string): Promise<void> {
    await this.button('More').click();
    await this.button(name).click();
  }

  /** Who said what, in the order of the screen. */
  async said(): Promise<string[]> {
    return this.panel
      .locator('.items .message:visible')
      .evaluateAll((all) =>
        all.map((each) => `${each.getAttribute('data-role')}: ${each.querySelector('.bubble')?.textContent}`),
      );
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

/** Visitors' browsers, on a customer's site. */
export class WidgetVisits {
  readonly #parley: Pick<TestParley, 'baseUrl'>;
  readonly #browser: Browser;
  readonly #site: HostSite;
  readonly #contexts: BrowserContext[] = [];

  constructor(parley: Pick<TestParley, 'baseUrl'>, browser: Browser, site: HostSite) {
    this.#parley = parley;
    this.#browser = browser;
    this.#site = site;
  }

  /** A page of the site with the bot's widget. */
  async visit(bot: { public_key: string }, options: OpenOptions = {}): Promise<WidgetPage> {
    const { attributes = '', page: host = {}, context: known, ...settings } = options;
    const snippet = `<script src="${this.#parley.baseUrl}/widget.js" data-bot="${bot.public_key}" ${attributes} async></script>`;
    const html = `<!doctype html><html lang="en"><title>Harbour Bikes</title>${host.html ?? '<h1>Harbour Bikes</h1><p>Bicycles by the water.</p>'}${snippet}`;
    const url = this.#site.add({ ...host, html });
    const context = known ?? (await this.newContext(settings));
    const visited = new WidgetPage(await context.newPage());
    await visited.page.goto(url);
    return visited;
  }

  async newContext(settings: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: { width: 900, height: 700 },
      locale: 'en-GB',
      // Each frame of what moves is drawn without a graphics card.
      reducedMotion: 'reduce',
      ...settings,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    this.#contexts.push(context);
    return context;
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }
}

/** Waits until the texts on the screen are these. */
export async function untilSaid(visited: WidgetPage, expected: string[]): Promise<void> {
  let said: string[] = [];
  const isSaid = async () => {
    said = await visited.said();
    return isDeepStrictEqual(said, expected);
  };
  await until(isSaid, 'the texts on the screen').catch(() => assert.deepEqual(said, expected));
}
