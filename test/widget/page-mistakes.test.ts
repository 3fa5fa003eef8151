import assert from 'node:assert/strict';
import { signIdentityToken } from '../support/identity-token.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { WidgetPage, waitUntilSaid } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { ANSWER, listAllConversations } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const SNIPPET =
  'Add the line from the bot’s Embed page: <script src="https://…/widget.js" data-bot="pk_…" async></script>';

describe('on a customer’s page,', () => {
  const scene = useWidgetScene();

  /** Opens a customer's page that has its own script elements in place of the widget's snippet. */
  async function openPage(scripts: string): Promise<WidgetPage> {
    const context = await scene.visits.createContext();
    const visit = new WidgetPage(await context.newPage());
    const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Shop</title>${scripts}`;
    await visit.page.goto(scene.site.add({ html }));
    return visit;
  }

  const buildTag = (key: string, attributes = 'async') =>
    `<script src="${scene.parley.baseUrl}/widget.js" data-bot="${key}" ${attributes}></script>`;

  const waitForReport = (visit: WidgetPage, report: string) =>
    waitUntilEqual(async () => visit.errors.filter((text) => text.startsWith('Parley: ')).join('\n'), report);

  itInSoak(
    'the widget starts as a module, and from a script that is added after the page has loaded',
    async () => {
      const { bot } = await buildActiveBot(scene.parley);
      const asModule = await openPage(buildTag(bot.public_key, 'type="module"'));
      await asModule.launcher.waitFor();
      const late = await openPage('<h1>Shop</h1>');
      await late.page.evaluate(`{
      const script = document.createElement('script');
      script.type = 'module';
      script.src = ${JSON.stringify(`${scene.parley.baseUrl}/widget.js`)};
      script.dataset.bot = ${JSON.stringify(bot.public_key)};
      document.head.append(script);
    }`);
      await late.launcher.waitFor();
      assert.deepEqual([...asModule.errors, ...late.errors], []);
    },
  );

  it('the widget reports an import without a script element, and an element without data-bot', async () => {
    const { baseUrl } = scene.parley;
    const imported = await openPage(`<script type="module">import '${baseUrl}/widget.js'</script>`);
    await waitForReport(imported, `Parley: the page has no script element. ${SNIPPET}`);
    const unnamed = await openPage(`<script src="${baseUrl}/widget.js"></script>`);
    await waitForReport(unnamed, `Parley: the script has no data-bot with the bot’s public key. ${SNIPPET}`);
  });

  itInSoak('the widget reports a second bot on the same page, and shows one launcher', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const { bot: other } = await buildActiveBot(scene.parley);
    const visit = await openPage(buildTag(bot.public_key) + buildTag(other.public_key));
    await waitForReport(
      visit,
      'Parley: the page loads two bots, and shows only the first. Remove the other script.',
    );
    await visit.launcher.waitFor();
    assert.equal(await visit.page.locator('parley-widget').count(), 1);
  });

  it('the widget logs the supported languages if data-language is unknown, and accepts tags with a region such as pt-BR', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const unknown = await openPage(buildTag(bot.public_key, 'data-language="english"'));
    await waitForReport(
      unknown,
      'Parley: the widget has no language "english", only en, de, es, fr, it, nl, pt.',
    );
    await unknown.launcher.waitFor();
    for (const language of ['en-GB', 'pt-BR']) {
      const visit = await openPage(buildTag(bot.public_key, `data-language="${language}"`));
      await visit.launcher.waitFor();
      assert.deepEqual(visit.errors, []);
    }
  });

  itInSoak('the widget reports options that the page sets after the script has run', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await openPage(buildTag(bot.public_key));
    await visit.launcher.waitFor();
    await visit.page.evaluate("window.ParleySettings = { identityToken: 'a.b.c', language: 'fr' }");
    await visit.open();
    const late =
      'was set after the widget’s script had read it, and is ignored. Set window.ParleySettings before the script runs';
    await waitForReport(
      visit,
      `Parley: ParleySettings.identityToken ${late}, or call Parley.identify(token).\nParley: ParleySettings.language ${late}.`,
    );
  });

  it('the widget reports misnamed events and options and a text that is too long, and reads settings declared with const', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const visit = await openPage(
      `<script>const ParleySettings = { language: 'fr' }; window.parleySettings = {};</script>${buildTag(bot.public_key, 'data-color="red"')}`,
    );
    await visit.page.evaluate(`
      Parley.on('messages', () => {});
      Parley.on('open');
      Parley.send('x'.repeat(20_001));`);
    await waitUntilEqual(
      async () => visit.errors.toSorted().join('\n'),
      [
        'Parley: Parley.on has no event "messages". Did you mean message?',
        'Parley: Parley.on("open") has no listener. Write Parley.on("open", (data) => { … }).',
        'Parley: Parley.send received 20001 characters, but a message has at most 20000, so nothing was sent.',
        'Parley: data-color is not a known attribute and is ignored. Set primary_color in the widget_theme of the bot.',
        'Parley: window.parleySettings is ignored. Did you mean window.ParleySettings?',
      ]
        .toSorted()
        .join('\n'),
    );
    assert.equal(await visit.page.locator('parley-widget .widget').getAttribute('lang'), 'fr');
    assert.deepEqual(await listAllConversations(client), []);
  });

  itInSoak(
    'the widget reports unknown keys and invalid values in the theme, and suggests similar keys',
    async () => {
      const { bot } = await buildActiveBot(scene.parley, {
        widget_theme: {
          primaryColor: '#0f766e',
          magnification: 5,
          panel_bg: 'teal',
          position: 'top',
          color_scheme: 'night',
          dark_palette: { border_colour: '#111111', panel_background: '#000000' },
        },
      });
      const visit = await openPage(buildTag(bot.public_key));
      const see = `See ${scene.parley.baseUrl}/docs/pages/widget#theme`;
      const colors =
        'primary_color, user_bubble_text, bot_bubble_bg, bot_bubble_text, messages_bg, panel_bg, border_color';
      await waitForReport(
        visit,
        [
          `widget_theme.primaryColor is not a known key and is ignored. Did you mean primary_color? ${see}`,
          `widget_theme.magnification is not a known key and is ignored. Known keys: ${colors}, gradient, dark_palette, color_scheme, position, avatar_url, launcher, panel, greetings, files. ${see}`,
          `widget_theme.dark_palette.border_colour is not a known key and is ignored. Did you mean border_color? ${see}`,
          `widget_theme.dark_palette.panel_background is not a known key and is ignored. Known keys: ${colors}. ${see}`,
          `widget_theme.panel_bg is not a color such as #2563eb and is ignored. ${see}`,
          `widget_theme.position is neither left nor right, and is ignored. ${see}`,
          `widget_theme.color_scheme is neither light, dark nor auto, and is ignored. ${see}`,
        ]
          .map((line) => `Parley: ${line}`)
          .join('\n'),
      );
      const { status } = await fetch(`${scene.parley.baseUrl}/docs/pages/widget`);
      assert.equal(status, 200);
      await visit.launcher.waitFor();
    },
  );

  itInSoak(
    'the widget logs why an identity token is refused, without the token, and answers the visitor as anonymous',
    async () => {
      const { bot, client } = await buildActiveBot(scene.parley);
      const secret = (await client.get(`/api/bots/${bot.id}/embed`)).body.identity_secret!;
      const expired = Math.floor(Date.now() / 1000) - 60;
      const refusals: [token: string, cause: string][] = [
        [
          signIdentityToken('idsec_other', { sub: 'ada' }),
          'is not signed with HS256 and the identity secret of this bot; use the whole secret, including idsec_',
        ],
        [
          signIdentityToken(secret, { sub: 'ada', exp: expired }),
          `expired at ${new Date(expired * 1000).toISOString()}; sign a new one, or check the clock that set exp`,
        ],
        [
          signIdentityToken(secret, { sub: 17 }),
          'must identify the visitor (sub) with a string, as in "sub": "17"',
        ],
        [signIdentityToken(secret, { email: 'ada@example.org' }), 'lacks the claim sub'],
        ['<h1>404</h1>', 'is not a JWT (three base64url parts separated by dots)'],
      ];
      for (const [token, cause] of refusals) {
        const settings = `<script>window.ParleySettings = { identityToken: () => ${JSON.stringify(token).replaceAll('<', '\\u003c')} }</script>`;
        const visit = await openPage(settings + buildTag(bot.public_key));
        await visit.open();
        await visit.say('Hello');
        await waitUntilSaid(visit, ['user: Hello', ANSWER]);
        await waitForReport(
          visit,
          `Parley: the visitor stays anonymous. Parley refused the token: it ${cause}. See ${scene.parley.baseUrl}/docs/pages/identity-token`,
        );
        await visit.close();
      }
      assert.equal((await fetch(`${scene.parley.baseUrl}/docs/pages/identity-token`)).status, 200);
    },
  );

  it('the widget logs that the page’s identityToken failed or did not return a string', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const see = `See ${scene.parley.baseUrl}/docs/pages/identity-token`;
    const cases: [source: string, cause: string][] = [
      ['async () => { throw new TypeError("Failed to fetch") }', 'failed: TypeError: Failed to fetch.'],
      ['async () => ({ token: "a.b.c" })', 'has the type object instead of string.'],
    ];
    for (const [source, cause] of cases) {
      const settings = `<script>window.ParleySettings = { identityToken: ${source} }</script>`;
      const visit = await openPage(settings + buildTag(bot.public_key));
      await waitForReport(visit, `Parley: the visitor stays anonymous. identityToken ${cause} ${see}`);
      await visit.close();
    }
    const signedOut = await openPage(
      `<script>window.ParleySettings = { identityToken: () => null }</script>${buildTag(bot.public_key)}`,
    );
    await signedOut.launcher.waitFor();
    await waitUntil(() => signedOut.errors.length === 0, 'no report');
  });
});
