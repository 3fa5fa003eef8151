import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { waitUntilSaid, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { ANSWER } from './support.ts';
import type { PageElement } from '../support/page-element.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const HOSTILE_CSS = `<style>
  * { all: unset !important; }
  * { display: none !important; font-size: 40px !important; visibility: hidden !important; opacity: 0 !important;
      transform: scale(0) !important; pointer-events: none !important; position: static !important; color: red !important;
      width: 1px !important; height: 1px !important; overflow: hidden !important; animation: x 1s !important; }
  *::before, *::after { content: 'HOSTILE' !important; position: fixed !important; inset: 0 !important; background: red !important; }
  html, body, h1, p { display: block !important; visibility: visible !important; opacity: 1 !important; transform: none !important; width: auto !important; height: auto !important; }
  html::before, html::after, body::before, body::after, h1::before, h1::after, p::before, p::after, head *::before { display: none !important; content: none !important; }
  button { display: none !important; } div { font-size: 40px; } textarea { display: none !important; }
  :root { --primary: red; --panel: red; --text: transparent; }
  parley-widget { display: none !important; z-index: -1 !important; }
</style><h1>Hostile</h1><p>page</p>`;

/** Returns styles of an element as the browser computes them. Runs in the browser. */
const readStyle = (element: PageElement) => {
  const { fontSize, color, backgroundColor, opacity, visibility, position } =
    element.ownerDocument.defaultView.getComputedStyle(element);
  return { fontSize, color, backgroundColor, opacity, visibility, position };
};

const readGeometry = async (visit: WidgetPage) =>
  Promise.all(
    [visit.launcher, visit.panel, visit.input, visit.button('Send')].map(async (each) => {
      const style = await each.evaluate(readStyle);
      return { box: await each.boundingBox(), style };
    }),
  );

describe('the widget on customers’ pages', () => {
  const scene = useWidgetScene();

  it('looks and works the same on a page with hostile CSS', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const plain = await scene.visits.visit(bot);
    await plain.open();
    const hostile = await scene.visits.visit(bot, { page: { html: HOSTILE_CSS } });
    await hostile.open();
    const looksSame = async () => isDeepStrictEqual(await readGeometry(hostile), await readGeometry(plain));
    await waitUntil(looksSame, 'the same on both pages');
    await hostile.say('Hello');
    await waitUntilSaid(hostile, ['user: Hello', ANSWER]);
  });

  it('adds one global variable and one element, no styles or cookies, calls only the API, and puts no credentials in a URL', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    const addresses: string[] = [];
    visit.page.on('request', (request) => addresses.push(request.url()));
    await visit.open();
    await visit.say('Hello');
    await visit.waitForText('A day pass costs');
    await visit.page.reload();
    await visit.waitForText('A day pass costs');
    const listGlobals = (page: Page) => page.evaluate<string[]>('Object.getOwnPropertyNames(window)');
    const blank = await visit.page.context().newPage();
    await blank.goto(scene.site.add({ html: '<!doctype html>' }));
    const own = new Set(await listGlobals(blank));
    const added = (await listGlobals(visit.page)).filter((name) => !own.has(name));
    assert.deepEqual(added, ['Parley']);
    const elements = await visit.page.evaluate(
      '[...document.documentElement.children].map((each) => each.localName)',
    );
    assert.deepEqual(elements, ['head', 'body', 'parley-widget']);
    await waitUntilEqual(() => visit.page.evaluate('document.styleSheets.length'), 0);
    assert.deepEqual(await visit.page.context().cookies(), []);
    const stored = await visit.page.evaluate<Record<string, string>>('({ ...localStorage })');
    const [key = ''] = Object.keys(stored).toSorted();
    assert.deepEqual(Object.keys(stored).toSorted(), [key, `${key}:turn`]);
    const { token } = JSON.parse(stored[key]!).credential;
    assert.ok(token.length > 20);
    for (const address of addresses) {
      assert.ok(address.startsWith(scene.parley.baseUrl) || address.startsWith(scene.site.origin), address);
      assert.equal(address.includes(token), false, address);
    }
  });

  itInSoak(
    'starts once if its script is loaded twice, follows calls of its page API, and hides typing from the page’s shortcuts',
    async () => {
      const { bot } = await buildActiveBot(scene.parley);
      const again = `<script src="${scene.parley.baseUrl}/widget.js" data-bot="${bot.public_key}" async></script>`;
      const visit = await scene.visits.visit(bot, { page: { html: `<h1>Twice</h1>${again}` } });
      await visit.launcher.waitFor();
      await visit.page.waitForLoadState('load');
      await waitUntilEqual(() => visit.page.locator('parley-widget').count(), 1);
      await visit.page.evaluate(`for (const type of ['keydown', 'keyup', 'keypress'])
      document.addEventListener(type, () => document.body.setAttribute('data-heard', type));`);
      await visit.page.evaluate('Parley.open()');
      await visit.panel.waitFor();
      await visit.page.evaluate('Parley.close()');
      await visit.panel.waitFor({ state: 'hidden' });
      await visit.page.evaluate('Parley.toggle()');
      await visit.panel.waitFor();
      await visit.input.pressSequentially('search');
      await waitUntilEqual(() => visit.page.getAttribute('body', 'data-heard'), null);
      assert.deepEqual(visit.errors, []);
    },
  );

  itInSoak('stays open while a router replaces the body and runs the script again', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('What does a day pass cost?');
    await visit.waitForText('A day pass costs');
    await visit.page.evaluate(`(() => {
      const { src, dataset } = document.querySelector('script[data-bot]');
      const script = Object.assign(document.createElement('script'), { src });
      script.dataset.bot = dataset.bot;
      document.body.replaceWith(document.createElement('body'));
      document.body.append('Another page', script);
      return new Promise((resolve) => (script.onload = resolve));
    })()`);
    await visit.say('And for children?');
    await visit.waitForText('And for children?');
    assert.equal(await visit.page.locator('parley-widget').count(), 1);
    assert.deepEqual(visit.errors, []);
  });

  it('works under a strict Content-Security-Policy that names the API', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const { baseUrl } = scene.parley;
    const policy = `default-src 'none'; script-src ${baseUrl}; connect-src ${baseUrl}; img-src ${baseUrl}; style-src 'self'; base-uri 'none'; require-trusted-types-for 'script'`;
    const visit = await scene.visits.visit(bot, { page: { headers: { 'content-security-policy': policy } } });
    await visit.open();
    await visit.say('Hello');
    await visit.waitForText('A day pass costs');
    await waitUntilEqual(async () => (await visit.launcher.evaluate(readStyle)).position, 'fixed');
    assert.deepEqual(visit.errors, []);
  });

  itInSoak(
    'stays hidden if the bot may not run on the page, and logs the reason for the page’s developer',
    async () => {
      const { bot } = await buildActiveBot(scene.parley, { allowed_domains: ['shop.example'] });
      const visit = await scene.visits.visit(bot);
      await visit.page.waitForFunction(`'Parley' in window`);
      const expected =
        /^Parley: the bot is not shown\. The bot is not allowed on this page: the page’s host \S+ is not one of its allowed domains\./;
      await waitUntil(() => visit.errors.some((text) => expected.test(text)), 'the reason');
      await waitUntilEqual(() => visit.page.locator('parley-widget').count(), 0);
    },
  );

  itInSoak(
    'starts once the API is reachable, and then executes the calls that the page made earlier',
    async () => {
      const { bot } = await buildActiveBot(scene.parley);
      const context = await scene.visits.createContext();
      let attempts = 0;
      await context.route('**/config', (route) => ((attempts += 1) === 1 ? route.abort() : route.continue()));
      const visit = await scene.visits.visit(bot, { context });
      await visit.page.waitForFunction(`'Parley' in window`);
      await visit.page.evaluate('Parley.open()');
      await visit.panel.waitFor();
      assert.equal(attempts, 2);
      // The call opens only the panel, because the bot has no contact form.
      await visit.page.evaluate('Parley.showLeadForm()');
      await waitUntilEqual(() => visit.input.isVisible(), true);
    },
  );

  it('lets the page send a message, fill in the field, listen to events and remove the widget', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot);
    await visit.page.waitForFunction(`'Parley' in window`);
    await visit.page.evaluate(`
      window.seen = [];
      for (const event of ['open', 'close', 'message'])
        Parley.on(event, (data) => seen.push(data ? data.role + ': ' + data.content : event));
      Parley.send('  What does a day pass cost? ');
    `);
    await waitUntilSaid(visit, ['user: What does a day pass cost?', ANSWER]);
    await visit.page.evaluate(`Parley.prefill('My order is 17')`);
    await waitUntilEqual(() => visit.input.inputValue(), 'My order is 17');
    await visit.page.evaluate(`Parley.prefill('Something else')`);
    assert.equal(await visit.input.inputValue(), 'My order is 17');
    await visit.page.evaluate('Parley.close()');
    await waitUntilEqual(
      () => visit.page.evaluate('seen'),
      ['open', 'user: What does a day pass cost?', 'assistant: A day pass costs **12 euros**.', 'close'],
    );
    await visit.page.evaluate('Parley.destroy()');
    await waitUntilEqual(() => visit.page.locator('parley-widget').count(), 0);
    assert.deepEqual(visit.errors, []);
  });

  itInSoak('starts when the API becomes reachable after a long time', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const context = await scene.visits.createContext();
    await context.clock.install();
    await context.route('**/config', (route) => route.abort());
    const visit = await scene.visits.visit(bot, { context });
    const listComplaints = () => visit.errors.filter((text) => text.startsWith('Parley: '));
    for (let minutes = 0; minutes < 6; minutes += 1) {
      const refused = visit.page.waitForEvent('requestfailed');
      await context.clock.fastForward(60_000);
      await refused;
    }
    await waitUntil(() => listComplaints().length > 0, 'the message to the developer');
    assert.deepEqual(listComplaints(), ['Parley: the API cannot be reached; trying again.']);
    await context.unroute('**/config');
    await visit.page.evaluate("window.dispatchEvent(new Event('online'))");
    await visit.launcher.waitFor();
  });

  itInSoak('does not load the bot’s image before it is opened', async () => {
    const avatar_url = `${scene.site.origin.replace('127.0.0.1', 'localhost')}/avatar.png`;
    const { bot } = await buildActiveBot(scene.parley, { widget_theme: { avatar_url } });
    const context = await scene.visits.createContext();
    const addresses: string[] = [];
    context.on('request', (request) => addresses.push(request.url()));
    const visit = await scene.visits.visit(bot, { context });
    await visit.launcher.waitFor();
    await visit.page.waitForTimeout(300);
    assert.equal(addresses.includes(avatar_url), false);
    const asked = visit.page.waitForRequest(avatar_url);
    await visit.open();
    await asked;
  });

  itInSoak(
    'works next to libraries that patch prototypes, and without Array.prototype.toReversed',
    async () => {
      scene.answer = 'Take the ***red*** one.';
      const { bot } = await buildActiveBot(scene.parley);
      const context = await scene.visits.createContext();
      await context.addInitScript(`
      Array.from = (list) => { const copy = []; for (let i = 0; i < (list.length || 0); i++) copy[i] = list[i]; return copy; };
      Array.prototype.toArray = Array.prototype.entries = function () { return this.slice(); };
      Array.prototype.toJSON = function () { return '[' + this.join(', ') + ']'; };
      String.prototype.toJSON = Object.prototype.inspect = function () { return '"' + this + '"'; };
      Array.prototype.each = Object.prototype.extend = function () {};
      delete Array.prototype.toReversed;`);
      const visit = await scene.visits.visit(bot, { context });
      await visit.open();
      await visit.say('Which one?');
      const said = ['user: Which one?', 'assistant: Take the red one.'];
      await waitUntilSaid(visit, said);
      await waitUntilEqual(() => visit.panel.locator('strong em, em strong').textContent(), 'red');
      await visit.page.reload();
      await waitUntilSaid(visit, said);
      await visit.say('Which one?');
      await waitUntilSaid(visit, [...said, ...said]);
      assert.deepEqual(visit.errors, []);
    },
  );

  itInSoak('works if other data is stored under its key in the browser’s storage', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const session = JSON.stringify({ credential: { sessionId: '../../x', token: 'a\nb' } });
    const script = `localStorage.clear(); sessionStorage.clear(); localStorage.setItem('parley:${bot.public_key}', window.name)`;
    const visit = await scene.visits.visit(bot, { page: { html: `<h1>x</h1><script>${script}</script>` } });
    for (const rubbish of ['null', '5', '{', '{"pending":5}', '{"history":[null]}', session]) {
      await visit.page.evaluate(`window.name = ${JSON.stringify(rubbish)}`);
      await visit.page.reload();
      await visit.open();
      await visit.say('Hello');
      await waitUntilSaid(visit, ['user: Hello', ANSWER]);
      assert.deepEqual(visit.errors, []);
    }
  });

  itInSoak('keeps the size of its panel when the visitor zooms in', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      page: { html: '<meta name="viewport" content="width=device-width, initial-scale=1"><h1>Bikes</h1>' },
    });
    await visit.open();
    const readHeight = () => visit.panel.evaluate((panel) => Math.round(panel.offsetHeight));
    const before = await readHeight();
    const devtools = await visit.page.context().newCDPSession(visit.page);
    await devtools.send('Emulation.setPageScaleFactor', { pageScaleFactor: 3 });
    await visit.page.waitForFunction('visualViewport.scale > 2');
    await visit.page.waitForTimeout(200);
    assert.ok(Math.abs((await readHeight()) - before) <= 2, `${await readHeight()} instead of ${before}`);
  });

  itInSoak('accepts a number as visitorId, and ignores an id that is too long', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    for (const id of ['4711', `'${'x'.repeat(129)}'`]) {
      const html = `<script>window.ParleySettings = { visitorId: ${id} }</script>`;
      const visit = await scene.visits.visit(bot, { page: { html } });
      await visit.open();
      await visit.say('Hello');
      await visit.waitForText('A day pass costs');
      const isWarned = visit.errors.some((text) => text.includes('visitorId must be'));
      assert.equal(isWarned, id !== '4711');
    }
    const { items } = (await client.get('/api/conversations')).body;
    const ids = items.map((item: { visitor_id: string }) => item.visitor_id);
    assert.equal(ids.length, 2);
    assert.equal(ids.filter((id: string) => id === '4711').length, 1);
  });

  itInSoak('works on a page that adds headers to all its calls', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const html = `<script>
      const own = window.fetch;
      window.fetch = (address, options = {}) => {
        const headers = new Headers(options.headers);
        headers.set('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
        headers.set('x-custom', 'shop');
        return own(address, { ...options, headers });
      };
    </script>`;
    const visit = await scene.visits.visit(bot, { page: { html } });
    await visit.open();
    await visit.say('Hello');
    await visit.waitForText('A day pass costs');
    assert.deepEqual(visit.errors, []);
  });
});
