import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openSharedBrowser } from '../support/browser.ts';
import type { TestOrg, SharedParley } from '../support/parley.ts';
import { PATIENCE_MS } from '../support/wait-until.ts';

const VIEWPORT = { width: 1280, height: 800 };

/** Browser script that finds controls without an accessible name. */
export const NAMELESS = `[...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a, progress, meter')]
  .filter((element) => !element.labels?.length && !element.ariaLabel && !element.textContent.trim())
  .map((element) => element.outerHTML)`;

/**
 * Browser script that finds controls whose accessible name differs from their label, so that voice control
 * does not find them.
 */
export const MISNAMED = `[...document.querySelectorAll('button[aria-label], a[aria-label], summary[aria-label]')]
  .filter(({ innerText, ariaLabel }) => /\\p{L}/u.test(innerText) && !ariaLabel.startsWith(innerText.trim()))
  .map((element) => element.outerHTML)`;

/** A session as the console stores it in the browser, under this name. */
interface StoredSession {
  token: string;
  refreshToken: string | null;
  orgId: string | null;
}
const SESSION_KEY = 'parley.console';

interface ContextOptions {
  viewport?: { width: number; height: number };
  colorScheme?: 'dark' | 'light';
  /** Time of the browser's clock, if a test depends on it. */
  now?: string;
}

/**
 * Opens consoles in a browser for the tests of one `describe`. Each test begins without open consoles, and
 * fails if a page reports an error.
 */
export class Consoles {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  /** Errors that pages have reported. A test that provokes errors removes them from this list. */
  readonly errors: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Starts the browser for consoles; returns null on a machine without a browser. */
  static async start(): Promise<Consoles | null> {
    const browser = await openSharedBrowser();
    return browser && new Consoles(browser);
  }

  /**
   * Opens a page of the console as a new user of the browser.
   * @param options options of the context
   */
  open({ baseUrl }: Pick<SharedParley, 'baseUrl'>, place = '', options: ContextOptions = {}): Promise<Page> {
    return this.visit(`${baseUrl}/console${place}`, options);
  }

  /** Opens any address as a new user of the browser. */
  async visit(address: string, options: ContextOptions = {}): Promise<Page> {
    const page = await this.#newPage(options);
    await page.goto(address);
    return page;
  }

  async #newPage({ now, ...options }: ContextOptions): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: VIEWPORT,
      locale: 'en-GB',
      // Reduce motion, because the browser draws each frame of an animation in software, without a graphics
      // card.
      reducedMotion: 'reduce',
      ...options,
    });
    this.#contexts.push(context);
    if (now !== undefined) await context.clock.setFixedTime(now);
    context.on('page', (page) => this.#watch(page));
    return context.newPage();
  }

  #watch(page: Page): void {
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('request', (request) => {
      if (request.url().includes('parley_live_')) this.errors.push(`The key went into ${request.url()}`);
    });
    page.on('console', (message) => {
      // Ignore failed API requests: pages show the API's refusals, and tests assert these messages.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) this.errors.push(message.text());
    });
  }

  /** Opens a console that is signed in with an API key, in this tab. */
  openWithKey(
    parley: Pick<SharedParley, 'baseUrl'>,
    key: string,
    place = '',
    options: ContextOptions = {},
  ): Promise<Page> {
    return this.#openWith({ token: key, refreshToken: null, orgId: null }, parley, place, options);
  }

  /** Opens a console that is signed in with a person's account. */
  async openAsPerson(
    parley: SharedParley,
    person: TestOrg,
    place = '',
    options: ContextOptions = {},
  ): Promise<Page> {
    const { accessToken: token, refreshToken } = await parley.signIn(person);
    return this.#openWith({ token, refreshToken, orgId: person.orgId }, parley, place, options);
  }

  /** Opens a console with a stored session, without the sign-in form, which is slow. Tests of sign-in use the form. */
  async #openWith(
    session: StoredSession,
    { baseUrl }: Pick<SharedParley, 'baseUrl'>,
    place: string,
    options: ContextOptions,
  ): Promise<Page> {
    const page = await this.#newPage(options);
    await page.addInitScript(keepOnce, [SESSION_KEY, JSON.stringify(session)] as const);
    await page.goto(`${baseUrl}/console${place}`);
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    return page;
  }

  async endTest(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    assert.deepEqual(this.errors.splice(0), []);
  }
}

/** Runs in the browser tab before each document. Stores the session only before the first document. */
function keepOnce([name, session]: readonly [string, string]): void {
  const tab = globalThis as unknown as {
    name: string;
    sessionStorage: { setItem(name: string, text: string): void };
  };
  if (tab.name !== '') return;
  tab.name = 'has signed in';
  tab.sessionStorage.setItem(name, session);
}

/** Sets up consoles around the tests of a `describe`, which is skipped without a browser. */
export function useConsoles(suite: Mocha.Suite): () => Consoles {
  suite.timeout(2 * PATIENCE_MS);
  let consoles: Consoles | null = null;
  before(async function () {
    consoles = await Consoles.start();
    if (consoles === null) this.skip();
  });
  afterEach(() => consoles?.endTest());
  return () => consoles!;
}

/** Signs in to the console with an API key. */
export async function signIn(page: Page, key: string): Promise<void> {
  if (!(await page.getByLabel('API key').isVisible())) await chooseKey(page);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
}

/** Opens the console's form for signing in with an API key. */
export async function chooseKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).click();
}

export async function signInWithPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Chooses a time zone in the console's field with a search. */
export async function chooseZone(page: Page, zone: string, label = 'Time zone'): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(zone);
  await page.getByRole('option', { name: zone, exact: true }).click();
}

/** Goes to another page of the console; returns when the page is rendered, possibly before its data. */
export async function goToPlace(page: Page, place: string): Promise<void> {
  await page.evaluate(`new Promise((drawn) => {
    const path = ${JSON.stringify(`/console/${place}`)};
    if (location.pathname + location.search === path) return drawn();
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
    setTimeout(drawn);
  })`);
}

/** Waits until the console shows this name as the signed-in person, or as the workspace. */
export async function assertSignedInAs(page: Page, name: string): Promise<void> {
  await page.locator('.user-name, .workspace-name').getByText(name, { exact: true }).waitFor();
}

/** Chooses an entry of the console's menu with the person's name. */
async function chooseInUserMenu(page: Page, name: string): Promise<void> {
  await page.locator('.user-button').click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

export const signOut = (page: Page): Promise<void> => chooseInUserMenu(page, 'Sign out');

export async function switchWorkspace(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await page.getByRole('menuitemradio', { name, exact: true }).click();
}

/** Waits until the console shows that the person works in this workspace. */
export async function assertWorkspace(page: Page, name: string): Promise<void> {
  await page.locator('.workspace-name').getByText(name, { exact: true }).waitFor();
}
