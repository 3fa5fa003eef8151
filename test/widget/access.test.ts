import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { takePicture } from '../support/pictures.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import type { WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import type { PageElement } from '../support/page-element.ts';
import { itInSoak } from '../support/it-in-soak.ts';

/** Returns styles of an element as the browser computes them. Runs in the browser. */
const readStyle = (element: PageElement) => {
  const { backgroundColor, color, backgroundImage, animationName, outlineStyle } =
    element.ownerDocument.defaultView.getComputedStyle(element);
  return { backgroundColor, color, backgroundImage, animationName, outlineStyle };
};
const readFocusedLabel = (visit: WidgetPage): Promise<string> =>
  visit.page.evaluate(`(() => {
    const active = document.querySelector('parley-widget').shadowRoot.activeElement;
    return active ? active.getAttribute('aria-label') ?? active.textContent : 'page';
  })()`);
const toRgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((index) => parseInt(hex.slice(index, index + 2), 16)).join(', ')})`;

describe('the accessible widget', () => {
  const scene = useWidgetScene();

  it('works with the keyboard alone', async () => {
    const { bot } = await buildActiveBot(scene.parley, {
      name: 'Harbour Bikes',
      handoff_enabled: true,
      starter_questions: ['When are you open?'],
    });
    const visit = await scene.visits.visit(bot, {
      page: { html: '<h1>Shop</h1><button id="before">Buy</button>' },
    });
    await visit.launcher.waitFor();
    await visit.page.locator('#before').focus();
    await visit.page.keyboard.press('Tab');
    await waitUntilEqual(() => readFocusedLabel(visit), 'Open the chat with Harbour Bikes');
    await waitUntilEqual(async () => (await visit.launcher.evaluate(readStyle)).outlineStyle, 'solid');
    await visit.page.keyboard.press('Enter');
    await visit.panel.waitFor();
    await waitUntil(async () => (await readFocusedLabel(visit)) === 'Your message', 'the focus in the box');

    const order: string[] = [];
    await visit.button('More options').focus();
    for (let step = 0; step < 8; step += 1) {
      order.push(await readFocusedLabel(visit));
      await visit.page.keyboard.press('Tab');
    }
    assert.deepEqual(order, [
      'More options',
      'Close the chat',
      'Messages',
      'When are you open?',
      'Talk to a human',
      'Your message',
      'Send',
      'Close the chat',
    ]);
    await visit.button('More options').focus();
    await visit.page.keyboard.press('Enter');
    await waitUntilEqual(() => readFocusedLabel(visit), 'Privacy');
    await visit.page.keyboard.press('Escape');
    await waitUntilEqual(() => readFocusedLabel(visit), 'More options');
    await visit.page.keyboard.press('Escape');
    await visit.panel.waitFor({ state: 'hidden' });
    await waitUntilEqual(() => readFocusedLabel(visit), 'Open the chat with Harbour Bikes');
  });

  itInSoak(
    'closes its menu when the focus leaves it, and fits its text box to the text without a scroll bar',
    async () => {
      const { bot } = await buildActiveBot(scene.parley);
      const visit = await scene.visits.visit(bot);
      await visit.open();
      const menu = visit.panel.locator('#menu');
      for (const leave of [
        () => visit.input.click(),
        () => visit.page.locator('h1').click(),
        () => visit.page.keyboard.press('Shift+Tab').then(() => visit.page.keyboard.press('Shift+Tab')),
        () => visit.page.keyboard.press('Tab'),
      ]) {
        await visit.button('More options').click();
        await menu.waitFor();
        await leave();
        await menu.waitFor({ state: 'hidden' });
        await waitUntilEqual(() => visit.button('More options').getAttribute('aria-expanded'), 'false');
      }
      await visit.button('More options').click();
      await visit.button('More options').click();
      await waitUntilEqual(() => menu.isVisible(), false);
      await visit.button('More options').click();
      await visit.page.evaluate('Parley.close()');
      await visit.open();
      await waitUntilEqual(() => menu.isVisible(), false);

      const fits = () => visit.input.evaluate((box) => box.scrollHeight <= box.clientHeight);
      for (const text of ['x', 'one\ntwo\nthree', '']) {
        await visit.input.fill(text);
        assert.equal(await fits(), true, JSON.stringify(text));
      }
      await visit.input.fill('line\n'.repeat(20));
      assert.equal(await fits(), false);
    },
  );

  itInSoak(
    'announces its name, its state and new messages to screen readers, tables cell by cell, but not the history',
    async () => {
      const { bot } = await buildActiveBot(scene.parley, { name: 'Harbour Bikes', handoff_enabled: true });
      const visit = await scene.visits.visit(bot);
      await visit.launcher.waitFor();
      await waitUntilEqual(() => visit.launcher.getAttribute('aria-expanded'), 'false');
      await visit.open();
      await waitUntilEqual(() => visit.page.getByRole('dialog', { name: 'Harbour Bikes' }).count(), 1);
      await waitUntilEqual(
        () => visit.page.getByRole('button', { name: 'Close the chat', expanded: true }).count(),
        1,
      );
      await waitUntilEqual(
        () => visit.panel.getByRole('log', { name: 'Messages' }).getAttribute('aria-live'),
        'off',
      );
      await visit.say('What does a day pass cost?');
      const announcer = visit.panel.locator('.unseen[role=status]');
      await announcer.getByText('Harbour Bikes: A day pass costs 12 euros.').waitFor({ state: 'attached' });
      await waitUntilEqual(
        () => visit.panel.locator('.items .message > .unseen').allTextContents(),
        ['You: ', 'Harbour Bikes: '],
      );
      await waitUntilEqual(() => visit.panel.getByRole('textbox', { name: 'Your message' }).count(), 1);
      const nameless = await visit.panel
        .locator('button, a, input, select, textarea')
        .evaluateAll((all) =>
          all
            .filter(
              (each) => !each.getAttribute('aria-label') && !each.textContent.trim() && !each.labels?.length,
            )
            .map((each) => each.outerHTML),
        );
      assert.deepEqual(nameless, []);
      scene.answer = {
        text: 'These:\n\n| Code | Meaning |\n|---|---|\n| M22 | Motor |\n| M23 | Fan |\n\nAsk us.',
      };
      await visit.say('What do the codes mean?');
      await announcer.getByText('Harbour Bikes: These').waitFor({ state: 'attached' });
      await waitUntilMatches(
        async () => (await announcer.textContent()) ?? '',
        /^Harbour Bikes: These:\s+Code, Meaning; M22, Motor; M23, Fan\s+Ask us\.$/,
      );
      await visit.page.reload();
      await visit.waitForText('Ask us.');
      await visit.page.waitForTimeout(300);
      await waitUntilEqual(() => announcer.textContent(), '');
    },
  );

  itInSoak('fills a small screen, traps the focus, and leaves space for the on-screen keyboard', async () => {
    const { bot } = await buildActiveBot(scene.parley, { welcome_message: 'Hello!' });
    const visit = await scene.visits.visit(bot, {
      viewport: { width: 375, height: 667 },
      isMobile: true,
      hasTouch: true,
      deviceScaleFactor: 1,
      page: {
        html: '<meta name="viewport" content="width=device-width, initial-scale=1"><h1>Harbour Bikes</h1>',
      },
    });
    await visit.launcher.tap();
    await visit.panel.waitFor();
    const whole = { x: 0, y: 0, width: 375, height: 667 };
    await waitUntil(
      async () => isDeepStrictEqual(await visit.panel.boundingBox(), whole),
      'the whole screen',
    );
    await waitUntilEqual(() => visit.panel.getAttribute('aria-modal'), 'true');
    await waitUntilEqual(() => visit.launcher.isVisible(), false);
    await waitUntilEqual(
      () => visit.input.evaluate((input) => input.ownerDocument.defaultView.getComputedStyle(input).fontSize),
      '16px',
    );
    await visit.button('Send').focus();
    await visit.page.keyboard.press('Tab');
    await waitUntilEqual(() => readFocusedLabel(visit), 'More options');
    await visit.page.keyboard.press('Shift+Tab');
    await waitUntilEqual(() => readFocusedLabel(visit), 'Send');
    await visit.say('What does a day pass cost?');
    await visit.waitForText('A day pass costs');
    await takePicture(visit.page, 'widget-mobile');

    await visit.page.setViewportSize({ width: 375, height: 380 });
    const readBottom = async () => {
      const { y = Infinity, height = 0 } = (await visit.input.boundingBox()) ?? {};
      return y + height;
    };
    await waitUntil(async () => (await readBottom()) <= 380, 'room for the keyboard');
    await visit.button('Close the chat').tap();
    await visit.launcher.waitFor();
  });

  itInSoak('is light by default, and follows the visitor’s system with the color scheme auto', async () => {
    const dark = { colorScheme: 'dark' } as const;
    const { bot } = await buildActiveBot(scene.parley, {
      welcome_message: 'Hello!',
      widget_theme: {
        color_scheme: 'auto',
        primary_color: '#7c3aed',
        dark_palette: { panel_bg: '#102030', bot_bubble_bg: '#203040' },
      },
    });
    const set = await scene.visits.visit(bot, dark);
    await set.open();
    await waitUntilEqual(async () => (await set.panel.evaluate(readStyle)).backgroundColor, toRgb('#102030'));
    await waitUntilEqual(
      async () => (await set.panel.locator('.bubble').first().evaluate(readStyle)).backgroundColor,
      toRgb('#203040'),
    );

    const { bot: light } = await buildActiveBot(scene.parley, { welcome_message: 'Hello!' });
    const usual = await scene.visits.visit(light, dark);
    await usual.open();
    assert.equal((await usual.panel.evaluate(readStyle)).backgroundColor, 'rgb(255, 255, 255)');

    const { bot: plain } = await buildActiveBot(scene.parley, {
      welcome_message: 'Hello!',
      widget_theme: { color_scheme: 'auto' },
    });
    const derived = await scene.visits.visit(plain, dark);
    await derived.open();
    const { backgroundColor } = await derived.panel.evaluate(readStyle);
    assert.equal(backgroundColor, 'rgb(31, 31, 31)');
    await derived.say('What does a day pass cost?');
    await derived.waitForText('A day pass costs');
    await takePicture(derived.page, 'widget-dark');

    await derived.page.emulateMedia({ colorScheme: 'light' });
    await waitUntilEqual(
      async () => (await derived.panel.evaluate(readStyle)).backgroundColor,
      'rgb(255, 255, 255)',
    );
  });

  itInSoak(
    'shows the bot’s gradient, image and side, and stays readable with contrasting panel and message colors',
    async () => {
      const { bot } = await buildActiveBot(scene.parley, {
        starter_questions: ['When are you open?'],
        widget_theme: {
          gradient: { from_color: '#cc0000', to_color: '#0000ff', angle: 90 },
          position: 'left',
          panel_bg: '#000000',
          messages_bg: '#ffffff',
          avatar_url: `${scene.parley.baseUrl}/api/public/assets/01a1fdcb-8765-74d9-98f6-8e8f056b1e34`,
        },
      });
      const visit = await scene.visits.visit(bot);
      await visit.open();
      const gradient = 'linear-gradient(90deg, rgb(204, 0, 0), rgb(0, 0, 255))';
      await waitUntilEqual(async () => (await visit.launcher.evaluate(readStyle)).backgroundImage, gradient);
      await waitUntilEqual(
        async () => (await visit.panel.locator('.header').evaluate(readStyle)).backgroundImage,
        gradient,
      );
      assert.equal((await visit.launcher.boundingBox())!.x, 20);
      assert.equal((await visit.panel.boundingBox())!.x, 20);
      // The avatar's image does not exist, so the first letter of the name replaces it.
      for (const place of ['.header', '.opening']) {
        const letter = visit.panel.locator(`${place} span.avatar`);
        await letter.waitFor();
        await waitUntilEqual(() => letter.textContent(), 'H');
      }
      const readColor = async (place: string) => (await visit.panel.locator(place).evaluate(readStyle)).color;
      const [dark, light] = ['rgb(15, 23, 42)', 'rgb(255, 255, 255)'];
      assert.deepEqual([await readColor('textarea'), await readColor('.messages')], [dark, dark]);
      assert.deepEqual([await readColor('.starters .chip'), await readColor('.composer')], [light, light]);
      await visit.button('More options').click();
      assert.equal(await readColor('.menu button'), light);
    },
  );

  itInSoak('shows no animation to visitors who prefer reduced motion', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(bot, { reducedMotion: 'reduce' });
    await visit.open();
    await waitUntilEqual(async () => (await visit.panel.evaluate(readStyle)).animationName, 'none');
    await visit.page.emulateMedia({ reducedMotion: 'no-preference' });
    await waitUntilEqual(async () => (await visit.panel.evaluate(readStyle)).animationName, 'appear');
  });

  itInSoak('uses the bot’s language, or otherwise the visitor’s if there is a translation', async () => {
    const { bot: german } = await buildActiveBot(scene.parley, { language: 'de' });
    const { bot: auto } = await buildActiveBot(scene.parley, { language: 'auto' });
    for (const [bot, locale, placeholder, language] of [
      [german, 'en-GB', 'Nachricht eingeben…', 'de'],
      [auto, 'de-DE', 'Nachricht eingeben…', 'de'],
      [auto, 'pt-BR', 'Escreva uma mensagem…', 'pt'],
      [auto, 'ja-JP', 'Type a message…', 'en'],
    ] as const) {
      const visit = await scene.visits.visit(bot, { locale });
      await visit.open();
      await waitUntilEqual(() => visit.input.getAttribute('placeholder'), placeholder);
      await waitUntilEqual(() => visit.page.locator('parley-widget .widget').getAttribute('lang'), language);
      if (bot === german) await visit.waitForText('Guten Tag! Wie kann ich helfen?');
    }
    const chosen = await scene.visits.visit(german, { attributes: 'data-language="en"' });
    await chosen.open();
    await waitUntilEqual(() => chosen.input.getAttribute('placeholder'), 'Type a message…');
  });

  itInSoak('uses the page’s language if there is no translation for the visitor’s language', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const html = '<script>document.documentElement.lang = "nl-BE"</script>';
    const visit = await scene.visits.visit(bot, { locale: 'ja-JP', page: { html } });
    await visit.open();
    await waitUntilEqual(() => visit.input.getAttribute('placeholder'), 'Typ een bericht…');
  });

  itInSoak('uses English if a translation cannot be loaded', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const context = await scene.visits.createContext({ locale: 'fr-FR' });
    await context.route('**/widget/fr.json', (route) => route.abort());
    const visit = await scene.visits.visit(bot, { context });
    await visit.open();
    await waitUntilEqual(() => visit.input.getAttribute('placeholder'), 'Type a message…');
    await waitUntilEqual(() => visit.page.locator('parley-widget .widget').getAttribute('lang'), 'en');
  });
});
