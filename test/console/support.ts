import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import type { TestParley } from '../support/parley.ts';

const TEST_MS = 90_000;
const STEP_MS = 20_000;
const VIEWPORT = { width: 1280, height: 800 };

/** Consoles in a browser for the tests of one `describe`; each test begins without any, and fails where a page reports an error. */
export class Consoles {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  /** Errors that pages have reported; a test that provokes some takes them out. */
  readonly errors: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Null on a machine without a browser. */
  static async start(): Promise<Consoles | null> {
    const browser = await openBrowser();
    return browser && new Consoles(browser);
  }

  /** A browser of its own, as somebody else has it. @param options of its context */
  async open(
    { baseUrl }: Pick<TestParley, 'baseUrl'>,
    place = '',
    options: { viewport?: { width: number; height: number }; colorScheme?: 'dark' | 'light' } = {},
  ): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: VIEWPORT, locale: 'en-GB', ...options });
    this.#contexts.push(context);
    const page = await context.newPage();
    this.#watch(page);
    page.setDefaultTimeout(STEP_MS);
    await page.goto(`${baseUrl}/console${place}`);
    return page;
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('request', (request) => {
      if (request.url().includes('parley_live_')) this.errors.push(`The key went into ${request.url()}`);
    });
    page.on('console', (message) => {
      // Refusals of the API are told on the page, which the tests look at.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) this.errors.push(message.text());
    });
  }

  /** A console that somebody has signed in to. */
  async signedIn(
    parley: Pick<TestParley, 'baseUrl'>,
    key: string,
    place = '',
    options: Parameters<Consoles['open']>[2] = {},
  ): Promise<Page> {
    const page = await this.open(parley, place, options);
    await signIn(page, key);
    return page;
  }

  async endTest(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    assert.deepEqual(this.errors.splice(0), []);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
  }
}

/** Sets up consoles around the tests of a `describe`, which is skipped without a browser. */
export function useConsoles(suite: Mocha.Suite): () => Consoles {
  suite.timeout(TEST_MS);
  let consoles: Consoles | null = null;
  before(async function () {
    consoles = await Consoles.start();
    if (consoles === null) this.skip();
  });
  afterEach(() => consoles?.endTest());
  after(() => consoles?.stop());
  return () => consoles!;
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
}
