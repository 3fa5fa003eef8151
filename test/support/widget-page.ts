import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { HostPage, HostSite } from './host-site.ts';
import type { SharedParley } from './parley.ts';
import { PATIENCE_MS } from './wait-until.ts';

export interface OpenOptions extends BrowserContextOptions {
  /** Attributes of the widget's snippet in addition to those that getBotEmbed returns. */
  attributes?: string;
  /** Content of the customer's page before the snippet. */
  page?: Partial<HostPage>;
  /** Browser context of another tab, to open a tab of the same visitor's browser. */
  context?: BrowserContext;
}

// Scripts that run in the web page and use only its browser's own API. Playwright's locators would add 340 KB
// to each page in which they evaluate.
const SAID = `() => {
  const said = [];
  const root = document.querySelector('parley-widget')?.shadowRoot;
  for (const each of root?.querySelectorAll('[role=dialog] .items [data-role].message') ?? []) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    said[said.length] = each.getAttribute('data-role') + ': ' + each.querySelector('.bubble')?.textContent;
  }
  return said;
}`;
const UNTIL_SAID = `(look, expected) => new Promise((resolve) => {
  const observer = new MutationObserver(check);
  function check() {
    const root = document.querySelector('parley-widget')?.shadowRoot;
    observer.observe(document.documentElement, { childList: true });
    if (root) observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    const said = look();
    if (said.length !== expected.length || said.some((text, index) => text !== expected[index])) return;
    observer.disconnect();
    settle();
  }
  function settle() {
    const isAnswered = expected[expected.length - 1]?.startsWith('assistant:');
    if (isAnswered && isPending()) setTimeout(settle, 10);
    else resolve(true);
  }
  function isPending() {
    try {
      return Object.values(localStorage).some((kept) => kept.includes('"pending":[{'));
    } catch {
      return false;
    }
  }
  check();
})`;

/** A page with the widget in the browser of a visitor. */
export class WidgetPage {
  readonly page: Page;
  /** Errors and warnings that the visitor's browser has logged. */
  readonly errors: string[] = [];
  readonly launcher: Locator;
  readonly panel: Locator;
  readonly input: Locator;

  constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.errors.push(message.text());
    });
    this.launcher = page.locator('parley-widget .launcher');
    this.panel = page.locator('parley-widget [role=dialog]');
    this.input = this.panel.locator('textarea');
  }

  async open(): Promise<void> {
    await this.launcher.click();
    await this.panel.waitFor();
  }

  /** Types a message in the widget and sends it. */
  async say(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Waits for a text in the widget's panel. */
  async waitForText(text: string | RegExp): Promise<void> {
    await this.panel.getByText(text).filter({ visible: true }).first().waitFor();
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole('button', { name });
  }

  /** Chooses an entry of the widget's menu. */
  async choose(name: string): Promise<void> {
    await this.button('More options').click();
    await this.button(name).click();
  }

  /** Returns the messages in the widget with their senders, in the order of the screen. */
  async readMessages(): Promise<string[]> {
    return this.page.evaluate(`(${SAID})()`);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

/** Opens visitors' browsers on a customer's site with the widget. */
export class WidgetVisits {
  readonly #parley: Pick<SharedParley, 'baseUrl'>;
  readonly #browser: Browser;
  readonly #site: HostSite;
  readonly #contexts: BrowserContext[] = [];

  constructor(parley: Pick<SharedParley, 'baseUrl'>, browser: Browser, site: HostSite) {
    this.#parley = parley;
    this.#browser = browser;
    this.#site = site;
  }

  /** Opens a page of the customer's site with the bot's widget. */
  async visit(bot: { public_key: string }, options: OpenOptions = {}): Promise<WidgetPage> {
    const { attributes = '', page: host = {}, context: known, ...settings } = options;
    const snippet = `<script src="${this.#parley.baseUrl}/widget.js" data-bot="${bot.public_key}" ${attributes} async></script>`;
    const html = `<!doctype html><html lang="en"><title>Harbour Bikes</title>${host.html ?? '<h1>Harbour Bikes</h1><p>Bicycles by the water.</p>'}${snippet}`;
    const url = this.#site.add({ ...host, html });
    const context = known ?? (await this.createContext(settings));
    const visited = new WidgetPage(await context.newPage());
    await visited.page.goto(url);
    return visited;
  }

  async createContext(settings: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: { width: 900, height: 700 },
      locale: 'en-GB',
      // Reduce motion, because the browser draws animations frame by frame without a graphics card.
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

/**
 * Waits until the widget shows exactly these messages. A script in the page checks at each change. If the
 * last message is an answer, it also waits for the answer's end: otherwise the next page would request it
 * again.
 */
export async function waitUntilSaid({ page }: Pick<WidgetPage, 'page'>, expected: string[]): Promise<void> {
  const patience = new AbortController();
  const look = `(${UNTIL_SAID})(${SAID}, ${JSON.stringify(expected)})`;
  // Repeat the script if it fails, because a navigation of the page ends it.
  const isSaid = (): Promise<boolean> =>
    page.evaluate<boolean>(look).catch(() => page.isClosed() || isSaid());
  const { signal } = patience;
  const outOfPatience = sleep(PATIENCE_MS, false, { signal }).catch(() => false);
  await Promise.race([isSaid(), outOfPatience]).finally(() => patience.abort());
  assert.deepEqual(await page.evaluate(`(${SAID})()`), expected);
}
