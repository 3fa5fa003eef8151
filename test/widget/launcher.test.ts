import assert from 'node:assert/strict';
import { startParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { listThemeFaults } from '../../widget/faults/theme-faults.ts';
import { matchesPage, readGreetings, readLauncher } from '../../widget/launcher/read-launcher.ts';

describe('matchesPage', () => {
  const page = new URL('https://shop.example/pricing/team?plan=pro#faq');
  for (const [pattern, isMatch] of [
    ['/pricing/team?plan=pro', true],
    ['/pricing*', true],
    ['*plan=*', true],
    ['*/team?*=pro', true],
    ['https://shop.example/*', true],
    ['*', true],
    ['/pricing', false],
    ['/pricing/*/team*', false],
    ['*pricing', false],
    ['http://shop.example/*', false],
    ['pricing*', false],
    ['/pricing/team?plan=pro*o', false],
    ['', false],
  ] as const)
    it(`returns ${isMatch} for the pattern "${pattern}"`, () => {
      assert.equal(matchesPage(pattern, page), isMatch);
    });
});

describe('readLauncher', () => {
  it('returns the values of the theme, and ignores those that are out of bounds or of another type', () => {
    const launcher = { label: '  Ask us ', hidden: true, offset_x: 0, offset_y: 400 };
    const look = { label: 'Ask us', isHidden: true, offsetX: 0, offsetY: 400, width: 280, height: 1200 };
    assert.deepEqual(readLauncher({ launcher, panel: { width: 280, height: 1200 } }), look);
    const nothing = {
      label: undefined,
      isHidden: false,
      offsetX: undefined,
      offsetY: undefined,
      width: undefined,
      height: undefined,
    };
    for (const theme of [
      {},
      { launcher: null, panel: 7 },
      { launcher: [], panel: 'wide' },
      {
        launcher: { label: ' ', hidden: 'yes', offset_x: -1, offset_y: 401 },
        panel: { width: 279, height: '500' },
      },
      { panel: { width: NaN, height: 1201 } },
    ])
      assert.deepEqual(readLauncher(theme), nothing);
  });
});

describe('readGreetings', () => {
  it('returns at most ten greetings with a text, after five seconds on all pages by default', () => {
    const greetings = [{ text: ' ' }, null, { text: 'Hi', pages: '/a', after_seconds: 3601 }];
    assert.deepEqual(readGreetings({ greetings }), [{ text: 'Hi', pages: [], afterSeconds: 5 }]);
    assert.equal(readGreetings({ greetings: Array(11).fill({ text: 'Hi' }) }).length, 10);
    assert.deepEqual(readGreetings({ greetings: 'Hi' }), []);
  });
});

describe('listThemeFaults', () => {
  it('names unknown keys, numbers out of bounds and greetings without a text', () => {
    const theme = {
      launcher: { lable: 'Ask us', offset_x: 401, hidden: true },
      panel: { width: '500', height: null },
      greetings: [{ text: 'Hi', page: '/a' }, { txt: 'Hi' }, 'Hi'],
    };
    assert.deepEqual(listThemeFaults(theme), [
      'widget_theme.launcher.lable is not a known key and is ignored. Did you mean label?',
      'widget_theme.launcher.offset_x is not a number from 0 to 400 and is ignored.',
      'widget_theme.panel.width is not a number from 280 to 800 and is ignored.',
      'widget_theme.greetings[0].page is not a known key and is ignored. Did you mean pages?',
      'widget_theme.greetings[1].txt is not a known key and is ignored. Did you mean text?',
      'widget_theme.greetings[1] has no text and is ignored.',
      'widget_theme.greetings[2] is not an object and is ignored.',
      'widget_theme.greetings[2] has no text and is ignored.',
    ]);
    const known = {
      launcher: { label: 'Ask us' },
      panel: null,
      greetings: [{ text: 'Hi', after_seconds: 0 }],
    };
    assert.deepEqual(listThemeFaults(known), []);
  });
});

describe('a widget with a theme for its launcher', () => {
  const scene = useWidgetScene(startParley);
  const build = (widget_theme: object) => buildActiveBot(scene.parley, { widget_theme });

  it('greets visitors of the matching page, opens the chat, and does not greet on later pages', async () => {
    const { bot } = await build({
      greetings: [
        { text: 'Only on another page', pages: ['/other'], after_seconds: 0 },
        { text: 'Questions about our prices?', pages: ['/page*'], after_seconds: 0 },
      ],
    });
    const visit = await scene.visits.visit(bot);
    const greeting = visit.page.getByRole('button', { name: 'Questions about our prices?' });
    await greeting.waitFor();
    await takePicture(visit.page, 'widget-greeting');
    const later = await scene.visits.visit(bot, { context: visit.page.context() });
    await later.launcher.waitFor();
    await later.page.waitForTimeout(1500);
    assert.equal(await later.page.locator('.greeting').count(), 0);
    await greeting.click();
    await visit.panel.waitFor();
    await greeting.waitFor({ state: 'detached' });
    assert.deepEqual([...visit.errors, ...later.errors], []);
  });

  itInSoak('greets after the time on the page, and no more once another page is shown', async () => {
    const { bot } = await build({ greetings: [{ text: 'Hi', pages: ['/shop'], after_seconds: 2 }] });
    const visit = await scene.visits.visit(bot);
    const greeting = visit.page.locator('.greeting');
    await visit.launcher.waitFor();
    await visit.page.evaluate("history.pushState(null, '', '/shop')");
    const startedAt = performance.now();
    await visit.page.waitForTimeout(1000);
    await visit.page.evaluate("location.hash = 'faq'");
    await greeting.waitFor();
    assert.ok(performance.now() - startedAt > 1900);
    await visit.page.evaluate("history.pushState(null, '', '/cart')");
    await greeting.waitFor({ state: 'detached' });
    await visit.page.evaluate("history.pushState(null, '', '/shop')");
    await visit.page.waitForTimeout(3500);
    assert.equal(await greeting.count(), 0);
    assert.deepEqual(visit.errors, []);
  });

  itInSoak('dismisses a greeting without opening the chat', async () => {
    const { bot } = await build({ greetings: [{ text: 'Hi', after_seconds: 0 }] });
    const visit = await scene.visits.visit(bot);
    await visit.page.getByRole('button', { name: 'Dismiss' }).click();
    await visit.page.locator('.greeting').waitFor({ state: 'detached' });
    assert.equal(await visit.panel.isVisible(), false);
    assert.equal(await visit.page.evaluate(`localStorage['parley-greeted:${bot.public_key}']`), '1');
  });

  it('shows the label, and places launcher and panel as the theme says', async () => {
    const { bot } = await build({
      launcher: { label: 'Ask us', offset_x: 40, offset_y: 60 },
      panel: { width: 500, height: 400 },
    });
    const visit = await scene.visits.visit(bot);
    await visit.page.setViewportSize({ width: 1000, height: 700 });
    await visit.page.getByRole('button', { name: 'Ask us: Open the chat with Help desk' }).waitFor();
    const { x, y, width, height } = (await visit.launcher.boundingBox())!;
    assert.deepEqual([x + width, y + height], [960, 640]);
    await visit.open();
    const panel = async () => {
      const box = (await visit.panel.boundingBox())!;
      return [box.x + box.width, box.y + box.height, box.width, box.height].map(Math.round);
    };
    await waitUntilEqual(async () => (await panel()).join(), '960,570,500,400');
    assert.deepEqual(visit.errors, []);
  });

  it('has no launcher if the theme hides it, and gives the focus back to the button that opened it', async () => {
    const { bot } = await build({ launcher: { hidden: true, label: 'Ask us' } });
    const visit = await scene.visits.visit(bot);
    await visit.page.evaluate('document.body.innerHTML = \'<button onclick="Parley.open()">Ask</button>\'');
    await visit.page.getByRole('button', { name: 'Ask', exact: true }).click();
    await visit.panel.waitFor();
    assert.equal(await visit.launcher.isVisible(), false);
    await visit.page.keyboard.press('Escape');
    await visit.panel.waitFor({ state: 'hidden' });
    assert.equal(await visit.page.evaluate('document.activeElement.localName'), 'button');
    assert.deepEqual(visit.errors, []);
  });

  it('leaves the panel 320 pixels on a low page, whatever the distance', async () => {
    const { bot } = await build({ launcher: { offset_y: 400 } });
    const visit = await scene.visits.visit(bot);
    await visit.page.setViewportSize({ width: 1000, height: 450 });
    await visit.page.evaluate('Parley.open()');
    await waitUntilEqual(async () => Math.round((await visit.panel.boundingBox())?.height ?? 0), 320);
  });
});
